"""Rows of a matrix as L1 problems read them: all entries of some rows, or those at the few features that matter now."""

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray
from scipy import sparse

from foldless.solvers._lanes import KERNEL
from foldless.solvers.linear._csr_rows import as_csr


class L1Table(NamedTuple):
    """Rows of a matrix: the entries of row i are at ``starts[i]:starts[i + 1]``, by column.

    Columns are unsigned, for Numba asks each signed index whether it counts from the end.
    """

    starts: NDArray[np.int64]
    columns: NDArray[np.uint32]
    values: NDArray[np.float64]

    @classmethod
    def of(cls, X: Any) -> "L1Table":
        """A matrix, dense or sparse, in double precision."""
        X = as_csr(X)
        if not X.has_canonical_format:
            X = X.copy()  # the user's matrix is left alone
            X.sum_duplicates()
        return cls(X.indptr.astype(np.int64), X.indices.astype(np.uint32), X.data.astype(np.float64))

    @classmethod
    def with_intercept(cls, X: Any) -> "L1Table":
        """The same, with a last column of ones."""
        ones = np.ones((X.shape[0], 1))
        return cls.of(sparse.hstack([X, ones], format="csr") if sparse.issparse(X) else np.hstack([X, ones]))


class RowsAtFeatures(NamedTuple):
    """The rows at the features that are worked on: ``places`` point into ``features``, which are in order."""

    features: NDArray[np.int64]
    starts: NDArray[np.int64]
    places: NDArray[np.uint32]
    values: NDArray[np.float64]


@njit(**KERNEL)
def score(table, numbers, weights, scores):
    """Write w·x of some rows."""
    for i in range(numbers.shape[0]):
        total = 0.0
        for k in range(table.starts[numbers[i]], table.starts[numbers[i] + 1]):
            total += weights[table.columns[k]] * table.values[k]
        scores[i] = total


@njit(**KERNEL)
def descend(table, numbers, first, gradient):
    """Write the gradient of the loss by all weights."""
    gradient[:] = 0.0
    for i in range(numbers.shape[0]):
        for k in range(table.starts[numbers[i]], table.starts[numbers[i] + 1]):
            gradient[table.columns[k]] += first[i] * table.values[k]


@njit(**KERNEL)
def restrict(table, numbers, features, n_features):
    """The entries of some rows at some features."""
    place = np.full(n_features, -1, np.int32)
    for k in range(features.shape[0]):
        place[features[k]] = k
    most = 0
    for i in range(numbers.shape[0]):
        most += table.starts[numbers[i] + 1] - table.starts[numbers[i]]
    starts, places, values = np.zeros(numbers.shape[0] + 1, np.int64), np.empty(most, np.uint32), np.empty(most)
    n = 0
    for i in range(numbers.shape[0]):
        for k in range(table.starts[numbers[i]], table.starts[numbers[i] + 1]):
            at = place[table.columns[k]]
            if at >= 0:
                places[n] = at
                values[n] = table.values[k]
                n += 1
        starts[i + 1] = n
    return RowsAtFeatures(features, starts, places, values)


@njit(**KERNEL)
def direct(part, direction, moves):
    """Write how fast the scores change along a direction."""
    for i in range(moves.shape[0]):
        total = 0.0
        for k in range(part.starts[i], part.starts[i + 1]):
            total += direction[part.places[k]] * part.values[k]
        moves[i] = total
