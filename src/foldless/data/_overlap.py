"""Which rows have the content of a labeled row: 64-bit hashes of rows, alike for arrays, frames and sparse ones.

A row's hash is the sum over its nonzero entries of a hash of (column, value), modulo 2^64, so neither the order of the
entries of a sparse row nor explicit zeros matter. −0 is 0, all NaN are one, and 1 is 1.0; where one part has fewer
digits than the other, both are rounded to these. Among a million labeled and a million pool rows, a wrong match has a
probability of about 10⁻⁷.

Equal content need not be the same row. `containment` finds where chance is no explanation.
"""

from math import prod
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy import sparse
from scipy.special import gammaln

from foldless.core import Array, Contents, Overlap
from foldless.data._features import in_pandas, n_rows, take

BLOCK = 2**20  # entries hashed at a time: what is hashed is copied
IMPROBABLE = 0.01  # the share of honest pools that may be refused, where rows repeat


class Hashed(NamedTuple):
    """The hashes of labeled rows and of pool rows, and both with no more digits than either part has."""

    labeled: Array
    pool: Array
    labeled_rounded: Array
    pool_rounded: Array


class RowHashes:
    """The hashes of parts of a data set, each computed once; they do not travel to other processes."""

    def __init__(self) -> None:
        self._known: list[tuple[Any, Any, Array]] = []

    def __reduce__(self) -> Any:
        return RowHashes, ()

    def of(self, X: Any, digits: Any = np.float64) -> Array:
        if (known := self._recalled(X, digits)) is None:
            known = hashes(X, digits)
            self._known.append((X, np.dtype(digits), known))
        return known

    def at(self, X: Any, rows: Array) -> Array:
        """The hashes of some rows of a part, which may be much larger."""
        known = self._recalled(X, np.float64)
        return hashes(take(X, rows)) if known is None else known[rows]

    def _recalled(self, X: Any, digits: Any) -> Array | None:
        return next((known for part, of, known in self._known if part is X and of == digits), None)


def hashed(labeled: Any, pool: Any, known: RowHashes | None = None) -> Hashed:
    """The hashes of two parts of one data set; a part that is None has no rows."""
    of = RowHashes().of if known is None else known.of
    if pool is None or labeled is pool:
        of_labeled = of(labeled)
        theirs = of_labeled if pool is not None else of_labeled[:0]
        return Hashed(of_labeled, theirs, of_labeled, theirs)
    digits = min(_digits(in_pandas(labeled)), _digits(in_pandas(pool)), key=lambda dtype: dtype.itemsize)
    mine, theirs = of(labeled, digits), of(pool, digits)
    if digits == np.float64:
        return Hashed(mine, theirs, mine, theirs)
    return Hashed(of(labeled), of(pool), mine, theirs)


def overlap(labeled: Any, pool: Any, known: Hashed | None = None) -> Overlap:
    rows = hashed(labeled, pool) if known is None else known
    copies = repeated(rows.labeled)
    if pool is None or labeled is pool:
        return Overlap(copies=copies) if pool is None else Overlap(n_rows(pool), same=True, copies=copies)
    within = containment(rows.labeled_rounded, rows.pool_rounded) < IMPROBABLE
    return Overlap(int(np.isin(rows.pool_rounded, rows.labeled_rounded).sum()), same=within, copies=copies)


def contents(rows: Hashed) -> Contents:
    shared = np.isin(rows.pool_rounded, rows.labeled_rounded)
    return Contents(
        rows.labeled if repeated(rows.labeled) else None,
        rows.pool if repeated(rows.pool) else None,
        shared if shared.any() else None,
        np.isin(rows.labeled_rounded, rows.pool_rounded) if shared.any() else None,
    )


def repeated(rows: Array) -> int:
    """How many rows have the content of another one."""
    _, counts = np.unique(rows, return_counts=True)
    return int(counts[counts > 1].sum())


def containment(mine: Array, theirs: Array) -> float:
    """How probable it is at most that by chance no row of one part is without its like in the other; 1 if one is.

    If the n rows of one part and the m of the other are independent draws, any n of the n + m are as likely to be the
    first part as any others, whatever their contents. Let s contents occur once among the n + m rows and content j, of
    the others, c_j times. For none to be in the first part only, the s must be in the second and no c_j rows may be in
    the first together. As rows drawn without replacement are negatively associated, the probability is at most

        C(n + m − s, n) / C(n + m, n) · Π_j (1 − C(n + m − s − c_j, n − c_j) / C(n + m − s, n))

    For parts that hold every content equally often it is Π_j C(c_j, c_j / 2) / C(2n, n), and if they do so in the same
    order, that order has its chance of Π_j (c_j / 2)! / n! too.

    References
    ----------
    Joag-Dev & Proschan (1983). Negative association of random variables. Annals of Statistics 11. Section 3.2.
    """
    contents, at = np.unique(np.concatenate([mine, theirs]), return_inverse=True)
    first = np.bincount(at[: len(mine)], minlength=len(contents))
    second = np.bincount(at[len(mine) :], minlength=len(contents))
    if (first == second).all():
        chance = _log_choose(2 * first, first).sum() - _log_choose(2 * len(mine), len(mine))
        in_order = np.array_equal(mine, theirs)
        return float(np.exp(chance + (gammaln(first + 1).sum() - gammaln(len(mine) + 1) if in_order else 0)))
    if second.all():
        return _never_alone(len(mine), first + second)
    return _never_alone(len(theirs), first + second) if first.all() else 1.0


def hashes(X: Any, digits: Any = np.float64) -> Array:
    """One number for each row; rows that are equal, as far as a float type has digits, have equal numbers."""
    if sparse.issparse(X):
        return _of_sparse(X, digits)
    X = in_pandas(X)
    if isinstance(X, pd.DataFrame):
        columns = (_of_column(X.iloc[:, at], at, digits) for at in range(X.shape[1]))
        return sum(columns, np.zeros(len(X), np.uint64))
    if isinstance(X, pd.Series):
        return _of_column(X, 0, digits)
    if isinstance(X, list):
        X = as_array(X)
    if X.dtype.kind in "biuf":
        return _of_dense(X.reshape(len(X), prod(X.shape[1:])), digits)
    if X.ndim == 1:
        return _of_column(pd.Series(X), 0, digits)
    return hashes(pd.DataFrame(X.reshape(len(X), prod(X.shape[1:]))).infer_objects(), digits)


def _never_alone(n: int, counts: Array) -> float:
    """The bound of `containment` for n rows, from how often each content occurs in all."""
    once, several = int((counts == 1).sum()), counts[counts > 1]
    left = int(several.sum())
    together = several[several <= n]
    whole = np.exp(_log_choose(left - together, n - together) - _log_choose(left, n))
    chance = _log_choose(left, n) - _log_choose(left + once, n) + np.log1p(-np.minimum(whole, 1)).sum()
    return float(np.exp(chance))


def _log_choose(n: Any, k: Any) -> Any:
    return gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)


def _digits(X: Any) -> "np.dtype[Any]":
    """The float type of the features that has the fewest digits."""
    dtypes = list(X.dtypes) if isinstance(X, pd.DataFrame) else [getattr(X, "dtype", None)]
    under = [getattr(dtype, "numpy_dtype", getattr(dtype, "subtype", dtype)) for dtype in dtypes]  # pandas wraps some
    floats = [np.dtype(dtype) for dtype in under if isinstance(dtype, np.dtype) and dtype.kind == "f"]
    return min([*floats, np.dtype(np.float64)], key=lambda dtype: dtype.itemsize)


def as_array(rows: list[Any]) -> Array:
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


def _of_dense(X: Array, digits: Any) -> Array:
    n, width = X.shape
    hashed = np.zeros(n, dtype=np.uint64)
    step = max(1, BLOCK // max(1, width))
    columns = np.arange(width)
    for start in range(0, n, step):
        hashed[start : start + step] = _entries(X[start : start + step], columns, digits).sum(axis=1, dtype=np.uint64)
    return hashed


def _of_sparse(X: Any, digits: Any) -> Array:
    X = X.tocsr()
    if not X.has_canonical_format and _repeats_entries(X):
        X = X.copy()
        X.sum_duplicates()
    ends = np.concatenate([[np.uint64(0)], np.cumsum(_entries(X.data, X.indices, digits), dtype=np.uint64)])
    return np.asarray(ends[X.indptr[1:]] - ends[X.indptr[:-1]])  # sums wrap, and their differences wrap back


def _repeats_entries(X: Any) -> bool:
    """Whether a row has two entries in one column, which are to be added; their order does not matter to a hash."""
    marks = sparse.csr_array((np.ones(X.nnz, np.int8), X.indices, X.indptr), shape=X.shape)
    by_column = marks.tocsc()  # counting takes less time than sorting
    starts = np.zeros(X.nnz + 1, dtype=bool)
    starts[by_column.indptr] = True
    return bool(((np.diff(by_column.indices) == 0) & ~starts[1:-1]).any())


def _of_column(column: "pd.Series[Any]", at: int, digits: Any) -> Array:
    """The hashes of the entries of a column, which is number ``at``."""
    if getattr(column.dtype, "kind", "O") in "biuf":
        values = column.to_numpy(dtype=float, na_value=np.nan) if column.isna().any() else column.to_numpy()
        return _entries(values, np.array(at), digits)
    try:
        hashed = pd.util.hash_pandas_object(column, index=False)
    except TypeError:  # lists and other values without a hash
        hashed = pd.util.hash_pandas_object(column.map(repr), index=False)
    return _mixed(np.asarray(hashed, dtype=np.uint64), at)


def _entries(values: Array, columns: Array, digits: Any) -> Array:
    """A hash for each entry with its column; 0 for the value 0."""
    if digits != np.float64:
        with np.errstate(over="ignore"):
            values = values.astype(digits)
    numbers = values.astype(np.float64)
    if values.dtype.kind == "f":
        numbers[np.isnan(numbers)] = np.nan
    else:  # whole numbers beyond 2^53 keep their bits, which no float of them has
        large = np.abs(numbers) >= 2.0**53
        numbers[large] = values[large].astype(np.int64).view(np.float64)
    return np.where(numbers == 0, np.uint64(0), _mixed(numbers.view(np.uint64), columns))


def _mixed(bits: Array, columns: Any) -> Array:
    """Bits and column number, scattered over 64 bits by the finalizer of splitmix64."""
    mixed = bits + (np.atleast_1d(np.asarray(columns, dtype=np.uint64)) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed ^= mixed >> np.uint64(shift)
        mixed *= np.uint64(factor)
    return np.asarray(mixed ^ (mixed >> np.uint64(31)))
