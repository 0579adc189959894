"""Features of any kind as a matrix of numbers, for comparing rows: not what candidates are trained on.

Numbers are standardized over all rows and cut at 5 standard deviations, missing ones are the mean. Categories become
indicator columns, words hashed counts. Sparse matrices and texts stay sparse, with rows of length 1.
"""

from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

from foldless.core import Array
from foldless.data._columns import moments
from foldless.data._dates import parts_of_dates
from foldless.data._features import concatenate, in_pandas

WORDS, LEVELS, COLUMNS = 2**12, 20, 1000  # hashed words; levels of a category; columns of numbers that are read
LONG = 3  # words of a text, on average; less is a category
FARTHEST = 5.0


def as_numbers(parts: list[Any], rng: np.random.Generator, *, date_parts: bool = False) -> Any:
    """The rows of all parts under each other, as a dense or a sparse matrix; dates as seconds, or as their parts."""
    stacked = concatenate([plain(part) for part in parts])
    if sparse.issparse(stacked):
        from sklearn.preprocessing import normalize  # slow to import, as below

        return normalize(stacked.tocsr().astype(float, copy=False), copy=len(parts) == 1)  # several were copied
    if isinstance(stacked, list):
        return _words([str(row) for row in stacked])
    if isinstance(stacked, pd.DataFrame):
        stacked = np.hstack([_column(stacked.iloc[:, at], date_parts) for at in range(stacked.shape[1])])
    matrix = np.asarray(stacked, dtype=float).reshape(len(stacked), -1)
    if matrix.shape[1] > COLUMNS:
        matrix = matrix[:, rng.choice(matrix.shape[1], COLUMNS, replace=False)]
    return np.clip(standardized(matrix), -FARTHEST, FARTHEST)


def plain(X: Any) -> Any:
    """A part as an array, a sparse matrix, a pandas frame, or a list of texts."""
    X = in_pandas(X)
    if sparse.issparse(X) or isinstance(X, pd.DataFrame):
        return X
    array = np.asarray(X)
    if array.dtype.kind in "biuf":
        return array
    return array.tolist() if array.ndim == 1 else pd.DataFrame(array.reshape(len(array), -1)).infer_objects()


def _column(column: "pd.Series[Any]", date_parts: bool) -> Array:
    if pd.api.types.is_numeric_dtype(column.dtype) or column.dtype == bool:
        return np.asarray(column.to_numpy(dtype=float, na_value=np.nan)[:, None])
    if pd.api.types.is_datetime64_any_dtype(column.dtype) and date_parts:
        return parts_of_dates(moments(column).to_numpy())
    if pd.api.types.is_datetime64_any_dtype(column.dtype):
        return np.asarray(column.to_numpy().astype("datetime64[s]").astype(float)[:, None])
    texts = column.astype(str)
    if texts.str.count(" ").mean() + 1 >= LONG:
        return np.asarray(_words(texts.tolist(), 2**7).toarray())
    common = texts.value_counts().index[:LEVELS]
    return np.asarray(texts.to_numpy()[:, None] == common.to_numpy()[None, :], dtype=float)


def _words(texts: list[str], n: int = WORDS) -> Any:
    from sklearn.feature_extraction.text import HashingVectorizer

    return HashingVectorizer(n_features=n, lowercase=True).transform(texts)


def standardized(matrix: Array) -> Array:
    """The columns that vary with mean 0 and deviation 1; what is missing or infinite is the mean."""
    matrix = np.where(np.isfinite(matrix), matrix, np.nan)
    with np.errstate(invalid="ignore", over="ignore"):
        known = ~np.isnan(matrix)
        counts = np.maximum(1, known.sum(axis=0))
        mean = np.where(known, matrix, 0).sum(axis=0) / counts
        centered = np.where(known, matrix - mean, 0.0)
        spread = np.sqrt((centered**2).sum(axis=0) / counts)
    varies = (spread > 0) & np.isfinite(spread)
    return np.asarray(centered[:, varies] / spread[varies])
