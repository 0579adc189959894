"""Least squares on the simplex: against a general solver, by its optimality conditions, and at its corners."""

import numpy as np
import pytest
from scipy.optimize import minimize

from foldless.quantifiers import _simplex
from foldless.quantifiers._simplex import simplex_least_squares


def rates_of(rng, k, features):
    return rng.dirichlet(np.full(features, 0.5), k).T + 0.3 * np.eye(features, k)


def worst_condition(rates, means, shares):
    """By how much the conditions of the optimum are missed: all slopes at least that of the classes with a share."""
    slope = (shares @ rates.T - means) @ rates
    least = np.where(shares > 1e-9, slope, -np.inf).max(axis=1)
    return (least[:, None] - slope).max()


@pytest.mark.parametrize(("k", "features"), [(3, 3), (7, 7), (20, 20), (5, 12), (50, 50)])
def test_the_optimum_is_exact(k, features):
    rng = np.random.default_rng(k)
    rates, means = rates_of(rng, k, features), rng.dirichlet(np.full(features, 0.3), 40)
    shares = simplex_least_squares(rates, means)
    assert np.allclose(shares.sum(axis=1), 1)
    assert shares.min() >= 0
    assert worst_condition(rates, means, shares) < 1e-8


@pytest.mark.parametrize("k", [2, 4])
def test_against_a_general_solver(k):
    rng = np.random.default_rng(k)
    rates, means = rates_of(rng, k, k), rng.dirichlet(np.full(k, 0.4), 6)
    for mean, found in zip(means, simplex_least_squares(rates, means), strict=True):
        solved = minimize(
            lambda p, mean=mean: np.sum((rates @ p - mean) ** 2), np.full(k, 1 / k), bounds=[(0, 1)] * k,
            constraints={"type": "eq", "fun": lambda p: p.sum() - 1}, options={"ftol": 1e-14}, method="SLSQP",
        ).x  # fmt: skip
        assert np.allclose(found, solved, atol=1e-4)


def test_classes_that_look_alike_share_what_they_have():
    rates = np.array([[0.9, 0.1, 0.1], [0.1, 0.9, 0.9]])
    assert np.allclose(simplex_least_squares(rates, np.array([[0.5, 0.5]])), [[0.5, 0.25, 0.25]], atol=1e-4)
    assert np.allclose(simplex_least_squares(np.ones((2, 2)), np.array([[0.7, 0.3]])), [[0.5, 0.5]])


def test_where_pivoting_does_not_end_another_algorithm_does(monkeypatch):
    rng = np.random.default_rng(0)
    rates, means = rates_of(rng, 8, 8), rng.dirichlet(np.full(8, 0.2), 10)
    expected = simplex_least_squares(rates, means)
    monkeypatch.setattr(_simplex, "ROUNDS", 1)
    assert np.allclose(simplex_least_squares(rates, means), expected, atol=1e-5)


def test_one_class_and_no_bags():
    assert simplex_least_squares(np.ones((1, 1)), np.ones((3, 1))).tolist() == [[1.0]] * 3
    assert simplex_least_squares(np.eye(3), np.empty((0, 3))).shape == (0, 3)


@pytest.mark.parametrize("k", [2, 3, 6])
def test_a_table_for_each_is_solved_as_one_table_for_all(k):
    rng = np.random.default_rng(k)
    rates, means = np.array([rates_of(rng, k, k) for _ in range(15)]), rng.dirichlet(np.full(k, 0.3), 15)
    together = simplex_least_squares(rates, means)
    for own, mean, found in zip(rates, means, together, strict=True):
        assert np.allclose(simplex_least_squares(own, mean[None, :])[0], found, atol=1e-8)
