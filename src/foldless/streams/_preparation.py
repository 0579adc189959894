"""Features of a stream in constant memory: what is learned about them is learned from the first rows, then it is fixed.

numeric      scaled by mean and deviation of the first rows, clipped to ±10
boolean      0 or 1
date         time of the year, weekday and hour (`Seasons`), nothing that only grows
categorical  hashed, column and value together, with a sign: a value never seen before needs no new column
text         words hashed, with a sign, each row scaled to length 1

Fixed, because weights learned under one scale mean nothing under the next; a checkpoint then holds the scale as it is.
Clipped, because a feature that is rare in the first rows has a small deviation there and would later outweigh all
others. Hashed, because a dictionary would grow with the stream.

Of dates only what repeats is read, as points on circles of radius 1. Year and running days, which tables have, leave
the range of the first rows of a stream that is ordered by time, and a model then follows a number that it has never
seen. The time of the year, the weekday and the hour repeat:

    φ ∈ [0, 1) ↦ (sin 2πφ, cos 2πφ),  so that December is beside January.

A circle is there only if the first rows go round it, for on an arc it is one more number that grows: a stream whose
first rows last a month has weekdays and hours, and no time of the year. A missing date is the center of its circles.

References
----------
Weinberger et al. (2009). Feature hashing for large scale multitask learning. ICML.
"""

from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.compose import ColumnTransformer
from sklearn.feature_extraction import FeatureHasher
from sklearn.feature_extraction.text import HashingVectorizer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.validation import check_is_fitted

from foldless.core import Array
from foldless.data._columns import Columns, text_step
from foldless.data._dates import date_columns
from foldless.saving._names import saved

DAYS = np.array([366.0, 7.0, 1.0])  # of a year (a common one ends a day before its circle does), a week and a day
N_HASHED, FEWEST = 2**18, 2**8
WEIGHT_BYTES = 3 * 4
STATE = 2**27  # bytes of the weights of all classes, beyond which strings are hashed into fewer features
LIMIT = 10.0


@saved("foldless.saving")
class Seasons(TransformerMixin, BaseEstimator):
    """Columns of ``datetime64`` as two numbers for the time of the year, two for the weekday, and two for the hour.

    Parameters
    ----------
    never_empty : bool
        Whether dates that go round no circle are a column of zeros, which a sparse matrix needs beside its others.

    Attributes
    ----------
    round_ : for each column and each of the three, whether the dates of ``fit`` vary in it and last as long
    feature_names_in_, n_features_in_ : as everywhere in scikit-learn

    Examples
    --------
    >>> import pandas as pd
    >>> from foldless.streams._preparation import Seasons
    >>> when = pd.DataFrame({"when": pd.to_datetime(["2024-01-01T00:00", "2024-01-13T06:00"])})
    >>> Seasons().fit_transform(when).round(2).tolist()
    [[0.0, 1.0, 0.0, 1.0], [-0.97, -0.22, 1.0, 0.0]]
    """

    def __init__(self, never_empty: bool = False):
        self.never_empty = never_empty

    def fit(self, X: Any, y: Any = None) -> "Seasons":  # noqa: ARG002 (scikit-learn's signature)
        """Learn which circles the dates go round."""
        frame = pd.DataFrame(X)
        self.feature_names_in_ = np.asarray([str(name) for name in frame.columns], dtype=object)
        self.n_features_in_ = frame.shape[1]
        self.round_ = np.array([_goes_round(values[~np.isnat(values)]) for values in date_columns(frame)])
        return self

    def transform(self, X: Any) -> Array:
        check_is_fitted(self)
        blocks = []
        for values, kept in zip(date_columns(pd.DataFrame(X)), self.round_, strict=True):
            turns = 2 * np.pi * _phases(values)[:, kept]
            points = np.stack([np.sin(turns), np.cos(turns)], axis=2).reshape(len(values), 2 * int(kept.sum()))
            blocks.append(np.nan_to_num(points, nan=0.0))
        circles = np.hstack(blocks)
        fill = not circles.shape[1] and getattr(self, "never_empty", False)  # files of 0.2 do not have it
        return np.zeros((len(circles), 1)) if fill else circles


def _goes_round(values: Array) -> Array:
    if not len(values):
        return np.zeros(len(DAYS), dtype=bool)
    lasts = (values.max() - values.min()) / np.timedelta64(1, "D")
    return np.array(np.ptp(_phases(values), axis=0) > 0) & (lasts >= DAYS - 1 / 24)  # hours of one day are 23 apart


def _phases(values: Array) -> Array:
    """How far round each of the circles a date is, in [0, 1)."""
    days, years = values.astype("datetime64[D]"), values.astype("datetime64[Y]")
    since = (
        (days - years.astype("datetime64[D]")) / np.timedelta64(1, "D"),
        (days.astype(np.int64) + 3) % 7,  # 1970-01-01 was a Thursday
        (values - days) / np.timedelta64(1, "D"),
    )
    phases = np.column_stack(since) / DAYS
    phases[np.isnat(values)] = np.nan
    return np.asarray(phases)


@saved("foldless.saving")
class ClippedScaler(StandardScaler):
    """Mean 0 and variance 1 over the rows of ``fit``; no value leaves [−10, 10].

    >>> ClippedScaler().fit([[0.0], [2.0]]).transform([[1.0], [3.0], [500.0]]).tolist()
    [[0.0], [2.0], [10.0]]
    """

    def transform(self, X: Any, copy: bool | None = None) -> Array:
        return np.clip(super().transform(X, copy=copy), -LIMIT, LIMIT)


@saved("foldless.saving")
class HashedCategories(TransformerMixin, BaseEstimator):
    """One hashed feature, 1 or −1, for the value of each column.

    Parameters
    ----------
    n_features : int
        How many features there are; two values may meet in one.
    """

    def __init__(self, n_features: int = N_HASHED):
        self.n_features = n_features

    def fit(self, X: pd.DataFrame, y: Any = None) -> "HashedCategories":  # noqa: ARG002 (scikit-learn's signature)
        self.feature_names_in_ = np.asarray(X.columns, dtype=object)
        return self

    def transform(self, X: pd.DataFrame) -> sparse.csr_matrix:
        """A sparse matrix; each value is hashed once for all rows that have it."""
        hasher = FeatureHasher(self.n_features, input_type="string")
        total = sparse.csr_matrix((len(X), self.n_features))
        for name in self.feature_names_in_:
            codes, values = pd.factorize(X[name])
            total += hasher.transform([[f"{name}={value}"] for value in values])[codes]
        return total

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "feature_names_in_")


def preparation(columns: Columns, n_classes: int = 2) -> ColumnTransformer:
    """The preparation of prepared columns, to be fitted on the first rows of a stream."""
    width = hashed_width(n_classes)
    scaler: Any = ClippedScaler()
    boolean: Any = "passthrough"
    if columns.missing == "impute":
        scaler = make_pipeline(SimpleImputer(strategy="median", keep_empty_features=True), scaler)
        boolean = SimpleImputer(strategy="most_frequent", keep_empty_features=True)
    hashed = bool(columns.of("categorical") or columns.of("text"))
    steps: list[tuple[str, Any, Any]] = [
        ("numeric", scaler, columns.of("numeric")),
        ("boolean", boolean, columns.of("boolean")),
        ("date", Seasons(never_empty=hashed), columns.of("date")),
        ("categorical", HashedCategories(width), columns.of("categorical")),
        *((text_step(columns, name), HashingVectorizer(n_features=width), name) for name in columns.of("text")),
    ]
    return ColumnTransformer([step for step in steps if step[2]], sparse_threshold=1.0 if hashed else 0.0)


def hashed_width(n_classes: int) -> int:
    """How many features strings are hashed into: every class has three numbers for each of them.

    >>> from foldless.streams._preparation import hashed_width
    >>> hashed_width(2), hashed_width(42), hashed_width(100), hashed_width(3002)
    (262144, 262144, 65536, 2048)
    """
    width = N_HASHED
    while width > FEWEST and n_classes * width * WEIGHT_BYTES > STATE:
        width //= 2
    return width


def describe(columns: Columns) -> str:
    done = {
        "numeric": "scaled",
        "boolean": "as 0 and 1",
        "date": "by year, week and day where the first rows cover a full cycle",
        "categorical": "hashed",
        "text": "hashed",
    }
    parts = [f"{n} {kind} {what}" for kind, n in columns.count().items() for what in [done[kind]]]
    return ", ".join(parts) + "; missing values imputed" * (columns.missing == "impute")
