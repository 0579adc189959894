"""Solve one problem at rising costs, each from the solution before.

The coefficients of the smaller cost are scaled by the factor that raises the dual objective most. Where no coefficient
is at its bound, a larger cost changes nothing, and nothing is done. A problem never starts from the solution on other
rows: that would have seen labels which this one must not know, and leave a trace of them within the tolerance.

References
----------
DeCoste and Wagstaff (2000). Alpha seeding for support vector machines. KDD. (where folds are seeded as well)
"""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from foldless.solvers._lanes import KERNEL
from foldless.solvers.kernel_svm._shrinking import solve_shrinking
from foldless.solvers.kernel_svm._smo import intercept


class PairProblem(NamedTuple):
    """Two classes: their Gram matrix and its diagonal, y = ±1 of every row, and what multiplies its cost."""

    K: NDArray[np.float32]
    diagonal: NDArray[np.float32]
    y: NDArray[np.float64]
    weights: NDArray[np.float64]


class Stopping(NamedTuple):
    """How far residuals may differ, the most steps for one cost, and a flag that ends all work once it is set."""

    tol: float
    max_steps: int
    halt: NDArray[np.bool_]


class PathSolution(NamedTuple):
    """For every cost: coefficients, intercept, and the steps it took, negative where they were too few."""

    betas: NDArray[np.float64]
    intercepts: NDArray[np.float64]
    steps: NDArray[np.int64]


@njit(**KERNEL, inline="always")
def solve_path(problem, costs, state, active, stopping, out):
    """Solve for rising costs, and write the solutions."""
    y = problem.y
    for at in range(costs.shape[0]):
        if stopping.halt[0]:
            return
        binding = at == 0 or at_bounds(state) > 0
        for t in range(y.shape[0]):
            bound = y[t] * costs[at] * problem.weights[t]
            state.lower[t], state.upper[t] = min(0.0, bound), max(0.0, bound)
        if at == 0:
            for t in range(
                y.shape[0]
            ):  # Numba compiles a loop three seconds sooner than a slice, whose errors have texts
                state.beta[t], state.residuals[t] = 0.0, y[t]
        elif binding:
            grow(y, state, costs[at] / costs[at - 1])
        out.steps[at] = solve_shrinking(problem.K, problem.diagonal, state, active, stopping.tol, stopping.max_steps)
        out.intercepts[at] = intercept(state)
        for t in range(y.shape[0]):
            out.betas[at, t] = state.beta[t]


@njit(**KERNEL, inline="always")
def at_bounds(state):
    """How many coefficients are as large as they may be."""
    n = 0
    for t in range(state.beta.shape[0]):
        n += state.beta[t] != 0 and (state.rising[t] < 0 or state.falling[t] > 0)
    return n


@njit(**KERNEL, inline="always")
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
