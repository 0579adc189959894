"""Every pair of classes is a problem on a block of one Gram matrix, whose rows are sorted by class.

The block (if it is not the whole, which has zeros up to a `padded` number of rows) is copied to where the cache holds
it, and solved for all training sets and costs. Coefficients of row t in
the machine of its class a against class b go to ``coef[fit, partner, cost, t]``, where the partner is b − 1 if b > a,
else b: no row has a machine against its own class.
"""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from foldless.solvers.lanes import KERNEL
from foldless.solvers.shrinking import Room
from foldless.solvers.smo import State, first_rows, padded
from foldless.solvers.warm_starts import Seeds, solve_all


class Workspace(NamedTuple):
    """Where the problems of pairs are put, one after the other."""

    rows: NDArray[np.int64]
    gram: NDArray[np.float32]
    diagonal: NDArray[np.float32]
    y: NDArray[np.float64]
    weights: NDArray[np.float64]
    betas: NDArray[np.float64]
    seeds: Seeds
    state: State
    spare: State
    room: Room

    @classmethod
    def empty(cls, n: int, n_pairs: int, n_fits: int, n_costs: int) -> "Workspace":
        """For pairs of at most n rows; a single pair needs no copy of the Gram matrix."""
        m = padded(n)
        return cls(
            np.empty(m, np.int64),
            np.empty(m * m * (n_pairs > 1), np.float32),
            np.empty(m, np.float32),
            np.empty(m),
            np.empty(n_fits * m),
            np.empty(n_fits * n_costs * m),
            Seeds(np.empty(n_costs * m), np.empty(n_costs * m)),
            State.empty(m),
            State.empty(m),
            Room.empty(m),
        )


@njit(**KERNEL)
def solve_pairs(
    gram,
    diagonal,
    starts,
    pairs,
    numbers,
    weights,
    costs,
    leads,
    seeds,
    tol,
    max_steps,
    halt,
    work,
    coef,
    intercepts,
    steps,
):
    """Solve some pairs (their numbers tell where intercepts go) for every row of weights and every cost.

    A training set that leads writes the seeds, which have the shape of its coefficients; the others read them. What is
    left undone where ``halt`` says so is of no use.
    """
    n_fits, n_costs, rows = weights.shape[0], costs.shape[0], work.rows
    for number in numbers:
        a, b = pairs[number]
        n_a, n_b = starts[a + 1] - starts[a], starts[b + 1] - starts[b]
        n, m = n_a + n_b, padded(n_a + n_b)
        own = work.weights[: n_fits * m].reshape(n_fits, m)
        K = gram if len(pairs) == 1 else work.gram[: m * m].reshape(m, m)
        betas = work.betas[: n_fits * n_costs * m].reshape(n_fits, n_costs, m)
        beta = work.seeds.beta[: n_costs * m].reshape(n_costs, m)
        residuals = work.seeds.residuals[: n_costs * m].reshape(n_costs, m)
        for s in range(m):
            rows[s] = starts[a] + s if s < n_a else starts[b] + min(s - n_a, n_b - 1)
            work.y[s] = 1 if s < n_a else -1
        for s in range(m):
            t, partner = rows[s], b - 1 if s < n_a else a
            real = np.float32(s < n)
            work.diagonal[s] = diagonal[t]
            if len(pairs) > 1:
                for u in range(m):
                    K[s, u] = gram[t, rows[u]]
            for fit in range(n_fits):
                own[fit, s] = real * weights[fit, t]
            for at in range(n_costs):
                beta[at, s], residuals[at, s] = real * seeds.beta[partner, at, t], seeds.residuals[partner, at, t]
        solve_all(
            K, work.diagonal[:m], work.y[:m], own, costs, Seeds(beta, residuals), leads,
            first_rows(work.state, m), first_rows(work.spare, m), work.room, tol, max_steps, halt,
            betas, intercepts[:, :, number], steps[:, :, number],
        )  # fmt: skip
        for s in range(n):
            t, partner = rows[s], b - 1 if s < n_a else a
            for at in range(n_costs):
                for fit in range(n_fits):
                    coef[fit, partner, at, t] = betas[fit, at, s]
                if leads:
                    seeds.beta[partner, at, t], seeds.residuals[partner, at, t] = beta[at, s], residuals[at, s]
