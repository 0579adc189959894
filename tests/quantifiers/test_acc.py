"""Adjusted counts: by hand for two classes, against a general solver, and at shares that no counts allow."""

import numpy as np
import pytest
from scipy.optimize import minimize

from foldless.errors import BadInput
from foldless.quantifiers import acc, adjusted_count, ill_conditioned


@pytest.mark.parametrize("counted", [0.2, 0.31, 0.7])
def test_two_classes_by_the_formula(counted):
    table = np.array([[180, 20], [30, 70]])
    shares = adjusted_count(np.array([1 - counted, counted]), table)
    assert shares[1] == pytest.approx((counted - 0.1) / (0.7 - 0.1), abs=1e-6)


@pytest.mark.parametrize(("counted", "share"), [(0.01, 0.0), (0.95, 1.0)])
def test_shares_stay_between_zero_and_one(counted, share):
    table = np.array([[180, 20], [30, 70]])
    assert adjusted_count(np.array([1 - counted, counted]), table)[1] == pytest.approx(share, abs=1e-6)


@pytest.mark.parametrize("seed", range(5))
def test_against_a_general_solver(seed):
    rng = np.random.default_rng(seed)
    table = rng.integers(1, 60, size=(4, 4)) + np.diag([80, 60, 90, 70])
    counted = rng.dirichlet(np.ones(4) * 0.5)
    rates = (table / table.sum(axis=1, keepdims=True)).T
    solved = minimize(
        lambda p: np.sum((rates @ p - counted) ** 2), np.full(4, 0.25), bounds=[(0, 1)] * 4, method="SLSQP",
        constraints={"type": "eq", "fun": lambda p: p.sum() - 1}, options={"ftol": 1e-14, "maxiter": 1000},
    ).x  # fmt: skip
    assert np.allclose(adjusted_count(counted, table), solved, atol=1e-4)


def test_true_shares_are_found_where_rates_hold():
    rates, true = np.array([[0.8, 0.15, 0.05], [0.1, 0.8, 0.1], [0.3, 0.1, 0.6]]), np.array([0.2, 0.5, 0.3])
    assert np.allclose(adjusted_count(true @ rates, 1000 * rates), true, atol=1e-6)


def test_a_class_without_rows():
    with pytest.raises(BadInput, match="class 1 has no row"):
        adjusted_count(np.array([0.5, 0.5]), np.array([[5, 5], [0, 0]]))


@pytest.mark.parametrize("table", [[[50, 50], [20, 20]], [[5, 5, 0], [0, 5, 5], [5, 10, 5]]])
def test_rates_that_cannot_be_solved_for_are_refused(table):
    with pytest.raises(BadInput, match="counts cannot be adjusted: use classify_and_count"):
        adjusted_count(np.full(len(table), 1 / len(table)), np.array(table))
    assert ill_conditioned(np.array(table), np.random.default_rng(0))


def test_rates_are_told_from_equal_ones_by_their_noise():
    def often(rates, n):
        rng = np.random.default_rng(1)
        tables = [[rng.multinomial(n, row) for row in rates] for _ in range(50)]
        return np.mean([ill_conditioned(np.array(table), rng) for table in tables])

    assert often([[0.5, 0.5], [0.5, 0.5]], 100) > 0.6
    assert often([[0.8, 0.2], [0.3, 0.7]], 100) == 0
    assert often([[0.52, 0.48], [0.48, 0.52]], 100_000) == 0


def test_rates_of_many_classes_are_drawn_within_bounds(monkeypatch):
    table = np.diag(np.full(6, 40)) + 4
    noisy = ill_conditioned(np.ones((6, 6)), np.random.default_rng(0))
    drawn = []
    monkeypatch.setattr(acc, "MAX_RATES", 36 * 30)
    monkeypatch.setattr(acc, "drawn_rates", lambda *args, of=acc.drawn_rates: drawn.append(args[1]) or of(*args))
    assert ill_conditioned(np.ones((6, 6)), np.random.default_rng(0)) is noisy is True
    assert drawn[-1] == 30
    assert not ill_conditioned(table, np.random.default_rng(0))
