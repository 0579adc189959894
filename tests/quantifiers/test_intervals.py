"""The ends of an interval are the quantiles of the draws, wider where labels are few, and never inside the estimate."""

import numpy as np
import pytest

from foldless.quantifiers.intervals import WIDER, interval_of

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
