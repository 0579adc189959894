"""Leaving rows out changes the way, not the end."""

import numpy as np
import pytest
from helpers.kernel_problems import dual, problem, rbf, rings

from foldless.solvers.kernel_svm._shrinking import ActiveRows, choose, solve_shrinking
from foldless.solvers.kernel_svm._smo import solve

STEPS = 1_000_000


@pytest.mark.parametrize("gamma", [0.01, 1.0])
@pytest.mark.parametrize("C", [0.01, 1.0, 1e3])
def test_the_same_optimum_as_with_all_rows(gamma, C):
    X, y = rings(300, 2, noise=0.15)
    K = rbf(X, gamma)
    gram, diagonal, signs, whole = problem(K, y, C)
    assert solve(gram, diagonal, whole, 1e-5, STEPS) > 0
    *_, state = problem(K, y, C)
    active = ActiveRows.empty(len(gram))
    assert solve_shrinking(gram, diagonal, state, active, 1e-5, STEPS) > 0
    low, other = (dual(K, signs[:300], solved.beta[:300]) for solved in (state, whole))
    assert low == pytest.approx(other, rel=1e-5)
    assert abs(state.beta.sum()) < 1e-9 * C
    np.testing.assert_allclose(state.residuals, signs - gram.astype(float) @ state.beta, atol=1e-9 * (1 + C))
    movable = np.max((state.residuals + state.rising)[:300]) - np.min((state.residuals + state.falling)[:300])
    assert movable < 1e-5  # over all rows, not only those that were left


def test_most_rows_are_left_out_near_the_end():
    X, y = rings(300, 2, noise=0.15)
    gram, diagonal, _, state = problem(rbf(X, 1.0), y, 1e3)
    solve(gram, diagonal, state, 1e-2, STEPS)
    most, least = np.max(state.residuals + state.rising), np.min(state.residuals + state.falling)
    rows = np.empty(len(gram), np.int64)
    n = choose(state, most, least, rows)
    free = np.flatnonzero((state.rising == 0) & (state.falling == 0))
    assert set(free) <= set(rows[:n])
    assert n < 150


def test_steps_that_do_not_do_are_negative():
    X, y = rings(300, 2)
    gram, diagonal, _, state = problem(rbf(X, 1.0), y, 10.0)
    assert solve_shrinking(gram, diagonal, state, ActiveRows.empty(len(gram)), 1e-3, 7) == -7
