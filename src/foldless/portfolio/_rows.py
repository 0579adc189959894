"""How the models of the portfolio read the rows that Python hands over: numbers, a sparse matrix, texts or a frame."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler, MinMaxScaler, StandardScaler

from foldless.data._columns import recognize, transformer
from foldless.data._read_columns import ReadColumns
from foldless.data.pool import Pool
from foldless.errors import BadInput

Step = tuple[str, Any]


class RowReader:
    """The steps in front of a model, for rows like these.

    A frame of pandas or polars is recognized column by column, as a file is on the command line; values may be missing.
    """

    def __init__(self, X: Any, X_unlabeled: Any = None):
        self._columns, self._kind, self._gaps = None, "numbers", False
        X, pool = _in_pandas(X), _in_pandas(X_unlabeled.X if isinstance(X_unlabeled, Pool) else X_unlabeled)
        if isinstance(X, pd.DataFrame):
            self._kind = "frame"
            self._columns = recognize(X, "X", "impute" if _may_miss(X) or _may_miss(pool) else "error")
        elif sparse.issparse(X):
            self._kind = "sparse"
        elif _are_texts(X):
            self._kind = "texts"
        else:
            self._gaps = _has_gaps(X) or _has_gaps(pool)

    @property
    def text(self) -> bool:
        """Whether the list for texts, which reads sparse rows, is the one for these rows."""
        if self._columns is not None:
            return bool(self._columns.of("text"))
        return self._kind in ("sparse", "texts")

    def steps(self, *, nonnegative: bool, dense: bool) -> list[Step]:
        """What comes before a model that wants no negative values, or no sparse matrix."""
        if self._columns is not None:
            prepared = transformer(self._columns, nonnegative=nonnegative, dense=dense)
            return [("read", ReadColumns(dict(self._columns.kinds), self._columns.missing)), ("columns", prepared)]
        if self._kind == "texts":
            return [("columns", TfidfVectorizer(sublinear_tf=True))]
        if self._kind == "sparse":
            return [("columns", MaxAbsScaler())]
        scaler = MinMaxScaler(clip=True) if nonnegative else StandardScaler()
        if self._gaps:
            scaler = make_pipeline(SimpleImputer(strategy="median", keep_empty_features=True), scaler)
        return [("columns", scaler)]


def _in_pandas(X: Any) -> Any:
    return X.to_pandas() if hasattr(X, "to_pandas") else X


def _may_miss(part: Any) -> bool:
    """Whether values of labeled rows or pool may be missing; that of a pool in files is not known yet."""
    return bool(part.isna().any(axis=None)) if isinstance(part, pd.DataFrame) else part is not None


def _are_texts(X: Any) -> bool:
    """Whether each row is one string, which must be several words somewhere to be a text."""
    if isinstance(X, pd.Series):
        X = X.to_numpy()
    if not isinstance(X, Sequence | np.ndarray) or np.ndim(X) != 1 or not len(X):
        return False
    others = [row for row in X if not isinstance(row, str)]
    if others:
        raise BadInput(f"X must have two dimensions, or be a list of texts, got a row {others[0]!r}", value=others[0])
    return True


def _has_gaps(X: Any) -> bool:
    try:
        return bool(np.isnan(np.asarray(X, dtype=float)).any()) if X is not None and np.ndim(X) == 2 else False
    except (TypeError, ValueError):  # opening the rows says what is wrong with them
        return False
