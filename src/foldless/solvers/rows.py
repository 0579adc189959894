"""Training rows as kernels want them: CSR in single precision, features that no row uses left out, frequent ones first.

Weights of features that occur in no training row are zero, so rows that are asked about lose those entries. Frequent
features come first: their weights share few pages, which stay in the cache.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse


class Csr(NamedTuple):
    """Rows of a sparse matrix: the entries of row i are at ``starts[i]:starts[i + 1]``."""

    starts: NDArray[np.int64]
    columns: NDArray[np.int32]
    values: NDArray[np.float32]

    @property
    def n(self) -> int:
        return len(self.starts) - 1

    def squares(self) -> NDArray[np.float32]:
        """The squared length of every row."""
        row = np.repeat(np.arange(self.n), np.diff(self.starts))
        return np.bincount(row, self.values.astype(np.float64) ** 2, minlength=self.n).astype(np.float32)


class Vocabulary(NamedTuple):
    """The features in use, by their old numbers, and the new number of every old one (−1 where it is unused)."""

    used: NDArray[np.int64]
    place: NDArray[np.int32]

    @classmethod
    def of(cls, X: Any) -> "Vocabulary":
        """The features that occur in a matrix, the most frequent first."""
        if sparse.issparse(X):
            X = as_csr(X)
            counts = np.bincount(X.indices[X.data != 0], minlength=X.shape[1])
        else:
            counts = np.count_nonzero(X, axis=0)
        used = np.flatnonzero(counts)
        used = used[np.argsort(-counts[used], kind="stable")]
        place = np.full(X.shape[1], -1, dtype=np.int32)
        place[used] = np.arange(len(used), dtype=np.int32)
        return cls(used, place)

    def rows(self, X: Any, which: NDArray[Any] | None = None) -> Csr:
        """The entries of a matrix (or of some of its rows) at features in use."""
        X = as_csr(X)
        if which is not None:
            X = X[which]
        columns, values, starts = self.place[X.indices], X.data.astype(np.float32), X.indptr.astype(np.int64)
        kept = (columns >= 0) & (values != 0)
        if not kept.all():
            columns, values, starts = columns[kept], values[kept], np.concatenate([[0], np.cumsum(kept)])[starts]
        return Csr(starts, columns, values)


def as_csr(X: Any) -> Any:
    """A CSR matrix that holds each entry once, else the squares of the rows would be wrong; X itself is left alone.

    A dense array becomes one whose every entry is kept: looking for zeros would take longer than the solver does.
    """
    if not sparse.issparse(X):
        X = np.asarray(X)
        starts = np.arange(len(X) + 1) * X.shape[1]
        return sparse.csr_array((X.ravel(), np.tile(np.arange(X.shape[1]), len(X)), starts), shape=X.shape)
    X = X.tocsr()
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    return X
