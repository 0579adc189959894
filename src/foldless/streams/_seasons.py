"""Dates of a stream: what comes again, as points on circles of radius 1, and nothing that only grows.

Year and running days, which tables have, leave the range of the first rows of a stream that is ordered by time, and a
model then follows a number that it has never seen. The time of the year, the weekday and the hour come again:

    φ ∈ [0, 1) ↦ (sin 2πφ, cos 2πφ),  so that December is beside January.

A circle is there only if the first rows go round it, for on an arc it is one more number that grows: a stream whose
first rows last a month has weekdays and hours, and no time of the year. A missing date is the center of its circles.
"""

from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from foldless.core import Array
from foldless.saving._names import saved

DAYS = np.array([366.0, 7.0, 1.0])  # of a year (a common one ends a day before its circle does), a week and a day


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
    >>> from foldless.streams._seasons import Seasons
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
        self.round_ = np.array([_goes_round(values[~np.isnat(values)]) for values in _columns(frame)])
        return self

    def transform(self, X: Any) -> Array:
        """Sine and cosine of each circle, column by column."""
        check_is_fitted(self)
        blocks = []
        for values, kept in zip(_columns(pd.DataFrame(X)), self.round_, strict=True):
            turns = 2 * np.pi * _phases(values)[:, kept]
            points = np.stack([np.sin(turns), np.cos(turns)], axis=2).reshape(len(values), 2 * int(kept.sum()))
            blocks.append(np.nan_to_num(points, nan=0.0))
        circles = np.hstack(blocks)
        fill = not circles.shape[1] and getattr(self, "never_empty", False)  # files of 0.2 do not have it
        return np.zeros((len(circles), 1)) if fill else circles


def _columns(frame: pd.DataFrame) -> list[Array]:
    return [frame.iloc[:, at].to_numpy(dtype="datetime64[us]") for at in range(frame.shape[1])]


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
