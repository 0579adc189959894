"""Wherever a solution is started from, it ends at the same optimum, in fewer steps."""

import numpy as np
import pytest
from helpers.kernel_problems import dual, problem, rbf, rings

from foldless.solvers.kernel_svm._shrinking import ActiveRows
from foldless.solvers.kernel_svm._warm_starts import PairProblem, PathSolution, Stopping, grow, solve_path

N, COSTS = 120, np.array([0.01, 0.3, 3.0, 100.0, 1e4])


def solve_along(K, y, weights, costs, *, tol=1e-6, halt=False):
    gram, diagonal, signs, state = problem(K, y, 1.0)
    m = len(gram)
    own = np.zeros(m)
    own[: len(y)] = weights
    out = PathSolution(np.zeros((len(costs), m)), np.zeros(len(costs)), np.zeros(len(costs), np.int64))
    stopping = Stopping(tol, 10**7, np.array([halt]))
    solve_path(PairProblem(gram, diagonal, signs, own), costs, state, ActiveRows.empty(m), stopping, out)
    return out.betas[:, : len(y)], out.intercepts, out.steps


@pytest.mark.slow
@pytest.mark.parametrize("gamma", [0.01, 1.0, 100.0])
def test_warm_equals_cold(gamma):
    X, y = rings(N, 2)
    K, signs = rbf(X, gamma), np.where(y == 0, 1.0, -1.0)
    weights = 1.0 + np.arange(N) % 3  # rows that count twice or three times, as in a bootstrap sample
    warm, b_warm, n_warm = solve_along(K, y, weights, COSTS)
    for at, cost in enumerate(COSTS):
        cold, b_cold, _ = solve_along(K, y, weights, COSTS[at : at + 1])
        beta = warm[at]
        assert dual(K, signs, beta) == pytest.approx(dual(K, signs, cold[0]), rel=1e-5)
        assert abs(beta.sum()) < 1e-9 * cost
        assert (np.abs(beta) <= cost * weights * (1 + 1e-12)).all()
        assert b_warm[at] == pytest.approx(b_cold[0], abs=0.02)
    assert (n_warm >= 0).all()


@pytest.mark.slow
def test_near_costs_take_fewer_steps_together():
    X, y = rings(N, 2)
    K, costs = rbf(X, 1.0), np.geomspace(1, 16, 9)
    *_, together = solve_along(K, y, np.ones(N), costs)
    alone = [solve_along(K, y, np.ones(N), np.array([cost]))[2].sum() for cost in costs]
    assert together.sum() < sum(alone)


@pytest.mark.slow
def test_a_cost_that_no_coefficient_reaches_takes_no_step():
    X, y = rings(N, 2)
    betas, _, steps = solve_along(rbf(X, 100.0), y, np.ones(N), np.array([1e3, 1e4, 1e5]))
    assert steps[0] > 0
    assert steps[1:].tolist() == [0, 0]
    assert (betas[1] == betas[0]).all()


def test_nothing_is_solved_after_a_halt():
    X, y = rings(N, 2)
    betas, _, steps = solve_along(rbf(X, 1.0), y, np.ones(N), COSTS, halt=True)
    assert not betas.any()
    assert not steps.any()


def test_growing_takes_the_best_factor():
    X, y = rings(N, 2)
    gram, diagonal, signs, state = problem(rbf(X, 1.0), y, 10.0)
    rng = np.random.default_rng(0)
    for ratio in (1.5, 4.0, 10.0):
        beta = np.zeros(len(gram))
        beta[:N] = signs[:N] * rng.random(N) * 0.05
        beta[:N] -= beta[:N].mean()
        beta[:N] *= np.sign(beta[:N]) == signs[:N]
        state.beta[:], state.residuals[:] = beta, signs - gram.astype(float) @ beta
        grow(signs, state, ratio)
        factor = state.beta[np.abs(beta).argmax()] / beta[np.abs(beta).argmax()]
        assert 1 <= factor <= ratio * (1 + 1e-12)
        factors = np.linspace(1, ratio, 101)
        values = [dual(gram, signs, f * beta) for f in factors]
        assert dual(gram, signs, factor * beta) >= max(values) - 1e-9
        np.testing.assert_allclose(state.residuals, signs - gram.astype(float) @ state.beta, atol=1e-9)


def test_rounding_does_not_free_a_coefficient_from_its_bound():
    X, y = rings(N, 2)
    costs = np.array([0.1, 0.3, 0.7])
    betas, _, steps = solve_along(rbf(X, 1e-3), y, np.ones(N), costs)
    for at, cost in enumerate(costs):
        assert set(np.abs(betas[at])) == {cost}  # rows are alike, so all are at their bound
    assert steps[1:].tolist() == [0, 0]
