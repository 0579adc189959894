"""How the models of the portfolio read the rows that Python hands over: numbers, a sparse matrix, texts or a frame.

A column of texts is read as words, as directions of them, with n-grams of characters, or as vectors.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.compose import ColumnTransformer
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import FeatureUnion, make_pipeline
from sklearn.preprocessing import MaxAbsScaler, MinMaxScaler, StandardScaler

from foldless.data._columns import READ_WORDS, recognize, transformer
from foldless.data._features import in_pandas
from foldless.data._read_columns import ReadColumns
from foldless.data.word_vectors import WordVectors
from foldless.errors import BadInput
from foldless.learners.pool_taught.taught_view import WordDirections
from foldless.portfolio._catalog import MAX_SHORT_TEXT, MAX_TABLE_COLUMNS, TextForm

Step = tuple[str, Any]
DIRECTIONS = 50  # of a text beside other columns: as many as trees can read with few rows
N_GRAMS, MAX_N_GRAMS = (3, 5), 30_000  # the most frequent; a text has some hundreds


class RowReader:
    """The steps in front of a model, for rows like these.

    A frame of pandas or polars is recognized column by column, as a file is on the command line, and so is an array of
    objects that has strings; values may be missing.
    """

    def __init__(self, X: Any):
        self._columns, self._kind, self._n_sparse, self._n_characters = None, "numbers", 0, 0.0
        self.negative = sparse.issparse(X) and X.nnz > 0 and bool(X.tocsr().min() < 0)
        X = _in_pandas(X)
        if isinstance(X, pd.DataFrame):
            self._kind = "frame"
            named = X.set_axis(list(map(str, X.columns)), axis=1)
            self._columns = recognize(named, "X", "impute")  # a value may be missing in a later row
            self._n_characters = self._columns.n_characters
        elif sparse.issparse(X):
            self._kind, self._n_sparse = "sparse", X.shape[1]
        elif _are_texts(X):
            self._kind = "texts"
            self._n_characters = float(np.mean([len(row) for row in X]))

    @property
    def text(self) -> bool:
        """Whether the list for texts, which reads sparse rows, is the one for these rows."""
        if self._columns is not None:
            return bool(self._columns.of("text"))
        return self._kind == "texts" or self._n_sparse > MAX_TABLE_COLUMNS

    @property
    def words(self) -> bool:
        """Whether there are texts whose words can be read."""
        return self._kind == "texts" or (self._columns is not None and self.text)

    @property
    def mixed(self) -> bool:
        """Whether there are texts and columns of another kind."""
        return self._columns is not None and self.text and len(self._columns.count()) > 1

    @property
    def short(self) -> bool:
        """Whether there are texts, and they have a few sentences at most."""
        return self.words and self._n_characters <= MAX_SHORT_TEXT

    def steps(self, *, nonnegative: bool, dense: bool, text: TextForm = "words") -> list[Step]:
        """What comes before a model that wants no negative values, or no sparse matrix, or another form of texts."""
        if self._columns is not None:
            prepared = transformer(self._columns, nonnegative=nonnegative, dense=dense, text=text_reader(text))
            return [("read", ReadColumns(dict(self._columns.kinds), self._columns.missing)), ("columns", prepared)]
        if self._kind == "texts":
            return [("columns", text_reader(text)())]
        if self._kind == "sparse":
            in_full = ColumnTransformer([("features", "passthrough", slice(0, self._n_sparse))], sparse_threshold=0.0)
            # the scaler comes first, as it reads any sparse format
            return [("columns", make_pipeline(MaxAbsScaler(), in_full) if dense else MaxAbsScaler())]
        scaler = MinMaxScaler(clip=True) if nonnegative else StandardScaler()
        imputer = SimpleImputer(strategy="median", keep_empty_features=True)  # a value may be missing in a later row
        return [("columns", make_pipeline(imputer, scaler))]


def _in_pandas(X: Any) -> Any:
    if isinstance(X, np.ndarray) and X.ndim == 2 and X.dtype.kind in "OU" and any(isinstance(v, str) for v in X.flat):
        return pd.DataFrame(X).infer_objects()  # its columns have numbers for names
    return in_pandas(X)


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


def text_reader(form: TextForm) -> Callable[[], Any]:
    """What makes the transformer of one column of texts."""
    readers: dict[TextForm, Callable[[], Any]] = {
        "words": READ_WORDS,
        "components": lambda: make_pipeline(READ_WORDS(), WordDirections(DIRECTIONS)),
        "characters": _with_characters,
        "vectors": WordVectors,
    }
    return readers[form]


def _with_characters() -> Any:
    """Words, and parts of words: misspelled and inflected ones have most of them in common, in any language."""
    parts = TfidfVectorizer(analyzer="char_wb", ngram_range=N_GRAMS, sublinear_tf=True, max_features=MAX_N_GRAMS)
    return FeatureUnion([("words", READ_WORDS()), ("characters", parts)])
