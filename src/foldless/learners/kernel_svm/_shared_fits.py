"""Solve fits that share their training rows: one Gram matrix for each kernel, for all fits at all costs.

A Gram matrix takes 4 n² bytes, and every thread up to 5 m² for a pair of classes with m rows. Where this is more than
`LIMIT`, or where the matrix would serve few fits, libsvm solves them one by one.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from foldless.core import Array
from foldless.core._threads import one_blas_thread, threads
from foldless.learners.kernel_svm._kernels import Map, base_of, gram_of
from foldless.learners.kernel_svm._libsvm import solve_alone
from foldless.learners.kernel_svm._one_vs_one import Machines, Pairs, bytes_of_gram, bytes_of_pair
from foldless.learners.kernel_svm._training_rows import Grid, TrainingRows
from foldless.solvers.kernel_svm._smo import padded

LIMIT = 2 * 2**30  # bytes of matrices, and again of coefficients
FEW = 5000**2  # kernel values for each solution: libsvm computes fewer, as most rows support nothing


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
                for fits in _pieces(training, grid, np.arange(len(grid.weights))):
                    yield grid, SolvedGrid(fits, solve_alone(training, grid, fits, tol, max_iter, pool), None, pool.map)
        for grid, gram in _grams(training, shared, n_threads, pool.map):
            pairs = Pairs(gram, training.ranks, training.starts, grid.costs, tol, max_iter, pool, n_threads)
            for fits in _pieces(training, grid, np.arange(len(grid.weights))):
                yield grid, SolvedGrid(fits, pairs.solve(grid.weights[fits]), gram, pool.map)


def _threads(training: TrainingRows, n_matrices: int) -> int:
    """How many threads have room to work beside so many matrices; 0 where these have none."""
    left = LIMIT - n_matrices * bytes_of_gram(training.starts)
    return max(0, min(threads(), left // bytes_of_pair(training.starts)))


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


def _pieces(training: TrainingRows, grid: Grid, fits: Array) -> list[Array]:
    each = 8 * len(training.rows) * len(grid.costs) * (len(training.classes) - 1)
    return np.array_split(fits, -(-len(fits) * each // LIMIT)) if len(fits) else []
