"""Training rows for the kernels: CSR in single precision, without features that no row uses.

Weights of features that occur in no training row are zero, so rows that are asked about lose those entries. Features
are numbered in the order in which rows show them: frequent ones are met early, so their weights share few pages.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray
from scipy import sparse

from foldless.solvers._lanes import KERNEL

ENTRIES_PER_COPY = 2  # to go round a circle of copies then takes about as long as to read the row


@njit(**KERNEL)
def squared_lengths(starts, values):
    """The squared length of every row."""
    out = np.empty(starts.shape[0] - 1, np.float32)
    for i in range(out.shape[0]):
        total = 0.0
        for k in range(starts[i], starts[i + 1]):
            total += np.float64(values[k]) ** 2
        out[i] = total
    return out


@njit(**KERNEL)
def hash_rows(starts, columns, bits):
    """A number for every row, equal where rows have equal entries, in any order."""
    out = np.empty(starts.shape[0] - 1, np.uint64)
    for i in range(out.shape[0]):
        total = np.uint64(0)
        for k in range(starts[i], starts[i + 1]):
            entry = (np.uint64(columns[k]) << np.uint64(32)) | np.uint64(bits[k])
            entry = (entry ^ (entry >> np.uint64(31))) * np.uint64(0x9E3779B97F4A7C15)
            entry = (entry ^ (entry >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
            total += entry ^ (entry >> np.uint64(32))
        out[i] = total
    return out


@njit(**KERNEL)
def number_features(indices, data, used, place):
    """Number the features in the order in which they occur."""
    n = 0
    for k in range(indices.shape[0]):
        if place[indices[k]] < 0 and data[k] != 0:
            place[indices[k]] = n
            used[n] = indices[k]
            n += 1
    return n


@njit(**KERNEL)
def squeeze(X, which, place, seen, out):
    """Copy what is at features in use; False where a row has a feature twice, for then its square would be wrong."""
    n = 0
    for i in range(which.shape[0]):
        for k in range(X.starts[which[i]], X.starts[which[i] + 1]):
            column = place[X.columns[k]]
            if column >= 0 and X.values[k] != 0:
                if seen[column] == i:
                    return False
                seen[column] = i
                out.columns[n] = column
                out.values[n] = X.values[k]
                n += 1
        out.starts[i + 1] = n
    return True


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
        return squared_lengths(self.starts, self.values)

    def copies(self, codes: NDArray[Any]) -> NDArray[np.int32]:
        """The next copy of every row, round a circle, where its copies are in several classes; else the row itself.

        Rows with many copies and few entries are left to themselves: each visit to one goes round the circle.
        """
        hashes = hash_rows(self.starts, self.columns, self.values.view(np.uint32))
        order = np.argsort(hashes, kind="stable").astype(np.int32)
        begins = np.flatnonzero(np.diff(hashes[order], prepend=~hashes[order[:1]]))
        lengths = np.diff(begins, append=len(order))
        following = np.roll(order, -1)
        following[begins + lengths - 1] = order[begins]
        several = np.minimum.reduceat(codes[order], begins) != np.maximum.reduceat(codes[order], begins)
        few = ENTRIES_PER_COPY * lengths <= np.diff(self.starts)[order[begins]]
        linked = np.repeat(several & few, lengths)
        copies = np.arange(self.n, dtype=np.int32)
        copies[order[linked]] = following[linked]
        return copies


class Vocabulary(NamedTuple):
    """The features in use, by their old numbers, and the new number of every old one (−1 where it is unused)."""

    used: NDArray[np.int64]
    place: NDArray[np.int32]

    @classmethod
    def of(cls, X: Any) -> "Vocabulary":
        """The features that occur in a matrix, in the order in which its rows show them."""
        X = as_csr(X)
        used, place = np.empty(min(X.shape[1], X.nnz), np.int64), np.full(X.shape[1], -1, dtype=np.int32)
        n = number_features(*_entries(X), used, place)
        return cls(used[:n], place)

    def rows(self, X: Any, which: NDArray[Any] | None = None) -> Csr:
        """The entries of a matrix (or of some of its rows) at features in use."""
        X = as_csr(X)
        which = np.arange(X.shape[0]) if which is None else np.asarray(which, dtype=np.int64)
        while True:
            starts = X.indptr.astype(np.int64, copy=False)
            most = int(np.sum(starts[which + 1] - starts[which]))
            out = Csr(np.zeros(len(which) + 1, np.int64), np.empty(most, np.int32), np.empty(most, np.float32))
            seen = np.full(len(self.used), -1, np.int64)
            if squeeze(Csr(starts, *_entries(X)), which, self.place, seen, out):
                n = out.starts[-1]
                return Csr(out.starts, out.columns[:n], out.values[:n])
            X = X.copy()  # the user's matrix is left alone
            X.sum_duplicates()


def _entries(X: Any) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    return X.indices.astype(np.int32, copy=False), X.data.astype(np.float32, copy=False)


def as_csr(X: Any) -> Any:
    """A CSR matrix; X itself is left alone.

    A dense array becomes one whose every entry is kept: looking for zeros would take longer than the solver does.
    """
    if sparse.issparse(X):
        return X.tocsr()
    X = np.asarray(X)
    starts = np.arange(len(X) + 1) * X.shape[1]
    columns = np.tile(np.arange(X.shape[1], dtype=np.int32), len(X))
    return sparse.csr_array((X.ravel(), columns, starts), shape=X.shape)
