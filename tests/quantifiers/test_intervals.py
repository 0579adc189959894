"""The ends of an interval are the quantiles of the draws, wider where labels are few, and never inside the estimate."""

import numpy as np
import pytest

from foldless.quantifiers import Bags, Held, _intervals, resolve
from foldless.quantifiers._intervals import WIDER, binomial_ends, interval_of, shares_with_ends

DRAWS = np.random.default_rng(0).permutation(np.linspace(0.3, 0.5, 1001))[:, None]


@pytest.mark.parametrize("confidence", [0.8, 0.95])
def test_the_ends_are_the_quantiles_of_the_draws(confidence):
    lower, upper = interval_of(DRAWS, np.array([0.4]), confidence, np.array([1e12]))
    assert lower == pytest.approx(0.4 - 0.1 * confidence, abs=3e-4)
    assert upper == pytest.approx(0.4 + 0.1 * confidence, abs=3e-4)


def test_few_labels_make_it_wider_on_both_sides():
    lower, upper = interval_of(DRAWS, np.array([0.4]), 0.95, np.array([20.0]))
    assert lower == pytest.approx(0.4 - 0.095 * np.sqrt(1 + WIDER / 20), abs=3e-4)
    assert upper == pytest.approx(0.4 + 0.095 * np.sqrt(1 + WIDER / 20), abs=3e-4)


def test_the_ends_are_shares_and_hold_the_estimate():
    lower, upper = interval_of(DRAWS, np.array([0.9]), 0.95, np.array([1.0]))
    assert (lower, upper) == (0.0, 0.9)


@pytest.mark.parametrize("method", ["acc", "map"])
def test_a_class_that_is_not_found_among_few_rows_may_be_there(method):
    y = np.repeat([0, 1], 200)  # told apart without a fault
    rng = np.random.default_rng(0)
    _, lower, upper = shares_with_ends(resolve(method), Held(y, y, 2), np.zeros(40, int), Bags.whole(40), 0.95, rng)
    assert upper[0, 1] >= binomial_ends(np.array(0.0), np.array(40), 0.95)[1] > 0.08
    assert lower[0, 1] == 0


def test_rates_of_many_classes_are_drawn_in_parts(monkeypatch):
    drawn, class_means = [], _intervals._class_means
    monkeypatch.setattr(_intervals, "MAX_RATES", 36 * 30)
    monkeypatch.setattr(_intervals, "_class_means", lambda *args: drawn.append(args[-1]) or class_means(*args))
    rng = np.random.default_rng(0)
    y = np.arange(300) % 6
    said = np.where(rng.random(300) < 0.8, y, rng.integers(0, 6, 300))
    of_pool = rng.integers(0, 6, 500)
    held = Held(said, y, 6)
    answered = _intervals.AnsweredBags(of_pool, Bags.whole(500))
    shares = _intervals._of_means(resolve("acc"), held, answered, np.random.default_rng(1))
    assert sum(drawn) == 400
    assert max(drawn) == 30
    assert shares.shape == (400, 1, 6)
    np.testing.assert_allclose(shares.sum(axis=2), 1)
    assert 0.005 < shares[:, 0, 0].std() < 0.1
