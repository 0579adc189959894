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
from foldless.errors import BadInput

Step = tuple[str, Any]


class RowReader:
    """The steps in front of a model, for rows like these.

    A frame is recognized column by column, as a file is on the command line; values may be missing.
    """

    def __init__(self, X: Any, X_unlabeled: Any = None):
        self._columns, self._kind, self._gaps = None, "numbers", False
        if isinstance(X, pd.DataFrame):
            both = pd.concat([X, X_unlabeled]) if isinstance(X_unlabeled, pd.DataFrame) else X
            self._kind = "frame"
            self._columns = recognize(X, "X", "impute" if bool(both.isna().any(axis=None)) else "error")
        elif sparse.issparse(X):
            self._kind = "sparse"
        elif _are_texts(X):
            self._kind = "texts"
        else:
            self._gaps = _has_gaps(X) or _has_gaps(X_unlabeled)

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


def _are_texts(X: Any) -> bool:
    """Whether each row is one string, which must be several words somewhere to be a text."""
    if isinstance(X, pd.Series):
        X = X.to_numpy()
    if not isinstance(X, Sequence | np.ndarray) or np.ndim(X) != 1 or not len(X):
        return False
    if not all(isinstance(row, str) for row in X):
        raise BadInput(f"X must have two dimensions, or be a list of texts, got a row {X[0]!r}", value=X[0])
    return True


def _has_gaps(X: Any) -> bool:
    try:
        return bool(np.isnan(np.asarray(X, dtype=float)).any()) if X is not None and np.ndim(X) == 2 else False
    except (TypeError, ValueError):  # opening the rows says what is wrong with them
        return False
