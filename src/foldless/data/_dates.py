"""Dates as numbers: year, month, day, weekday, the hour where it varies, and days since the earliest training date.

A model of numbers sees seasons in the parts and trends in the days. The earliest date is learned in ``fit``, inside the
candidate, so that no fold sees another.
"""

import datetime
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from foldless.saving._names import saved

PARTS = ("year", "month", "day", "weekday", "hour", "days")
DAY, HOUR = np.timedelta64(1, "D"), np.timedelta64(1, "h")


@saved("foldless.saving")
class DateParts(TransformerMixin, BaseEstimator):
    """Columns of ``datetime64`` as columns of numbers; a missing date is NaN in all of them.

    Weekdays count from Monday, 0; hours have their minutes as a fraction.

    Attributes
    ----------
    earliest_ : for each column, the earliest date in training, in days since 1970-01-01
    hours_ : for each column, whether its time of day varied in training
    feature_names_in_, n_features_in_ : as everywhere in scikit-learn

    Examples
    --------
    >>> import pandas as pd
    >>> from foldless.data._dates import DateParts
    >>> parts = DateParts().fit(pd.DataFrame({"when": pd.to_datetime(["2024-02-28", "2024-03-01"])}))
    >>> parts.get_feature_names_out().tolist()
    ['when_year', 'when_month', 'when_day', 'when_weekday', 'when_days']
    >>> parts.transform(pd.DataFrame({"when": pd.to_datetime(["2024-03-02"])})).tolist()
    [[2024.0, 3.0, 2.0, 5.0, 3.0]]
    """

    def fit(self, X: Any, y: Any = None) -> "DateParts":  # noqa: ARG002 (scikit-learn's signature)
        """Learn the earliest dates."""
        frame = pd.DataFrame(X)
        self.feature_names_in_ = np.asarray([str(name) for name in frame.columns], dtype=object)
        self.n_features_in_ = frame.shape[1]
        earliest, hours = [], []
        for parts in map(parts_of_dates, date_columns(frame)):
            known = parts[~np.isnan(parts[:, 0])]
            earliest.append(known[:, -1].min() if len(known) else 0.0)
            hours.append(bool(len(known)) and np.ptp(known[:, PARTS.index("hour")]) > 0)
        self.earliest_, self.hours_ = np.array(earliest, dtype=np.float64), np.array(hours, dtype=bool)
        return self

    def transform(self, X: Any) -> NDArray[np.float64]:
        check_is_fitted(self)
        blocks = []
        for values, earliest, kept in zip(date_columns(pd.DataFrame(X)), self.earliest_, self._kept(), strict=True):
            parts = parts_of_dates(values)
            parts[:, -1] -= earliest
            blocks.append(parts[:, kept])
        return np.hstack(blocks)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """``when_year``, ``when_month`` and so on."""
        check_is_fitted(self)
        names = self.feature_names_in_ if input_features is None else input_features
        pairs = zip(names, self._kept(), strict=True)
        return np.asarray([f"{name}_{PARTS[at]}" for name, kept in pairs for at in kept], dtype=object)

    def _kept(self) -> list[list[int]]:
        return [[at for at, part in enumerate(PARTS) if part != "hour" or varied] for varied in self.hours_]


def iso(moment: datetime.date) -> str:
    """A date or a time as ISO writes it; midnight is left out, for files that know no dates without times.

    >>> iso(datetime.date(2024, 2, 29)), iso(datetime.datetime(2024, 2, 29)), iso(datetime.datetime(2024, 2, 29, 9, 30))
    ('2024-02-29', '2024-02-29', '2024-02-29T09:30:00')
    """
    return moment.isoformat().removesuffix("T00:00:00")


def date_columns(frame: pd.DataFrame) -> list[NDArray[np.datetime64]]:
    """The columns of a frame of dates, in microseconds."""
    return [frame.iloc[:, at].to_numpy(dtype="datetime64[us]") for at in range(frame.shape[1])]


def parts_of_dates(values: NDArray[np.datetime64]) -> NDArray[np.float64]:
    """The parts of one column, in the order of `PARTS`; the days are since 1970-01-01."""
    days, months, years = (values.astype(f"datetime64[{unit}]") for unit in "DMY")
    columns = (
        years.astype(np.int64) + 1970,
        months.astype(np.int64) % 12 + 1,
        (days - months.astype("datetime64[D]")) / DAY + 1,
        (days.astype(np.int64) + 3) % 7,  # 1970-01-01 was a Thursday
        (values - days) / HOUR,
        (values - np.datetime64(0, "us")) / DAY,
    )
    parts = np.column_stack([np.asarray(column, dtype=np.float64) for column in columns])
    parts[np.isnat(values)] = np.nan
    return parts
