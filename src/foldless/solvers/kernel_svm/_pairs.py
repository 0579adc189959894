"""Every pair of classes is a problem on the rows of two classes of one Gram matrix, for many training sets and costs.

The block of a pair and a training set is copied to where the cache holds it: a problem is made of the rows that the set
has and of nothing else, so that not a digit of its solution depends on the labels of other rows. Coefficients of row t
in the machine of its class a against class b go to ``coef[fit, partner, cost, t]``, where the partner is b − 1 if
b > a, else b: no row has a machine against its own class.
"""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from foldless.solvers._lanes import KERNEL
from foldless.solvers.kernel_svm._shrinking import ActiveRows
from foldless.solvers.kernel_svm._smo import SmoState, first_rows, padded
from foldless.solvers.kernel_svm._warm_starts import PairProblem, PathSolution, solve_path


class GramRows(NamedTuple):
    """A Gram matrix, the place in it of every row, and the pairs of classes.

    Rows are sorted by class: those of class k are at ``starts[k]:starts[k + 1]``.
    """

    gram: NDArray[np.float32]
    places: NDArray[np.int64]
    starts: NDArray[np.int64]
    pairs: NDArray[np.int64]


class Solutions(NamedTuple):
    """Coefficients of shape (fits, classes − 1, costs, rows); intercepts and steps of shape (fits, costs, pairs)."""

    coef: NDArray[np.float64]
    intercepts: NDArray[np.float64]
    steps: NDArray[np.int64]


class Workspace(NamedTuple):
    """Where the problems of pairs are put, one after the other."""

    rows: NDArray[np.int64]
    columns: NDArray[np.int64]
    gram: NDArray[np.float32]
    diagonal: NDArray[np.float32]
    y: NDArray[np.float64]
    weights: NDArray[np.float64]
    betas: NDArray[np.float64]
    state: SmoState
    active: ActiveRows

    @classmethod
    def empty(cls, n: int, n_costs: int) -> "Workspace":
        """For pairs of at most n rows."""
        m = padded(n)
        return cls(
            np.empty(m, np.int64),
            np.empty(m, np.int64),
            np.empty(m * m, np.float32),
            np.empty(m, np.float32),
            np.empty(m),
            np.empty(m),
            np.empty(n_costs * m),
            SmoState.empty(m),
            ActiveRows.empty(m),
        )


@njit(**KERNEL)
def solve_pairs(rows, numbers, weights, costs, stopping, work, out):
    """Solve the pairs with these numbers for every row of weights, which is a training set, and every cost.

    Where ``stopping.halt`` was set, what is written is of no use.
    """
    n_costs = costs.shape[0]
    for number in numbers:
        a, b = rows.pairs[number, 0], rows.pairs[number, 1]
        for fit in range(weights.shape[0]):
            n_a = choose(weights[fit], rows.starts[a], rows.starts[a + 1], work.rows, 0)
            n = choose(weights[fit], rows.starts[b], rows.starts[b + 1], work.rows, n_a)
            if n == 0:
                continue
            m = padded(n)
            K = copy_problem(rows.gram, rows.places, weights[fit], n_a, n, m, work)
            betas = work.betas[: n_costs * m].reshape(n_costs, m)
            solve_path(
                PairProblem(K, work.diagonal[:m], work.y[:m], work.weights[:m]),
                costs,
                first_rows(work.state, m),
                work.active,
                stopping,
                PathSolution(betas, out.intercepts[fit, :, number], out.steps[fit, :, number]),
            )
            for s in range(n):
                t, partner = work.rows[s], b - 1 if s < n_a else a
                for at in range(n_costs):
                    out.coef[fit, partner, at, t] = betas[at, s]


@njit(**KERNEL, inline="always")
def choose(weights, start, stop, rows, n):
    """Write the rows of a class that a training set has behind the first n; how many there are then."""
    for t in range(start, stop):
        if weights[t] > 0:
            rows[n] = t
            n += 1
    return n


@njit(**KERNEL, inline="always")
def copy_problem(gram, places, weights, n_a, n, m, work):
    """Copy what belongs to the n rows chosen, up to m with rows that weigh nothing; the block of the Gram matrix."""
    for s in range(m):
        t = work.rows[min(s, n - 1)]
        work.columns[s] = places[t]
        work.y[s] = 1 if s < n_a else -1
        work.weights[s] = weights[t] if s < n else 0
    K = work.gram[: m * m].reshape(m, m)
    for s in range(m):
        values, block = gram[work.columns[s]], K[s]
        for u in range(m):
            block[u] = values[work.columns[u]]
        work.diagonal[s] = block[s]
    return K
