"""One-vs-one over one Gram matrix: every pair of classes is a problem on a block of it, for many fits and costs.

Rows are sorted by class, so the rows of a pair are two slices. Threads take pairs, and parts of the fits where pairs
are few. A fit never depends on the others: it is solved on its own rows, and its votes are counted on their own.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from itertools import combinations, pairwise, product

import numpy as np
from numpy.typing import NDArray

from foldless.core import Array
from foldless.learners.kernel_svm._kernels import in_blocks
from foldless.solvers.kernel_svm._pairs import GramRows, Solutions, Workspace, solve_pairs
from foldless.solvers.kernel_svm._votes import elect, score
from foldless.solvers.kernel_svm._warm_starts import Stopping

STEPS = 10_000_000  # of SMO where max_iter is −1, as in libsvm
SHARES = 4  # pieces of work for each thread: all end at about the same time


@dataclass(frozen=True, eq=False)
class Machines:
    """Solved fits: coefficients of every row in the machines of its class against the others.

    ``coef`` has the shape (fits, classes − 1, costs, rows), partners in the order that `solvers.pairs` tells; rows of
    class k are at ``starts[k]:starts[k + 1]``. Intercepts and steps have the shape (fits, costs, pairs); ``present``
    tells which classes a fit has rows of.
    """

    coef: Array
    intercepts: Array
    steps: Array
    present: Array
    starts: Array

    @classmethod
    def empty(cls, starts: Array, weights: Array, n_costs: int) -> "Machines":
        """To be filled: a fit for every row of weights."""
        n_fits, n_classes = len(weights), len(starts) - 1
        n_pairs = n_classes * (n_classes - 1) // 2
        return cls(
            np.zeros((n_fits, n_classes - 1, n_costs, starts[-1])),
            np.zeros((n_fits, n_costs, n_pairs)),
            np.zeros((n_fits, n_costs, n_pairs), np.int64),
            np.add.reduceat(weights, starts[:-1], axis=1) > 0,
            starts,
        )

    def only(self, fit: int) -> tuple["Machines", Array]:
        """One fit with its support vectors only, and the rows that these are."""
        at = slice(fit, fit + 1)
        used = np.flatnonzero(self.coef[fit].any(axis=(0, 1)))
        starts = np.searchsorted(used, self.starts)
        only = Machines(self.coef[at][..., used], self.intercepts[at], self.steps[at], self.present[at], starts)
        return only, used

    def alone(self, fit: int, at: int) -> "Machine":
        """One fit at one cost, with the classes that it has rows of."""
        present = self.present[fit]
        coef = self.coef[fit, :, at]
        support = [
            start + np.flatnonzero(coef[:, start:stop].any(axis=0))
            for start, stop, here in zip(self.starts[:-1], self.starts[1:], present, strict=True)
            if here
        ]
        dual = [coef[np.delete(present, k)][:, rows] for rows, k in zip(support, np.flatnonzero(present), strict=True)]
        both = [present[a] and present[b] for a, b in combinations(range(len(present)), 2)]
        return Machine(
            np.concatenate(support),
            np.array([len(rows) for rows in support], np.int32),
            np.concatenate(dual, axis=1),
            self.intercepts[fit, at, both],
            np.abs(self.steps[fit, at, both]),
        )


@dataclass(frozen=True, eq=False)
class Machine:
    """One solved fit: its support vectors class by class, how many of each, and (classes − 1, rows) coefficients."""

    support: Array
    counts: Array
    dual: Array
    intercepts: Array
    steps: Array

    def by_pair(self) -> Array:
        """The coefficients of the support vectors in the machine of every pair of classes."""
        classes = np.repeat(np.arange(len(self.counts)), self.counts)
        pairs = combinations(range(len(self.counts)), 2)
        return np.stack([np.where(classes == a, self.dual[b - 1], (classes == b) * self.dual[a]) for a, b in pairs])

    def as_machines(self) -> Machines:
        """For elections, with the support vectors in place of all rows."""
        present = np.ones((1, len(self.counts)), bool)
        starts = np.concatenate([[0], np.cumsum(self.counts)])
        coef = self.dual[None, :, None]
        return Machines(coef, self.intercepts[None, None], self.steps[None, None], present, starts)


class Pairs:
    """All pairs of classes on one Gram matrix, solved for the fits of one batch.

    ``places`` tells where in the matrix each of the rows is, which are sorted by class.
    """

    def __init__(
        self,
        gram: NDArray[np.float32],
        places: Array,
        starts: Array,
        costs: Sequence[float],
        tol: float,
        max_iter: int,
        pool: Executor,
        n_threads: int,
    ):
        pairs = np.array(list(combinations(range(len(starts) - 1), 2)))
        self.rows = GramRows(gram, places, starts, pairs)
        self.sizes = np.diff(starts)[pairs].sum(axis=1)
        self.costs = np.array(costs)
        self.tol, self.max_steps = tol, STEPS if max_iter == -1 else max_iter
        self.pool, self.n_threads = pool, n_threads

    def solve(self, weights: Array) -> Machines:
        n_fits, n_costs = len(weights), len(self.costs)
        solved = Machines.empty(self.rows.starts, weights, n_costs)
        n_shares = SHARES * self.n_threads
        n_parts = min(n_fits, -(-n_shares // len(self.sizes)))
        cuts = np.linspace(0, n_fits, n_parts + 1).astype(int).tolist()
        largest_first = np.argsort(-self.sizes, kind="stable")
        shares = [largest_first[at::n_shares].copy() for at in range(min(n_shares, len(self.sizes)))]
        stopping = Stopping(self.tol, self.max_steps, np.zeros(1, bool))

        def work(item: tuple[Array, tuple[int, int]]) -> None:
            numbers, fits = item[0], slice(*item[1])
            space = Workspace.empty(int(self.sizes[numbers].max()), n_costs)
            out = Solutions(solved.coef[fits], solved.intercepts[fits], solved.steps[fits])
            solve_pairs(self.rows, numbers, weights[fits], self.costs, stopping, space, out)

        try:
            list(self.pool.map(work, product(shares, pairwise(cuts))))
        except BaseException:  # Ctrl-C reaches this thread only
            stopping.halt[0] = True
            raise
        return solved


class Election:
    """Labels or scores of many rows by one fit, written block by block.

    ``columns`` are the columns of the kernel that are its support vectors; None if all are.
    """

    def __init__(self, machines: Machines, n_rows: int, *, scores: bool, columns: Array | None = None):
        self.machines, self.columns = machines, columns
        _, partners, n_costs, _ = machines.coef.shape
        self.labels = np.empty((n_rows, n_costs), np.int32)
        self.scores = np.empty((n_rows if scores else 0, n_costs, partners + 1))

    def write(self, rows: slice, kernel: Array) -> None:
        """Count the votes for rows whose kernel with the support vectors, or more rows, is given."""
        starts, coef = self.machines.starts, self.machines.coef[0]
        if self.columns is not None:
            kernel = kernel.take(self.columns, axis=1).astype(np.float64, copy=False)
        partners, n_costs, _ = coef.shape
        products = np.empty((partners + 1, len(kernel), partners * n_costs))
        for k, out in enumerate(products):
            rows_of_class = slice(int(starts[k]), int(starts[k + 1]))
            np.matmul(kernel[:, rows_of_class], coef[..., rows_of_class].reshape(partners * n_costs, -1).T, out=out)
        products = products.reshape(partners + 1, len(kernel), partners, n_costs)
        intercepts, present = self.machines.intercepts[0], self.machines.present[0]
        elect(products, intercepts, present, np.empty((n_costs, partners + 1), np.int64), self.labels[rows])
        if self.scores.size:
            score(products, intercepts, present, np.empty((n_costs, partners + 1)), self.scores[rows])


def stretches(
    elections: Sequence[Election], kernel_of: Callable[[slice], Array], n_anchors: int
) -> list[Callable[[], None]]:
    """Cut elections about the same rows into pieces of work that share their kernel values, of so many columns."""
    _, partners, n_costs, _ = elections[0].machines.coef.shape

    def write(rows: slice) -> None:
        kernel = kernel_of(rows)
        for election in elections:
            election.write(rows, kernel)

    width = max(n_anchors, n_costs * partners * (partners + 1))
    return [partial(write, rows) for rows in in_blocks(len(elections[0].labels), width)]
