"""The columns of a data frame in plain types, as the first step of a model that is given data frames as they are."""

from typing import Any, get_args

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, TransformerMixin

from foldless.core import Array
from foldless.data._columns import Columns, Kind, Missing, prepare
from foldless.data._features import in_pandas
from foldless.errors import BadInput
from foldless.saving._names import saved


@saved("foldless.saving")
class ReadColumns(TransformerMixin, BaseEstimator):
    """Numbers as floats, dates in universal time, everything else as strings; missing values keep a name of their own.

    Parameters
    ----------
    kinds : dict of str -> str
        What each column holds: numeric, boolean, date, categorical or text.
    missing : "error" or "impute"
        What to do with missing values.

    Examples
    --------
    >>> import pandas as pd
    >>> from foldless.data._read_columns import ReadColumns
    >>> frame = pd.DataFrame({"color": ["red", None], "size": [1, 2]})
    >>> ReadColumns({"color": "categorical", "size": "numeric"}, "impute").fit_transform(frame).to_dict("list")
    {'color': ['red', 'missing'], 'size': [1.0, 2.0]}
    """

    def __init__(self, kinds: dict[str, Kind], missing: Missing = "error"):
        self.kinds = kinds
        self.missing = missing

    def fit(self, X: Any, y: Any = None) -> "ReadColumns":  # noqa: ARG002 (scikit-learn's)
        """Check the kinds; nothing is learned."""
        if unknown := sorted(set(self.kinds.values()) - set(get_args(Kind))):
            raise BadInput(f"a column is one of {', '.join(get_args(Kind))}, got {unknown[0]!r}")
        self.feature_names_in_ = np.asarray(list(self.kinds), dtype=object)
        self.n_features_in_ = len(self.kinds)
        return self

    def transform(self, X: Any) -> pd.DataFrame:
        """The columns that are known, in their order; others are left out."""
        frame = in_pandas(X)
        if not isinstance(frame, pd.DataFrame):  # the columns of an array have numbers for names
            frame = pd.DataFrame(frame).infer_objects().rename(columns=str)
            frame = frame if set(self.kinds) <= set(frame) else frame.set_axis(list(self.kinds), axis=1)
        frame = frame.set_axis(list(map(str, frame.columns)), axis=1)
        frame = frame[[name for name in frame if name in self.kinds]]
        known = Columns(dict(self.kinds), self.missing)
        return prepare(frame, known, "X", "the training rows").reset_index(drop=True)

    def get_feature_names_out(self, input_features: Any = None) -> Array:  # noqa: ARG002 (scikit-learn's)
        return np.asarray(list(self.kinds), dtype=object)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.requires_fit = False
        tags.input_tags.string, tags.input_tags.categorical, tags.input_tags.allow_nan = True, True, True
        return tags
