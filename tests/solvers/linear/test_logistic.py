"""The logistic loss at its optimum: the dual by hand, scipy's minimum, extreme margins and extreme C."""

import numpy as np
import pytest
from helpers.linear_problems import blobs, descend
from scipy.optimize import minimize
from scipy.special import entr, expit

from foldless.solvers.linear._csr_rows import Vocabulary
from foldless.solvers.linear._logistic import START, at_larger_cost


def solved(X, t, C, **settings):
    vocabulary = Vocabulary.of(X)
    own = np.where(t > 0, 0, -1)
    (W, _, states, _, _), done = descend(vocabulary.rows(X), own, len(vocabulary.used), "logistic", C, **settings)
    w = np.zeros(X.shape[1])
    w[vocabulary.used] = W.values[:, 0]
    return w, C * expit(states.values[:, 0].astype(float)), done


def primal(X, t, w, C):
    return w @ w / 2 + C * np.logaddexp(0, -t * (X @ w)).sum()


def dual(X, t, alpha, C):
    w = X.T @ (t * alpha)
    return C * (entr(alpha / C) + entr(1 - alpha / C)).sum() - w @ w / 2


@pytest.mark.parametrize("C", [1e-4, 0.1, 1.0, 100.0, 1e4])
@pytest.mark.parametrize("tol", [1e-3, 1e-6])
def test_no_gap_between_primal_and_dual(C, tol):
    X, y = blobs(40, 60, 2)
    t = np.where(y == 1, 1.0, -1.0)
    w, alpha, done = solved(X, t, C, tol=tol)
    assert done > 0
    above, below = primal(X, t, w, C), dual(X, t, alpha, C)
    assert abs(above - below) < (1e-4 if tol < 1e-3 else 1e-3) * above


def test_it_is_scipys_minimum():
    X, y = blobs(30, 4, 2, seed=2)
    t = np.where(y == 1, 1.0, -1.0)
    for C in (0.1, 5.0):
        best = minimize(lambda v, C=C: primal(X, t, v, C), np.zeros(4), tol=1e-12)
        np.testing.assert_allclose(solved(X, t, C)[0], best.x, atol=1e-4)


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e4])
@pytest.mark.parametrize("C", [1e-6, 1.0, 1e6])
def test_one_row_by_hand(scale, C):
    """α = C σ(−α x²), whatever the size of x and of C."""
    _, (alpha,), done = solved(np.array([[scale]]), np.array([1.0]), C)
    assert done > 0
    low, high = 0.0, C
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if middle < C * expit(-middle * scale**2) else (low, middle)
    assert alpha == pytest.approx(low, rel=1e-4)


def test_what_single_precision_cannot_solve_is_told():
    """q C = 1e9, and rows that contradict each other: one step of α moves a margin by 60."""
    X = np.array([[1e4], [-1e4], [1e4], [1.0]])
    w, alpha, done = solved(X, np.array([1.0, -1.0, -1.0, 1.0]), 10.0)
    assert np.isfinite(w).all()
    assert ((alpha >= 0) & (alpha <= 10)).all()
    assert done < 0


def test_empty_rows_have_even_odds():
    _, alpha, done = solved(np.array([[0.0], [2.0]]), np.array([1.0, 1.0]), 3.0)
    assert done > 0
    assert alpha[0] == pytest.approx(1.5)


def test_a_larger_cost_keeps_alpha():
    theta = np.array([START, -50, -5, 0, 5, 30], np.float32)
    moved = theta.copy()
    at_larger_cost(moved, 100.0)
    np.testing.assert_allclose(100 * expit(moved[1:].astype(float)), expit(theta[1:].astype(float)), rtol=1e-4)
    assert moved[0] == START
