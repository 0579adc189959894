"""Wherever a solution is started from, it ends at the same optimum, in fewer steps."""

import numpy as np
import pytest
from kernel_problems import dual, problem, rbf, rings

from foldless.solvers.shrinking import Room
from foldless.solvers.smo import State, look_at_bounds
from foldless.solvers.warm_starts import Seeds, grow, hand_over, objective, solve_all

N, COSTS = 120, np.array([0.01, 0.3, 3.0, 100.0, 1e4])


def solve_many(K, y, weights, costs, *, seeds=None, leads=False, tol=1e-6, halt=False):
    gram, diagonal, signs, state = problem(K, y, 1.0)
    m = len(gram)
    own = np.zeros((len(weights), m))
    own[:, : len(y)] = weights
    seeds = seeds or Seeds(*np.zeros((2, len(costs), m)))
    betas, intercepts = np.zeros((len(own), len(costs), m)), np.zeros((len(own), len(costs)))
    steps = np.zeros(intercepts.shape, np.int64)
    solve_all(
        gram, diagonal, signs, own, costs, seeds, leads, state, State.empty(m), Room.empty(m), tol, 10**7,
        np.array([halt]), betas, intercepts, steps,
    )  # fmt: skip
    return betas[..., : len(y)], intercepts, steps, seeds


@pytest.mark.parametrize("gamma", [0.01, 1.0, 100.0])
def test_warm_equals_cold(gamma):
    X, y = rings(N, 2)
    K, signs = rbf(X, gamma), np.where(y == 0, 1.0, -1.0)
    fold = np.random.default_rng(0).permutation(N) % 5
    weights = np.array([fold != f for f in range(5)], float)
    weights[1] *= 1 + np.arange(N) % 3  # rows that count twice or three times, as in a bootstrap sample
    *_, seeds = solve_many(K, y, np.ones((1, N)), COSTS, leads=True)
    warm, b_warm, n_warm, _ = solve_many(K, y, weights, COSTS, seeds=seeds)
    n_cold = 0
    for f in range(5):
        for at, cost in enumerate(COSTS):
            cold, b_cold, steps, _ = solve_many(K, y, weights[f : f + 1], COSTS[at : at + 1], leads=True)
            n_cold += steps.sum()
            beta = warm[f, at]
            assert dual(K, signs, beta) == pytest.approx(dual(K, signs, cold[0, 0]), rel=1e-5)
            assert abs(beta.sum()) < 1e-9 * cost
            assert (beta[weights[f] == 0] == 0).all()
            assert (np.abs(beta) <= cost * weights[f] * (1 + 1e-12)).all()
            assert b_warm[f, at] == pytest.approx(b_cold[0, 0], abs=0.02)
    assert (n_warm >= 0).all()
    assert n_warm.sum() < n_cold


def test_a_cost_that_no_coefficient_reaches_takes_no_step():
    X, y = rings(N, 2)
    betas, _, steps, _ = solve_many(rbf(X, 100.0), y, np.ones((1, N)), np.array([1e3, 1e4, 1e5]), leads=True)
    assert steps[0, 0] > 0
    assert steps[0, 1:].tolist() == [0, 0]
    assert (betas[0, 1] == betas[0, 0]).all()


def test_nothing_is_solved_after_a_halt():
    X, y = rings(N, 2)
    betas, _, steps, _ = solve_many(rbf(X, 1.0), y, np.ones((2, N)), COSTS, leads=True, halt=True)
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
        assert objective(signs, state) == pytest.approx(dual(gram, signs, state.beta))


def test_rounding_does_not_free_a_coefficient_from_its_bound():
    X, y = rings(N, 2)
    costs = np.array([0.1, 0.3, 0.7])
    betas, _, steps, _ = solve_many(rbf(X, 1e-3), y, np.ones((1, N)), costs, leads=True)
    for at, cost in enumerate(costs):
        assert set(np.abs(betas[0, at])) == {cost}  # rows are alike, so all are at their bound
    assert steps[0, 1:].tolist() == [0, 0]


def test_what_a_missing_row_had_is_handed_over():
    X, y = rings(N, 2)
    gram, diagonal, signs, state = problem(rbf(X, 1.0), y, 1.0)
    state.beta[:N] = signs[:N] * 0.9
    state.residuals[:] = signs - gram.astype(float) @ state.beta
    state.lower[:30] = state.upper[:30] = 0
    assert hand_over(gram, diagonal, state)
    assert (state.beta[:30] == 0).all()
    assert abs(state.beta.sum()) < 1e-12
    assert (state.beta <= state.upper).all()
    assert (state.beta >= state.lower).all()
    np.testing.assert_allclose(state.residuals, signs - gram.astype(float) @ state.beta, atol=1e-9)
    rising, falling = state.rising.copy(), state.falling.copy()
    look_at_bounds(state, 0, len(gram))
    assert (state.rising == rising).all()
    assert (state.falling == falling).all()


def test_a_class_that_is_missing_leaves_nothing():
    X, y = rings(N, 2)
    gram, diagonal, signs, state = problem(rbf(X, 1.0), y, 1.0)
    state.beta[:N] = signs[:N]
    state.residuals[:] = signs - gram.astype(float) @ state.beta
    state.lower[:N:2] = state.upper[:N:2] = 0
    assert hand_over(gram, diagonal, state)
    assert (state.beta == 0).all()


def test_where_no_row_has_room_nothing_is_handed_over():
    X, y = rings(N, 2)
    gram, diagonal, signs, state = problem(rbf(X, 1.0), y, 1.0)
    state.beta[:N] = signs[:N] > 0  # does not sum to zero, so other rows cannot make up for it
    state.residuals[:] = signs - gram.astype(float) @ state.beta
    state.lower[:20] = state.upper[:20] = 0
    assert not hand_over(gram, diagonal, state)
