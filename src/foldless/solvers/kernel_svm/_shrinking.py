"""SMO on the rows that can still matter, in a matrix of their own.

A row at its bound does not move while its residual keeps it there against all others: these rows are left out, what is
left is copied to where the cache holds it, and solved until residuals differ twenty times less. Then the residuals of
all rows are brought up to date and the choice is made again, until they differ by less than ``tol`` over all rows.

References
----------
Joachims (1999). Making large-scale support vector machine learning practical. Section 11.4, shrinking.
"""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from foldless.solvers._lanes import KERNEL
from foldless.solvers.kernel_svm._smo import SmoState, first_rows, move, padded, solve, update_bounds

CLOSER = 0.05  # how much nearer to each other residuals come before rows are chosen again
WORTH = 0.5  # of the rows: with more of them left a copy does not pay


class ActiveRows(NamedTuple):
    """The rows that can still matter: their numbers, and a problem of their own with its matrix and state."""

    rows: NDArray[np.int64]
    gram: NDArray[np.float32]
    diagonal: NDArray[np.float32]
    state: SmoState

    @classmethod
    def empty(cls, n: int) -> "ActiveRows":
        """Room for the problems that are worth a copy, out of n rows."""
        most = padded(int(WORTH * n))
        return cls(
            np.empty(n, np.int64), np.empty(most**2, np.float32), np.empty(most, np.float32), SmoState.empty(most)
        )


@njit(**KERNEL, inline="always")
def solve_shrinking(K, diagonal, state, active, tol, max_steps):
    """Step until residuals differ by less than ``tol``: the number of steps, negative where they were too few."""
    update_bounds(state, 0, state.beta.shape[0])
    done = 0
    while done < max_steps:
        i, least = move(state, 0.0, K[0], K[0])
        most = state.residuals[i]
        if state.rising[i] < 0 or most - least < tol:
            return done
        goal = max(tol, CLOSER * (most - least))
        n = choose(state, most, least, active.rows)
        if n > WORTH * state.beta.shape[0]:
            done += abs(solve(K, diagonal, state, goal, max_steps - done))
        else:
            done += abs(solve_active(K, diagonal, state, active, n, goal, max_steps - done))
    return -max_steps


@njit(**KERNEL)
def choose(state, most, least, rows):
    """Write the rows that could take part in a step, and return how many they are."""
    n = 0
    for t in range(state.beta.shape[0]):
        r = state.residuals[t]
        if (state.rising[t] == 0 and r > least) or (state.falling[t] == 0 and r < most):
            rows[n] = t
            n += 1
    return n


@njit(**KERNEL)
def solve_active(K, diagonal, state, active, n, tol, max_steps):
    """Solve for some rows with all others fixed, and bring the residuals of all up to date."""
    rows, m = active.rows, padded(n)
    gram, small = active.gram[: m * m].reshape(m, m), first_rows(active.state, m)
    for s in range(n, m):
        small.beta[s] = small.residuals[s] = small.lower[s] = small.upper[s] = active.diagonal[s] = 0
    for s in range(n):
        t = rows[s]
        small.beta[s], small.residuals[s] = state.beta[t], state.residuals[t]
        small.lower[s], small.upper[s] = state.lower[t], state.upper[t]
        active.diagonal[s] = diagonal[t]
        for u in range(n):
            gram[s, u] = K[t, rows[u]]
        for u in range(n, m):
            gram[s, u] = 0
    steps = solve(gram, active.diagonal[:m], small, tol, max_steps)
    for s in range(n):
        t = rows[s]
        change = small.beta[s] - state.beta[t]
        if change != 0:
            K_t, residuals = K[t], state.residuals
            for u in range(residuals.shape[0]):
                residuals[u] -= change * np.float64(K_t[u])
            state.beta[t] = small.beta[s]
            update_bounds(state, t, t + 1)
    return steps
