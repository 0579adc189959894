"""Pairs on one Gram matrix give what each gives on a matrix of its own, wherever its rows are."""

from itertools import combinations

import numpy as np
import pytest
from kernel_problems import rbf, rings
from sklearn.svm import SVC

from foldless.solvers.pairs import Workspace, solve_pairs
from foldless.solvers.smo import padded
from foldless.solvers.warm_starts import Seeds

COSTS = np.array([0.1, 10.0])


def solved(K, starts, weights, *, seeds=None, leads=True):
    k, n = len(starts) - 1, len(K)
    pairs = np.array(list(combinations(range(k), 2)))
    n_fits = len(weights)
    seeds = seeds or Seeds(*np.zeros((2, k - 1, len(COSTS), n)))
    coef, intercepts = np.zeros((n_fits, k - 1, len(COSTS), n)), np.zeros((n_fits, len(COSTS), len(pairs)))
    steps = np.zeros(intercepts.shape, np.int64)
    largest = int(np.diff(starts)[pairs].sum(axis=1).max())
    m = padded(n)
    gram = np.zeros((m, m), np.float32)
    gram[:n, :n] = K
    solve_pairs(
        gram, gram.diagonal().copy(), starts, pairs, np.arange(len(pairs)), weights, COSTS, leads, seeds, 1e-6, 10**7,
        np.zeros(1, bool), Workspace.empty(largest, len(pairs), n_fits, len(COSTS)), coef, intercepts, steps,
    )  # fmt: skip
    return coef, intercepts, steps, seeds


@pytest.mark.parametrize("sizes", [[40, 40], [10, 70, 33], [1, 20, 2, 31]])
def test_every_pair_is_its_own_problem(sizes):
    starts = np.concatenate([[0], np.cumsum(sizes)])
    X, _ = rings(starts[-1], len(sizes))
    K, y = rbf(X, 1.0), np.repeat(np.arange(len(sizes)), sizes)
    coef, intercepts, steps, seeds = solved(K, starts, np.ones((1, len(y))))
    assert (steps[0, 0] > 0).all()
    for number, (a, b) in enumerate(combinations(range(len(sizes)), 2)):
        rows = np.flatnonzero((y == a) | (y == b))
        for at, C in enumerate(COSTS):
            theirs = SVC(C=C, kernel="precomputed", tol=1e-6).fit(K[np.ix_(rows, rows)], y[rows])
            mine = np.where(y[rows] == a, coef[0, b - 1, at, rows], coef[0, a, at, rows])
            beta = np.zeros(len(rows))
            beta[theirs.support_] = -theirs.dual_coef_[0]
            np.testing.assert_allclose(K[np.ix_(rows, rows)] @ mine, K[np.ix_(rows, rows)] @ beta, atol=1e-3)
            assert intercepts[0, at, number] == pytest.approx(-theirs.intercept_[0], abs=1e-3)
    assert (seeds.beta == coef[0]).all()


def test_fits_that_follow():
    sizes = [30, 41, 25]
    starts = np.concatenate([[0], np.cumsum(sizes)])
    X, _ = rings(starts[-1], 3)
    K = rbf(X, 1.0)
    weights = np.array([np.arange(starts[-1]) % 4 != f for f in range(4)], float)
    *_, seeds = solved(K, starts, np.ones((1, starts[-1])))
    coef, intercepts, *_ = solved(K, starts, weights, seeds=seeds, leads=False)
    for f in range(4):
        alone, b, *_ = solved(K, starts, weights[f : f + 1])
        np.testing.assert_allclose(np.einsum("pcn,nm->pcm", coef[f] - alone[0], K), 0, atol=2e-3)
        np.testing.assert_allclose(intercepts[f], b[0], atol=2e-3)
        assert (coef[f][..., weights[f] == 0] == 0).all()
