"""Which pool rows have the content of a labeled row: 64-bit hashes of rows, alike for dense and sparse features.

A row's hash is the sum over its nonzero entries of a hash of (column, value), modulo 2^64, so neither the order of the
entries of a sparse row nor explicit zeros matter. −0 is 0, all NaN are one, and 1 is 1.0. Among a million labeled and a
million pool rows, a wrong match has a probability of about 10⁻⁷.
"""

from math import prod
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

from foldless.core import Array, Overlap
from foldless.features import n_rows

BLOCK = 2**20  # entries hashed at a time: what is hashed is copied


def overlap(labeled: Any, pool: Any) -> Overlap:
    """Compare two parts of one data set by the content of their rows."""
    if pool is None:
        return Overlap()
    if labeled is pool:
        return Overlap(n_rows(pool), same=True)
    mine, theirs = hashes(labeled), hashes(pool)
    same = len(mine) == len(theirs) and bool((np.sort(mine) == np.sort(theirs)).all())
    return Overlap(int(np.isin(theirs, mine).sum()), same)


def hashes(X: Any) -> Array:
    """One number for each row; equal rows have equal numbers."""
    if sparse.issparse(X):
        return _of_sparse(X)
    if hasattr(X, "to_pandas"):
        X = X.to_pandas()
    if isinstance(X, pd.DataFrame):
        return sum((_mixed(_of_column(X.iloc[:, at]), at) for at in range(X.shape[1])), np.zeros(len(X), np.uint64))
    if isinstance(X, pd.Series):
        return _of_column(X)
    if isinstance(X, list):
        X = _as_array(X)
    if X.dtype.kind in "biuf":
        return _of_dense(X.reshape(len(X), prod(X.shape[1:])))
    if X.ndim == 1:
        return _of_column(pd.Series(X))
    return hashes(pd.DataFrame(X.reshape(len(X), prod(X.shape[1:]))))


def _as_array(rows: list[Any]) -> Array:
    """Rows that are numbers as a matrix, others one object each."""
    if all(isinstance(row, str) for row in rows):
        return np.array(rows, dtype=object)
    try:
        matrix = np.asarray(rows)
    except ValueError:  # ragged
        matrix = np.empty(0, dtype=object)
    if matrix.dtype.kind in "biuf":
        return matrix
    return np.array([repr(row) for row in rows], dtype=object)


def _of_dense(X: Array) -> Array:
    n, width = X.shape
    made = np.zeros(n, dtype=np.uint64)
    step = max(1, BLOCK // max(1, width))
    columns = np.arange(width)
    for start in range(0, n, step):
        made[start : start + step] = _entries(X[start : start + step], columns).sum(axis=1, dtype=np.uint64)
    return made


def _of_sparse(X: Any) -> Array:
    X = X.tocsr()
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    ends = np.concatenate([[np.uint64(0)], np.cumsum(_entries(X.data, X.indices), dtype=np.uint64)])
    return np.asarray(ends[X.indptr[1:]] - ends[X.indptr[:-1]])  # sums wrap, and their differences wrap back


def _of_column(column: "pd.Series[Any]") -> Array:
    if getattr(column.dtype, "kind", "O") in "biuf":
        values = column.to_numpy(dtype=float, na_value=np.nan) if column.isna().any() else column.to_numpy()
        return _of_dense(values.reshape(-1, 1))
    try:
        hashed = pd.util.hash_pandas_object(column, index=False)
    except TypeError:  # lists and other values without a hash
        hashed = pd.util.hash_pandas_object(column.map(repr), index=False)
    return np.asarray(hashed, dtype=np.uint64)


def _entries(values: Array, columns: Array) -> Array:
    """A hash for each entry with its column; 0 for the value 0."""
    if values.dtype.kind == "f":
        numbers = values.astype(np.float64)
        numbers[np.isnan(numbers)] = np.nan
    else:
        numbers = _as_floats(values)
    return np.where(numbers == 0, np.uint64(0), _mixed(numbers.view(np.uint64), columns))


def _as_floats(values: Array) -> Array:
    """Whole numbers as floats, so that 1 equals 1.0; those beyond 2^53 keep their bits, which no float of them has."""
    floats = values.astype(np.float64)
    large = np.abs(floats) >= 2.0**53
    if large.any():
        floats[large] = values[large].astype(np.int64).view(np.float64)
    return floats


def _mixed(bits: Array, columns: Any) -> Array:
    """Bits and column number, scattered over 64 bits by the finalizer of splitmix64."""
    mixed = bits + (np.atleast_1d(np.asarray(columns, dtype=np.uint64)) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed ^= mixed >> np.uint64(shift)
        mixed *= np.uint64(factor)
    return np.asarray(mixed ^ (mixed >> np.uint64(31)))
