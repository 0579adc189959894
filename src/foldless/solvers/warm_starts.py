"""Solve one problem on many training sets at many costs, each from the best solution at hand.

At a larger cost the coefficients of the smaller one are scaled by the factor that raises the dual objective most. A
training set that lacks some rows may also start from the solution on another set: the coefficient of each row that is
missing is handed to the row that loses least, so that Σ β = 0 holds throughout. Of the two the start with the larger
objective is taken. Where no coefficient is at its bound, a larger cost changes nothing, and nothing is done.

References
----------
DeCoste and Wagstaff (2000). Alpha seeding for support vector machines. KDD.
"""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from foldless.solvers.extremes import larger, place_of, placed
from foldless.solvers.lanes import KERNEL
from foldless.solvers.shrinking import solve_shrinking
from foldless.solvers.smo import FAR, intercept, look_at_bounds, move


class Seeds(NamedTuple):
    """Solutions of one training set at every cost, and their residuals."""

    beta: NDArray[np.float64]
    residuals: NDArray[np.float64]


@njit(**KERNEL)
def solve_all(
    K, diagonal, y, weights, costs, seeds, leads, state, spare, room, tol, max_steps, halt, betas, intercepts, steps
):
    """Solve for every row of weights (0 where a row is missing) and for rising costs.

    A training set that leads writes the seeds, the others read them. Nothing more is solved once ``halt`` is set.
    """
    for fit in range(weights.shape[0]):
        for at in range(costs.shape[0]):
            if halt[0]:
                return
            binding = at == 0 or at_bounds(state) > 0
            for t in range(y.shape[0]):
                bound = y[t] * costs[at] * weights[fit, t]
                state.lower[t], state.upper[t] = min(0.0, bound), max(0.0, bound)
            if at == 0:
                state.beta[:] = 0
                state.residuals[:] = y
            elif binding:
                grow(y, state, costs[at] / costs[at - 1])
            if binding and not leads:
                seed(K, diagonal, y, seeds, at, state, spare)
            steps[fit, at] = solve_shrinking(K, diagonal, state, room, tol, max_steps)
            betas[fit, at] = state.beta
            intercepts[fit, at] = intercept(state)
            if leads:
                seeds.beta[at] = state.beta
                seeds.residuals[at] = state.residuals


@njit(**KERNEL)
def at_bounds(state):
    """How many coefficients are as large as they may be."""
    n = 0
    for t in range(state.beta.shape[0]):
        n += state.beta[t] != 0 and (state.rising[t] < 0 or state.falling[t] > 0)
    return n


@njit(**KERNEL)
def grow(y, state, ratio):
    """Scale all coefficients by the best factor from 1 to the ratio of the costs."""
    linear, quadratic = 0.0, 0.0
    for t in range(y.shape[0]):
        linear += y[t] * state.beta[t]
        quadratic += state.beta[t] * (y[t] - state.residuals[t])
    factor = ratio if ratio * quadratic < linear else max(linear / quadratic, 1.0)
    for t in range(y.shape[0]):
        state.beta[t] *= factor
        state.residuals[t] = y[t] - factor * (y[t] - state.residuals[t])


@njit(**KERNEL)
def seed(K, diagonal, y, seeds, at, state, spare):
    """Start from another training set's solution, where that is better than what there is."""
    before = objective(y, state)
    spare.beta[:], spare.residuals[:] = state.beta, state.residuals
    state.beta[:], state.residuals[:] = seeds.beta[at], seeds.residuals[at]
    if not hand_over(K, diagonal, state) or objective(y, state) < before:
        state.beta[:], state.residuals[:] = spare.beta, spare.residuals


@njit(**KERNEL)
def objective(y, state):
    """The dual objective Σ yβ − ½ βᵀKβ, where Kβ = y − r."""
    total = 0.0
    for t in range(y.shape[0]):
        total += state.beta[t] * (y[t] + state.residuals[t])
    return total / 2


@njit(**KERNEL)
def hand_over(K, diagonal, state):
    """Bring all coefficients within their bounds, handing what is too much to other rows; False where none has room."""
    look_at_bounds(state, 0, state.beta.shape[0])
    for t in range(state.beta.shape[0]):
        while state.beta[t] > state.upper[t] or state.beta[t] < state.lower[t]:
            up = state.beta[t] > state.upper[t]
            excess = state.beta[t] - (state.upper[t] if up else state.lower[t])
            shut = state.rising if up else state.falling
            to = receiver(state, excess, K[t], diagonal, shut)
            if shut[to] != 0:
                return False
            room = (state.upper[to] if up else state.lower[to]) - state.beta[to]
            part = min(excess, room) if up else max(excess, room)
            state.beta[to] += part
            state.beta[t] -= part
            look_at_bounds(state, to, to + 1)
            look_at_bounds(state, t, t + 1)
            move(state, part, K[to], K[t])
    return True


@njit(**KERNEL)
def receiver(state, excess, K_t, diagonal, shut):
    """The row that makes most of what another one hands over: largest change of the objective per unit."""
    residuals = state.residuals
    sign, size = (1.0, excess) if excess > 0 else (-1.0, -excess)
    best = -2 * FAR
    for s in range(residuals.shape[0]):
        gain = sign * (residuals[s] + shut[s]) - size * (0.5 * np.float64(diagonal[s]) - np.float64(K_t[s]))
        best = larger(best, placed(gain, s))
    return place_of(best)
