"""Solve one problem at rising costs, each from the solution before.

The coefficients of the smaller cost are scaled by the factor that raises the dual objective most. Where no coefficient
is at its bound, a larger cost changes nothing, and nothing is done. A problem never starts from the solution on other
rows: that would have seen labels which this one must not know, and leave a trace of them within the tolerance.

References
----------
DeCoste and Wagstaff (2000). Alpha seeding for support vector machines. KDD. (where folds are seeded as well)
"""

from numba import njit

from foldless.solvers.kernel_svm.shrinking import solve_shrinking
from foldless.solvers.kernel_svm.smo import intercept
from foldless.solvers.lanes import KERNEL


@njit(**KERNEL)
def solve_path(K, diagonal, y, weights, costs, state, room, tol, max_steps, halt, betas, intercepts, steps):
    """Solve for rising costs; a row has a cost times its weight. Nothing more is solved once ``halt`` is set."""
    for at in range(costs.shape[0]):
        if halt[0]:
            return
        binding = at == 0 or at_bounds(state) > 0
        for t in range(y.shape[0]):
            bound = y[t] * costs[at] * weights[t]
            state.lower[t], state.upper[t] = min(0.0, bound), max(0.0, bound)
        if at == 0:
            state.beta[:] = 0
            state.residuals[:] = y
        elif binding:
            grow(y, state, costs[at] / costs[at - 1])
        steps[at] = solve_shrinking(K, diagonal, state, room, tol, max_steps)
        betas[at] = state.beta
        intercepts[at] = intercept(state)


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
