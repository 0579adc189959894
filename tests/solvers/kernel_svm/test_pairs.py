"""Pairs on one Gram matrix give what each gives on a matrix of its own, wherever its rows are."""

from itertools import combinations

import numpy as np
import pytest
from helpers.kernel_problems import rbf, rings
from sklearn.svm import SVC

from foldless.solvers.kernel_svm._pairs import GramRows, Solutions, Workspace, solve_pairs
from foldless.solvers.kernel_svm._smo import padded
from foldless.solvers.kernel_svm._warm_starts import Stopping

COSTS = np.array([0.1, 10.0])


def solved(K, starts, weights, places=None):
    k, n = len(starts) - 1, len(K)
    pairs = np.array(list(combinations(range(k), 2)))
    n_fits = len(weights)
    shape = n_fits, len(COSTS), len(pairs)
    out = Solutions(np.zeros((n_fits, k - 1, len(COSTS), n)), np.zeros(shape), np.zeros(shape, np.int64))
    largest = int(np.diff(starts)[pairs].sum(axis=1).max())
    m = padded(n)
    gram, places = np.zeros((m, m), np.float32), np.arange(n) if places is None else places
    gram[np.ix_(places, places)] = K
    stopping, work = Stopping(1e-6, 10**7, np.zeros(1, bool)), Workspace.empty(largest, len(COSTS))
    solve_pairs(GramRows(gram, places, starts, pairs), np.arange(len(pairs)), weights, COSTS, stopping, work, out)
    return out


@pytest.mark.parametrize("sizes", [[40, 40], [10, 70, 33], [1, 20, 2, 31]])
def test_every_pair_is_its_own_problem(sizes):
    starts = np.concatenate([[0], np.cumsum(sizes)])
    X, _ = rings(starts[-1], len(sizes))
    K, y = rbf(X, 1.0), np.repeat(np.arange(len(sizes)), sizes)
    coef, intercepts, steps = solved(K, starts, np.ones((1, len(y))))
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


def test_a_training_set_knows_its_own_rows_only():
    """Among others, and wherever its rows are, it has the solution of its rows alone, to the last digit."""
    sizes = [30, 41, 25]
    starts = np.concatenate([[0], np.cumsum(sizes)])
    X, _ = rings(starts[-1], 3)
    K, y = rbf(X, 1.0), np.repeat(np.arange(3), sizes)
    weights = np.array([np.arange(starts[-1]) % 4 != f for f in range(4)], float)
    weights[2] *= 1 + np.arange(starts[-1]) % 3  # rows that count twice or three times, as in a bootstrap sample
    coef, intercepts, steps = solved(K, starts, weights, np.random.default_rng(0).permutation(starts[-1]))
    for f, own in enumerate(weights):
        rows = np.flatnonzero(own)
        alone = solved(K[np.ix_(rows, rows)], np.searchsorted(y[rows], range(4)), own[None, rows])
        assert (coef[f][..., rows] == alone[0][0]).all()
        assert (intercepts[f] == alone[1][0]).all()
        assert (steps[f] == alone[2][0]).all()
        assert (coef[f][..., own == 0] == 0).all()


def test_a_pair_without_rows_is_left_alone():
    X, _ = rings(60, 3)
    coef, intercepts, steps = solved(rbf(X, 1.0), np.array([0, 20, 40, 60]), np.repeat([[1.0, 0, 0]], 20, 1))
    assert not coef.any()
    assert not steps.any()
