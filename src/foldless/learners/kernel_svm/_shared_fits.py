"""Solve fits that share their training rows: one Gram matrix for each kernel, for all fits at all costs.

A Gram matrix takes 4 n² bytes, and every thread up to 5 m² for a pair of classes with m rows. Where this is more than
`LIMIT`, or where the matrix would serve few fits, libsvm solves them one by one: it computes kernel rows when it needs
them and caches the last ones.
"""

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import combinations, product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import SVC

from foldless.core import Array
from foldless.core._threads import one_blas_thread, threads
from foldless.learners._inputs import dense
from foldless.learners.kernel_svm._kernels import Kernel, Map, Polynomial, PrecomputedKernel, Rbf, base_of, gram_of
from foldless.learners.kernel_svm._one_vs_one import Machines, Pairs
from foldless.solvers.kernel_svm._smo import padded

LIMIT = 2 * 2**30  # bytes of matrices, and again of coefficients
FEW = 5000**2  # kernel values for each solution: libsvm computes fewer, as most rows support nothing
CACHE = 200  # megabytes of kernel rows for one fit


@dataclass(frozen=True, eq=False)
class TrainingRows:
    """Features, and the rows of them that some fit is trained on, sorted by class.

    Rows of class k are ``rows[starts[k]:starts[k + 1]]``; ``places`` has the place of every row of X among them, or −1.
    ``ascending`` are the same rows sorted by number, which is the order of Gram matrices since labels do not change it;
    ``ranks`` has the place of each of ``rows`` there.
    """

    X: Any
    rows: Array
    classes: Array
    starts: Array
    places: Array
    ascending: Array
    ranks: Array

    @classmethod
    def of(cls, X: Any, sets: Iterable[tuple[Array | None, Array]]) -> "TrainingRows":
        """All rows of some training sets, which agree about their labels; None stands for all rows of X."""
        everything = np.arange(X.shape[0])
        pairs = [(everything if rows is None else rows, y) for rows, y in sets]
        rows, first = np.unique(np.concatenate([rows for rows, _ in pairs]), return_index=True)
        classes, codes = np.unique(np.concatenate([y for _, y in pairs])[first], return_inverse=True)
        order = np.argsort(codes, kind="stable")
        sorted_by_class, starts = rows[order], np.searchsorted(codes[order], np.arange(len(classes) + 1))
        places = np.full(X.shape[0], -1)
        places[sorted_by_class] = np.arange(len(rows))
        return cls(X, sorted_by_class, classes, starts, places, rows, order)

    def spread(self, rows: Array | None, weights: Array) -> Array:
        """The weights of one training set, for all rows; those of rows that occur twice add up."""
        at = self.places if rows is None else self.places[rows]
        return np.bincount(at, weights, minlength=len(self.rows))

    @property
    def codes(self) -> Array:
        return np.repeat(np.arange(len(self.classes)), np.diff(self.starts))


@dataclass(frozen=True, eq=False)
class Grid:
    """Fits with one kernel: a row of weights for each, and the costs at which all are solved.

    ``places`` has the number of the fit and of the cost of each member of a batch.
    """

    kernel: Kernel
    weights: Array
    costs: Sequence[float]
    places: Mapping[int, tuple[int, int]] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class SolvedGrid:
    """Some fits of a grid, by their numbers, the Gram matrix if there is one, and a map over idle threads."""

    fits: Array
    machines: Machines
    gram: NDArray[np.float32] | None
    each: Map


def solve(
    training: TrainingRows, grids: Sequence[Grid], tol: float, max_iter: int
) -> Iterator[tuple[Grid, SolvedGrid]]:
    """Solve grids one after the other, each in pieces whose coefficients fit into memory."""
    n_threads = _threads(training, 1)
    n_values = len(training.rows) ** 2
    shared = [grid for grid in grids if n_threads and n_values <= FEW * len(grid.weights) * len(grid.costs)]
    with ThreadPoolExecutor(n_threads or threads()) as pool, one_blas_thread():
        for grid in grids:
            if grid not in shared:
                for fits in _pieces(training, grid):
                    yield grid, SolvedGrid(fits, solve_alone(training, grid, fits, tol, max_iter, pool), None, pool.map)
        for grid, gram in _grams(training, shared, n_threads, pool.map):
            pairs = Pairs(gram, training.ranks, training.starts, grid.costs, tol, max_iter, pool, n_threads)
            for fits in _pieces(training, grid):
                yield grid, SolvedGrid(fits, pairs.solve(grid.weights[fits]), gram, pool.map)


def _threads(training: TrainingRows, n_matrices: int) -> int:
    """How many threads have room to work beside so many matrices; 0 where these have none."""
    left = LIMIT - n_matrices * 4 * padded(len(training.rows)) ** 2
    largest_pair = int(np.sort(np.diff(training.starts))[-2:].sum())
    return max(0, min(threads(), left // (5 * padded(largest_pair) ** 2)))


def _grams(
    training: TrainingRows, grids: Sequence[Grid], n_threads: int, each: Map
) -> Iterator[tuple[Grid, NDArray[np.float32]]]:
    """The Gram matrix of every grid, in the place of the one before; one base for all, where it costs no thread."""
    if not grids:
        return
    keep = len(grids) > 1 and _threads(training, 2) == n_threads
    m = padded(len(training.rows))
    gram = np.zeros((m, m), np.float32)
    base = np.zeros_like(gram) if keep else gram
    for number, grid in enumerate(grids):
        if number == 0 or not keep:
            base_of(grid.kernel, training.X, training.ascending, base, each)
        gram_of(grid.kernel, base, gram, len(training.rows), each)
        yield grid, gram


def _pieces(training: TrainingRows, grid: Grid) -> list[Array]:
    n, each = len(grid.weights), 8 * len(training.rows) * len(grid.costs) * (len(training.classes) - 1)
    return np.array_split(np.arange(n), -(-n * each // LIMIT))


def solve_alone(training: TrainingRows, grid: Grid, fits: Array, tol: float, max_iter: int, pool: Executor) -> Machines:
    """Solve some fits of a grid, given by their numbers."""
    solved = Machines.empty(training.starts, grid.weights[fits], len(grid.costs))

    def fit(item: tuple[int, int]) -> None:
        at, cost = item
        weights = grid.weights[fits[at]]
        rows = np.flatnonzero(weights)
        X = training.X[training.rows[rows]]
        if isinstance(grid.kernel, PrecomputedKernel):
            X = X[:, training.rows[rows]]
        model = SVC(C=grid.costs[cost], tol=tol, max_iter=max_iter, cache_size=CACHE, **_named(grid.kernel))
        model.fit(X, training.codes[rows], sample_weight=weights[rows])
        _take(solved, at, cost, model, rows, training.codes, max_iter)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # the number of steps shows it
        list(pool.map(fit, product(range(len(fits)), range(len(grid.costs)))))
    return solved


def _take(solved: Machines, at: int, cost: int, model: SVC, rows: Array, codes: Array, max_iter: int) -> None:
    """Copy a model that was trained on some rows, which may lack classes."""
    support, sign = rows[model.support_], -1 if len(model.classes_) == 2 else 1
    dual = sign * dense(model.dual_coef_)
    numbers = {pair: number for number, pair in enumerate(combinations(range(len(solved.starts) - 1), 2))}
    for pair, (i, j) in enumerate(combinations(range(len(model.classes_)), 2)):
        a, b = int(model.classes_[i]), int(model.classes_[j])
        first, second = codes[support] == a, codes[support] == b
        solved.coef[at, b - 1, cost, support[first]] = dual[j - 1, first]
        solved.coef[at, a, cost, support[second]] = dual[i, second]
        solved.intercepts[at, cost, numbers[a, b]] = sign * model.intercept_[pair]
        steps = int(model.n_iter_[pair])
        solved.steps[at, cost, numbers[a, b]] = -steps if 0 < max_iter <= steps else steps


def _named(kernel: Kernel) -> dict[str, Any]:
    """A kernel as parameters of scikit-learn's SVC."""
    match kernel:
        case Rbf(gamma):
            return {"kernel": "rbf", "gamma": gamma}
        case Polynomial(gamma, degree, coef0):
            return {"kernel": "poly", "gamma": gamma, "degree": degree, "coef0": coef0}
        case PrecomputedKernel():
            return {"kernel": "precomputed"}
    return {"kernel": "linear"}
