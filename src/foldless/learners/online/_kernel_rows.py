"""Rows as the stream kernels want them: batches in single precision, dense or CSR, by their addresses.

Sparse rows and a dense float32 array are read where they are. Anything else is converted a batch at a time, so a copy
of the whole never exists.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from foldless.core import Array
from foldless.errors import BadInput
from foldless.solvers.online._stream_rows import Dense, Sparse, SparseDouble

ROOM = 2**20  # bytes of a batch, which several passes over it find in the cache
LONG = 2**23  # bytes of a batch that is read where it is, once


@dataclass(frozen=True, eq=False)
class KernelBatch:
    """Some rows, by the addresses that the kernels take, and the arrays that keep them valid."""

    rows: Any
    codes: Array
    first: int
    kept: tuple[Any, ...]

    @property
    def n(self) -> int:
        return len(self.codes)


def batches(
    X: Any, codes: Array, constant: float, n_problems: int, order: Array | None = None
) -> Iterator[KernelBatch]:
    n, d = X.shape
    whole = sparse.issparse(X)
    each = 8 * max(1, X.nnz // max(n, 1)) if whole else 4 * d
    in_place = order is None and n_problems == 1 and (whole or (X.dtype == np.float32 and X.flags.c_contiguous))
    height = max(1, (LONG if in_place else ROOM) // each)
    codes = codes.astype(np.int32, copy=False)
    for first in range(0, n, height):
        which: Any = slice(first, first + height) if order is None else order[first : first + height]
        make = _sparse if whole else _dense
        yield make(X, which, codes[which], first, constant)


def _dense(X: Any, which: Any, codes: Array, first: int, constant: float) -> KernelBatch:
    with np.errstate(over="ignore"):  # a number that is too large is reported with its row
        values = np.ascontiguousarray(X[which], dtype=np.float32)
    return KernelBatch(Dense(values.ctypes.data, X.shape[1], constant), codes, first, (values,))


def _sparse(X: Any, which: Any, codes: Array, first: int, constant: float) -> KernelBatch:
    if isinstance(which, slice):
        starts = X.indptr[which.start : which.stop + 1].astype(np.int64)
        columns, values = X.indices[starts[0] : starts[-1]], X.data[starts[0] : starts[-1]]
        starts -= starts[0]
    else:
        part = X[which]
        starts, columns, values = part.indptr.astype(np.int64), part.indices, part.data
    _check_bounds(starts, columns, values, X.shape[1])
    columns = columns.astype(np.int32, copy=False)
    kind = Sparse if values.dtype == np.float32 else SparseDouble
    addresses = starts.ctypes.data, columns.ctypes.data, values.ctypes.data
    return KernelBatch(kind(*addresses, X.shape[1], constant), codes, first, (starts, columns, values))


def _check_bounds(starts: Array, columns: Array, values: Array, n_features: int) -> None:
    """Kernels follow these numbers blindly; a column below zero is a very large one without its sign."""
    whole = len(columns) == len(values) == starts[-1] and (starts[1:] >= starts[:-1]).all()
    if not whole or (len(columns) and columns.view(f"u{columns.itemsize}").max() >= n_features):
        raise BadInput(
            f"X is not a valid sparse matrix: it points to columns beyond its {n_features}, or to entries that are not "
            f"there; X.check_format(full_check=True) shows where"
        )
