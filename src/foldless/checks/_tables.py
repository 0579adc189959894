"""Features of any kind in the three forms that checks compare: a table, a sparse matrix, or texts."""

import re
import unicodedata
from math import prod
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

from foldless.core import Array
from foldless.data._features import in_pandas, n_rows, take
from foldless.data._numbers import standardized
from foldless.data._overlap import as_array

WORDS = 3  # words of a text, on average; less is a category
FULL, SMALL = 0.2, 20_000_000  # share of entries from which a sparse matrix is a table, and its size at most
WORD = re.compile(r"[^\W_]+")


def as_table(X: Any) -> Any:
    """A sparse matrix, a list of texts, a pandas frame or a matrix of numbers.

    Texts of a few words are a column of categories.
    """
    if sparse.issparse(X):
        size = X.shape[0] * X.shape[1]
        return X.toarray() if size <= SMALL and X.nnz > FULL * size else X.tocsr()
    X = in_pandas(X)
    if isinstance(X, pd.Series):
        X = X.to_frame()
    if isinstance(X, list):
        X = as_array(X)
    if not isinstance(X, pd.DataFrame):
        X = X.reshape(len(X), prod(X.shape[1:]))
        X = X if X.dtype.kind in "biuf" else pd.DataFrame(X).infer_objects()
    if isinstance(X, pd.DataFrame) and X.shape[1] == 1 and are_texts(X.iloc[:, 0]):
        return X.iloc[:, 0].astype(str).tolist()
    return X


def are_texts(column: "pd.Series[Any]") -> bool:
    """Whether a column holds texts of several words."""
    if getattr(column.dtype, "kind", "O") in "biufcmM":
        return False
    try:
        counts = column.value_counts(sort=False, dropna=False)  # categories have few values in many rows
    except TypeError:  # lists and other values without a hash
        counts = column.map(repr).value_counts(sort=False)
        return any(isinstance(value, str) for value in column) and _mean_words(counts) >= WORDS
    return any(isinstance(value, str) for value in counts.index) and _mean_words(counts) >= WORDS


def factorized(column: "pd.Series[Any]") -> tuple[Array, Any]:
    """The number of each value, and the values; what is missing is a value."""
    try:
        codes, values = pd.factorize(column, use_na_sentinel=False)
    except TypeError:  # lists and other values without a hash
        codes, values = pd.factorize(column.map(repr), use_na_sentinel=False)
    return np.asarray(codes), values


def _mean_words(counts: "pd.Series[int]") -> float:
    """The words of values, on average, from how often each value occurs."""
    texts = map(str, counts.index)
    spaces = np.array([len(text) - sum(map(len, text.split())) for text in texts], dtype=float)
    return float(spaces @ counts.to_numpy(dtype=float) / max(1, counts.sum())) + 1


def some_rows(X: Any, n: int) -> Any:
    """At most n rows, evenly spaced."""
    return take(X, np.linspace(0, n_rows(X) - 1, n).astype(int)) if n_rows(X) > n else X


def as_numbers(table: Any) -> tuple[Array, Array]:
    """The numbers of a frame or matrix, scaled to deviation 1, and for each row a code of everything else.

    Codes are equal where the other columns are, and where the same numbers are missing; these are 0 among the numbers.
    """
    if isinstance(table, pd.DataFrame):
        kinds = [getattr(dtype, "kind", "O") for dtype in table.dtypes]
        numeric, other = (
            [at for at, kind in enumerate(kinds) if (kind in "iuf") == wanted] for wanted in (True, False)
        )
        matrix = table.iloc[:, numeric].to_numpy(dtype=float, na_value=np.nan)
        codes = [pd.factorize(_plain(table.iloc[:, at]), use_na_sentinel=False)[0] for at in other]
    else:
        matrix, codes = np.asarray(table, dtype=float), []
    missing = ~np.isfinite(matrix)
    if missing.any():
        codes.append(np.unique(missing, axis=0, return_inverse=True)[1].ravel())
    others = np.unique(np.array(codes).T, axis=0, return_inverse=True)[1] if codes else np.zeros(len(matrix), dtype=int)
    return standardized(matrix), np.asarray(others).ravel()


def _plain(column: "pd.Series[Any]") -> "pd.Series[Any]":
    """Values that can be told apart: texts without regard to case, spaces and punctuation."""
    if are_texts(column):
        return column.astype(str).map(plain_text)
    return column.map(repr) if column.dtype == object else column


def plain_text(text: str) -> str:
    """A text without regard to case, spaces, punctuation and Unicode form."""
    return " ".join(WORD.findall(unicodedata.normalize("NFKC", text).casefold()))
