"""What checks look at: the sample of a call, its columns as they were passed, and out-of-fold answers of a cheap model.

A check asks for what it needs, and each of it is computed once: kinds of columns, ids, copies, fits.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, Protocol

import numpy as np
import pandas as pd

from foldless.checks._stored_hashes import stored_hashes
from foldless.checks._tables import some_rows
from foldless.checks._together import Units, units
from foldless.core import Array, Classes
from foldless.data._columns import absent, moments, recognize
from foldless.data._group_columns import GroupVerdict, group_columns
from foldless.data._id_columns import IdVerdict, id_columns
from foldless.data._sample import Sample
from foldless.errors import BadInput
from foldless.results import Selection

MAX_COLUMNS = 500  # columns that are looked at one by one; of more, evenly spaced ones: time is the reason
MAX_READ = 100_000  # rows of a pool that are read where no hash is enough
UNKNOWN = "other"
SEEN = 1000  # values by which a type is recognized


@dataclass(frozen=True, eq=False)
class Variant:
    """The labeled rows in another form, of which the estimate is made once more: how much a finding matters.

    Rows and columns to leave out, groups of rows to keep together in folds, or other class codes. ``test_rows`` are
    rows of the test file to leave out. ``units`` are equal for rows that are one observation, which an interval counts
    as one. ``words`` say what was done.
    """

    rows: Array = field(default_factory=lambda: np.empty(0, dtype=int))
    columns: tuple[Any, ...] = ()
    together: Array | None = None
    codes: Array | None = None
    test_rows: Array | None = None
    units: Array | None = None
    words: str = "without them"

    @property
    def key(self) -> tuple[Any, ...]:
        """Equal for equal forms, so that each is fitted once."""
        arrays = (self.rows, self.together, self.codes)
        return (self.columns, *(None if array is None else np.asarray(array).tobytes() for array in arrays))


class HeldOutAnswers(NamedTuple):
    """What a cheap model says of labeled rows that it was not trained on.

    ``rows`` are their positions, ``codes`` their classes, ``right`` how often it was right of each, ``once`` whether it
    was in the first repetition, ``probabilities`` (n, K) of the classes, ``units`` what is independent, and ``model``
    its name. Of numbers to predict, ``codes`` are the numbers, ``probabilities`` the predictions, and the mean of
    ``right`` is R².
    """

    rows: Array
    codes: Array
    right: Array
    once: Array
    probabilities: Array
    units: Array
    model: str = ""


class OutOfFold(Protocol):
    """A cheap model, trained without each fold in turn."""

    @property
    def model(self) -> str:
        """The name of the model."""

    @property
    def quantity(self) -> str:
        """What the mean of the answers is an estimate of: "accuracy" or "R²"."""

    @property
    def failed(self) -> bool:
        """Whether no model can be trained on these rows."""

    def answers(self, variant: Variant | None = None) -> HeldOutAnswers | None:
        """Of the labeled rows, or of another form of them; None where there is no time left, or no model."""

    def blended(self) -> Array | None:
        """The mean prediction of all models that were tried, for the same rows: less sure than one of them."""

    def on_test(self) -> Array | None:
        """For each test row, how right the model is that is trained on all labels; the mean is the estimate."""

    def leave_out(self, columns: tuple[Any, ...]) -> None:
        """Leave columns out of every form from now on."""


class Names(NamedTuple):
    """What messages call the labeled rows, the pool and the test rows."""

    labeled: str = "the labels"
    pool: str = "the pool"
    test: str = "the test rows"


@dataclass(frozen=True, eq=False)
class CheckedData:
    """The data of a call.

    ``labeled``, ``pool`` and ``test`` are data frames with all columns as they were passed; None where rows have no
    columns (sparse rows), or are not there. The columns of the ``sample`` are those that all parts have.
    """

    sample: Sample
    labeled: pd.DataFrame | None = None
    pool: pd.DataFrame | None = None
    test: pd.DataFrame | None = None
    names: Names = field(default_factory=Names)
    fits: OutOfFold | None = None
    selection: Selection | None = None
    fast: bool = False
    keep: tuple[Any, ...] = ()

    @property
    def n(self) -> int:
        return len(self.sample.y)

    @property
    def codes(self) -> Array | None:
        """The class codes of the labeled rows; None where labels are numbers to predict."""
        return self.sample.y if isinstance(self.sample.target, Classes) else None

    @property
    def classes(self) -> list[Any]:
        """The classes as the user calls them."""
        return list(self.sample.classes.tolist())

    @property
    def parts(self) -> dict[str, pd.DataFrame]:
        """Pool and test rows by what messages call them, with all columns, as far as there are any."""
        parts = {self.names.pool: self.pool, self.names.test: self.test}
        return {name: frame for name, frame in parts.items() if frame is not None}

    @cached_property
    def others(self) -> dict[str, pd.DataFrame]:
        """The same with the columns whose values can be compared with those of the labels."""
        if self.labeled is None:
            return {}
        mine = self.labeled
        return {
            part: frame[[name for name in self.read if name in frame and same_types(mine[name], frame[name])]]
            for part, frame in self.parts.items()
        }

    def numbers(self, rows: Array) -> Array:
        """The numbers of labeled rows in what the user passed."""
        rows = np.asarray(rows, dtype=int)
        return rows if self.sample.numbers is None else np.asarray(self.sample.numbers)[rows]

    @cached_property
    def read(self) -> list[Any]:
        """The columns that are looked at one by one."""
        if self.labeled is None:
            return []
        names = list(self.labeled.columns)
        at = np.linspace(0, len(names) - 1, min(len(names), MAX_COLUMNS)).astype(int)
        return [names[place] for place in at]

    @cached_property
    def kinds(self) -> Mapping[Any, str]:
        """What each column holds: numeric, boolean, date, categorical, text, or anything else."""
        if self.labeled is None:
            return {}
        return {name: kind_of(self.labeled[name]) for name in self.read}

    def of(self, *kinds: str) -> list[Any]:
        return [name for name, kind in self.kinds.items() if kind in kinds]

    @cached_property
    def ids(self) -> dict[Any, IdVerdict]:
        if self.labeled is None or self.labeled.shape[1] < 2:
            return {}
        names = [name for name in self.read if isinstance(name, str) and name not in self.keep]
        return id_columns(self.tables, np.arange(self.n), self.sample.y, names)

    @cached_property
    def group_like(self) -> dict[Any, GroupVerdict]:
        if self.labeled is None:
            return {}
        names = [name for name in self.read if isinstance(name, str) and name not in self.ids]
        return group_columns(self.tables, np.arange(self.n), self.sample.y, names)

    @cached_property
    def tables(self) -> list[pd.DataFrame]:
        """Labeled rows and pool as tables."""
        assert self.labeled is not None
        pool = self.others.get(self.names.pool)
        return [self.labeled] if pool is None or not len(pool) else [self.labeled, some_rows(pool, MAX_READ)]

    @cached_property
    def units(self) -> Units:
        return units(self.sample)

    @cached_property
    def sorted_pool_hashes(self) -> Array:
        """A number for each row of the pool, equal for equal rows, in ascending order; one in files is read for it."""
        if self.sample.stored is not None:
            return stored_hashes(self.sample.stored)
        return np.sort(self.sample.row_hashes.of(self.sample.pool))

    @cached_property
    def numeric(self) -> dict[Any, Array]:
        """The columns of numbers, dates as numbers of days and texts by their length, NaN for what is missing."""
        if self.labeled is None:
            return {}
        columns = {name: as_floats(self.labeled[name]) for name in self.of("numeric", "boolean", "date")}
        lengths = {name: self.labeled[name].astype(object).map(_length) for name in self.of("text")}
        return columns | {f"length of {name}": values.to_numpy(dtype=float) for name, values in lengths.items()}


def kind_of(values: "pd.Series[Any]") -> str:
    """What a column holds, by the rules of files."""
    try:
        return str(recognize(values.rename("column").to_frame(), "the labels").kinds["column"])
    except (BadInput, TypeError, ValueError, AttributeError):  # no values, or such as no model reads or compares
        return UNKNOWN


def as_floats(values: "pd.Series[Any]") -> Array:
    """Numbers, or dates as numbers of days; NaN for what is missing."""
    if pd.api.types.is_numeric_dtype(values.dtype) or pd.api.types.is_bool_dtype(values.dtype):
        return np.asarray(values.to_numpy(dtype=float, na_value=np.nan))
    dates = moments(values).to_numpy(dtype="datetime64[us]")
    days = dates.astype("int64") / 86_400e6
    return np.where(np.isnat(dates), np.nan, days)


def is_missing(values: "pd.Series[Any]") -> Array:
    """Which values are missing; an empty string is."""
    return np.asarray(absent(values), dtype=bool)


def _length(value: Any) -> float:
    return float(len(value)) if isinstance(value, str) else np.nan


def same_types(first: "pd.Series[Any]", second: "pd.Series[Any]") -> bool:
    return types_apart(first, second) is None


def types_apart(first: "pd.Series[Any]", second: "pd.Series[Any]") -> tuple[str, str] | None:
    """The types of two columns where they differ."""
    types = _type(first), _type(second)
    return None if types[0] == types[1] or "nothing" in types else types


def _type(values: "pd.Series[Any]") -> str:
    known = values[~is_missing(values)].iloc[:SEEN]
    if not len(known):
        return "nothing"
    if pd.api.types.is_bool_dtype(known.dtype) or pd.api.types.is_numeric_dtype(known.dtype):
        return "numbers"
    if pd.api.types.is_datetime64_any_dtype(known.dtype) or str(known.dtype).startswith(("date", "timestamp")):
        return "dates"
    if all(isinstance(value, int | float) for value in known):
        return "numbers"
    return "dates" if moments(known).notna().all() else "words"
