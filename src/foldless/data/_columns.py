"""Recognize what the columns of a table hold, and make the preparation that goes inside a candidate.

The preparation is inside so that each fit learns it from its own training rows, and no fold sees another. Outside is
only what no other row can influence: types, and a mark for missing values.

numeric      scaled to mean 0 and variance 1 (to [0, 1] where a model wants no negative values)
boolean      0 or 1
date         year, month, day, weekday, hour where it varies, days since the earliest in training; scaled
categorical  one column of 0 and 1 per category; a category that was not seen in training is all 0
text         tf-idf with a logarithmic term frequency

The features of a sparse matrix are divided by their largest absolute value, which leaves zeros zero.

A column of strings is a *date* when all of them are written as ISO dates; it is *text* when its values rarely repeat
(each occurs less than three times on average) and are long (two words or thirty characters on average, or more);
otherwise, and when its type says so, it is *categorical*. Kinds that the user has ``chosen`` are taken as they are.
"""

import datetime
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd
import pyarrow as pa
from sklearn.compose import ColumnTransformer
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler, MinMaxScaler, OneHotEncoder, StandardScaler

from foldless.data._dates import DateParts, iso
from foldless.data._single_precision import BEYOND, LARGEST, REMEDY
from foldless.errors import BadInput, DropColumns, Impute, Way, counted, some, some_columns
from foldless.io._table import without_point
from foldless.results.finding import Finding

Missing = Literal["error", "impute"]
Kind = Literal["numeric", "boolean", "date", "categorical", "text"]

REPEATS, WORDS, CHARACTERS = 3, 2, 30
MANY = 1000  # columns
DENSE_CATEGORIES = 100  # with more of them, a dense matrix is mostly zeros
READ = "numeric", "boolean", "date", "words"  # families of columns
STRINGS = pa.types.is_string, pa.types.is_large_string, pa.types.is_dictionary
CONTAINERS = list, dict, set, np.ndarray  # of many values
ARGUMENTS = "X", "the data frame"  # what messages call rows that are no file
READ_WORDS = partial(TfidfVectorizer, sublinear_tf=True)
ISO = re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?)?( ?(Z|[-+]\d\d(:?\d\d)?))?")

ZONE = re.compile(r"\d\d:\d\d(?::\d\d(?:\.\d+)?)? ?(?:Z|[-+]\d\d(?::?\d\d)?)$")
ZONES = "foldless time zones"  # an attribute of prepared tables


@dataclass(frozen=True)
class Columns:
    """The columns of a table by what they hold.

    ``chosen`` are the columns whose kind the user chose; ``width`` is the number of features of a sparse matrix, which
    has no named columns; ``n_characters`` is the mean length of the texts of a row; ``notes`` are sentences a user
    should read.
    """

    kinds: dict[str, Kind]
    missing: Missing = "error"
    n_categories: int = 0
    notes: tuple[str, ...] = field(default=(), compare=False)
    chosen: tuple[str, ...] = ()
    width: int = 0
    n_characters: float = 0.0

    def of(self, kind: Kind) -> list[str]:
        return [name for name, its in self.kinds.items() if its == kind]

    def count(self) -> dict[str, int]:
        if self.width:
            return {"sparse": self.width}
        return {kind: len(self.of(kind)) for kind in get_args(Kind) if self.of(kind)}

    @property
    def sparse(self) -> bool:
        """Whether the prepared matrix should be sparse."""
        return bool(self.width or self.of("text")) or self.n_categories > DENSE_CATEGORIES

    def describe(self) -> str:
        if self.width:
            return f"sparse features with numbers up to {self.width - 1} scaled to [−1, 1]"
        done: dict[Kind, str] = {
            "numeric": "scaled",
            "boolean": "as 0 and 1",
            "date": "as year, month, day, weekday, hour and days since the first",
            "categorical": "encoded",
            "text": "as tf-idf",
        }
        parts = [f"{_counted(kind, self.of(kind))} {what}" for kind, what in done.items() if self.of(kind)]
        parts += [f"{name!r} as {self.kinds[name]} on request" for name in self.chosen]
        return "; ".join(parts) + "; missing values imputed" * (self.missing == "impute")


def recognize(
    frame: pd.DataFrame, source: str, missing: Missing = "error", chosen: Mapping[str, Kind] | None = None
) -> Columns:
    """The kinds of the columns of a table; messages call it ``source``, ``chosen`` are kinds that the user set."""
    chosen = chosen or {}
    kinds: dict[str, Kind] = {}
    notes: list[str] = []
    n_categories, n_characters = 0, 0.0
    for column, values in frame.items():
        name = str(column)
        if (family := _family(values)) not in READ:
            raise _unread(frame, family, source)
        kinds[name] = kind = _kind(values, family, chosen.get(name))
        if kind == "text":
            n_characters += float(values[~absent(values)].astype(str).str.len().mean())
        if kind != "categorical":
            continue
        distinct = values[~absent(values)].nunique()
        n_categories += distinct
        if distinct == len(values) > 2 * REPEATS:
            problem = f"column {name!r} has another value in each row of {source}"
            remedy = _without((name,), source, "if it only identifies the row, ")
            notes.append(Finding("FL010", problem, columns=[name], remedy=remedy))
    on_request = tuple(name for name in kinds if name in chosen)
    return Columns(kinds, missing, n_categories, tuple(notes), on_request, n_characters=round(n_characters, 1))


def prepare(frame: pd.DataFrame, columns: Columns, source: str, like: str) -> pd.DataFrame:
    """The recognized columns of a table in plain types; an error where it has others than the table ``like``.

    Numbers and booleans are float64, dates ``datetime64`` in universal time, the others strings.
    """
    check_columns(list(frame), columns, source, like)
    finite = _finite_numbers(frame, [name for name in columns.of("numeric") if name not in columns.chosen])
    others = {name: _plain(frame[name], columns, source, like) for name in columns.kinds if name not in finite}
    prepared = pd.DataFrame(others)
    if len(finite.columns):
        prepared = pd.concat([finite, prepared], axis=1)[list(columns.kinds)] if others else finite
    if columns.of("date"):  # prepared, all are in universal time
        prepared.attrs[ZONES] = {name: zoned(frame[name]) for name in columns.of("date")}
    return prepared


def time_zones(frame: Any) -> dict[str, float]:
    """The share of dates that have a time zone, of each column of dates of a table, prepared or not."""
    if not isinstance(frame, pd.DataFrame):
        return {}
    if ZONES in frame.attrs:
        return dict(frame.attrs[ZONES])
    dates = [at for at, dtype in enumerate(frame.dtypes) if pd.api.types.is_datetime64_any_dtype(dtype)]
    return {str(frame.columns[at]): zoned(frame.iloc[:, at]) for at in dates}


def zoned(values: "pd.Series[Any]") -> float:
    """The share of dates with a time zone.

    Examples
    --------
    >>> zoned(pd.Series(["2026-01-01T08:00+02:00", "2026-01-01T08:00", "2026-01-01T08:00Z", "2026-01-01"]))
    0.5
    """
    if pa.types.is_timestamp(arrow := arrow_type(values.dtype)):
        return float(arrow.tz is not None)
    if _family(values) != "words":
        return float(isinstance(values.dtype, pd.DatetimeTZDtype))
    return float(values.dropna().map(str).str.contains(ZONE).mean()) if values.notna().any() else 0.0


def _finite_numbers(frame: pd.DataFrame, names: Sequence[str]) -> pd.DataFrame:
    """The columns of numbers of single precision, none missing: thousands at once, where each alone takes long."""
    types = frame.dtypes.to_dict()
    numeric, boolean = pd.api.types.is_numeric_dtype, pd.api.types.is_bool_dtype
    plain = [name for name in names if numeric(types[name]) and not boolean(types[name])]
    block = frame[plain].to_numpy(dtype=np.float64, na_value=np.nan)
    kept = np.flatnonzero((np.abs(block) <= LARGEST).all(axis=0))
    return pd.DataFrame(block[:, kept], index=frame.index, columns=[plain[at] for at in kept])


def transformer(
    columns: Columns,
    *,
    nonnegative: bool = False,
    dense: bool = False,
    whole: bool = True,
    text: Callable[[], Any] = READ_WORDS,
) -> ColumnTransformer:
    """The preparation of prepared columns, for a model that may want no negative values or no sparse matrix.

    ``whole`` says that the table has these columns and no others, ``text`` makes what reads a column of texts.
    """
    sparse = columns.sparse and not dense
    if columns.width:
        scaled = [("features", MaxAbsScaler(), slice(0, columns.width))]
        return ColumnTransformer(scaled, sparse_threshold=1.0 if sparse else 0.0)
    scaler = MinMaxScaler(clip=True) if nonnegative else StandardScaler()
    boolean: Any = "passthrough"
    if columns.missing == "impute":
        from sklearn.impute import SimpleImputer

        scaler = make_pipeline(SimpleImputer(strategy="median", keep_empty_features=True), scaler)
        boolean = SimpleImputer(strategy="most_frequent", keep_empty_features=True)
    steps: list[tuple[str, Any, Any]] = [
        ("numeric", scaler, _many(columns, "numeric", whole)),
        ("boolean", boolean, _many(columns, "boolean", whole)),
        ("date", make_pipeline(DateParts(), scaler), columns.of("date")),
        ("categorical", OneHotEncoder(handle_unknown="ignore", sparse_output=sparse), columns.of("categorical")),
        *((text_step(columns, name), text(), name) for name in columns.of("text")),
    ]
    return ColumnTransformer([step for step in steps if step[2]], sparse_threshold=1.0 if sparse else 0.0)


def _many(columns: Columns, kind: Kind, whole: bool) -> list[str] | slice:
    """The columns of a kind; from first to last where they are many and no other is between: names are searched."""
    names = columns.of(kind)
    if len(names) <= MANY or not whole:
        return names
    everything = list(columns.kinds)
    first = everything.index(names[0])
    return slice(names[0], names[-1]) if everything[first : first + len(names)] == names else names


def text_step(columns: Columns, name: str) -> str:
    """The name of the step of a text column; scikit-learn's have no double underscore."""
    return f"text #{list(columns.kinds).index(name)}" if "__" in name else f"text {name}"


def _unread(frame: pd.DataFrame, family: str, source: str) -> BadInput:
    """What to say of a column that no model reads, and of the others that have no values, or have such types, too."""
    families = {str(name): _family(values) for name, values in frame.items()}
    names = [name for name, its in families.items() if its not in READ and (its == "empty") == (family == "empty")]
    types = some(list(dict.fromkeys(families[name] for name in names)), written=str)
    have, hold, them = ("have", "hold", "them") if len(names) > 1 else ("has", "holds", "it")
    ways: tuple[Way, ...] = (_without(names, source),)
    what = f"{have} no values"
    if family != "empty":
        what, ways = f"{hold} values of type {types}, which no model reads", (f"turn {them} into numbers", *ways)
    return BadInput(f"{some_columns(names)} of {source} {what}", value=names, place=source, remedy=ways)


def _kind(values: "pd.Series[Any]", family: str, chosen: Kind | None) -> Kind:
    if chosen is not None:
        return chosen
    if family != "words":
        known: dict[str, Kind] = {"numeric": "numeric", "boolean": "boolean", "date": "date"}
        return known[family]
    if isinstance(values.dtype, pd.CategoricalDtype):
        return "categorical"
    strings = values[~absent(values)].astype(str)
    if moments(strings.iloc[:REPEATS]).notna().all() and moments(strings).notna().all():  # most columns have no date
        return "date"
    if len(strings) >= REPEATS * strings.nunique():
        return "categorical"
    long = strings.str.count(r"\S+").mean() >= WORDS or strings.str.len().mean() >= CHARACTERS
    return "text" if long else "categorical"


def _family(values: "pd.Series[Any]") -> str:
    """Numeric, boolean, date, words or empty; the name of the type for anything else."""
    dtype = values.dtype
    if values.isna().all():
        return "empty"
    if pd.api.types.is_bool_dtype(dtype) and not isinstance(dtype, pd.CategoricalDtype):
        return "boolean"
    if pd.api.types.is_object_dtype(dtype):
        containers = (type(value).__name__ for value in values.iloc[:1000] if isinstance(value, CONTAINERS))
        return next(containers, "words")
    arrow = arrow_type(dtype)
    if isinstance(dtype, pd.CategoricalDtype | pd.StringDtype) or any(are_strings(arrow) for are_strings in STRINGS):
        return "words"
    if pd.api.types.is_numeric_dtype(dtype):
        return "numeric"
    if pa.types.is_date(arrow) or pd.api.types.is_datetime64_any_dtype(dtype):
        return "date"
    return str(dtype).removesuffix("[pyarrow]")


def arrow_type(dtype: Any) -> pa.DataType:
    """The type in Arrow of a column that pandas keeps there; null for any other."""
    return dtype.pyarrow_dtype if isinstance(dtype, pd.ArrowDtype) else pa.null()


def absent(values: "pd.Series[Any]") -> "pd.Series[bool]":
    """Missing values; an empty string is one too, because a CSV file has no other."""
    return values.isna() | (values.astype(object) == "") if _family(values) == "words" else values.isna()


def check_columns(names: Sequence[Any], columns: Columns, source: str, like: str) -> None:
    """Whether a table with columns of these names has those of the table ``like``, and no others."""
    known = set(names)
    lacks = [name for name in columns.kinds if name not in known]
    if lacks:
        remedy = ("add them" if len(lacks) > 1 else "add it", *_trained_without(lacks, source))
        raise BadInput(f"{source} lacks {some_columns(lacks)} of {like}", value=lacks, place=source, remedy=remedy)
    extra = [str(name) for name in names if name not in columns.kinds]
    if extra:
        problem = f"{source} has {some_columns(extra)}, which {like} does not have"
        raise BadInput(problem, value=extra, place=source, remedy=_without(extra, source))


def _plain(values: "pd.Series[Any]", columns: Columns, source: str, like: str) -> "pd.Series[Any]":
    name = str(values.name)
    kind = columns.kinds[name]
    family = _family(values := values.infer_objects() if kind in ("numeric", "boolean") else values)
    if name not in columns.chosen and family != "empty" and not _fits(values, family, kind):
        odd = _first_odd(values, kind)
        problem = f"column {name!r} is {_named(kind)} in {like} and {_named(family)} in {source}{odd}"
        remedy = ("give it the same type in both", *_trained_without([name], source))
        raise BadInput(problem, value=name, place=source, remedy=remedy)
    lacking = absent(values)
    if lacking.any() and columns.missing == "error":
        n, row = int(lacking.sum()), int(np.argmax(lacking)) + 1
        what = f"has no value in {counted(n, 'row')}, first in row {row}"
        raise _bad(name, source, what, "fill it", Impute())
    if kind in ("text", "categorical"):
        return values.astype(object).mask(lacking, "" if kind == "text" else "missing").map(_written).astype(object)
    if kind == "date":
        return moments(values)
    numbers = pd.Series(values.to_numpy(dtype=np.float64, na_value=np.nan), index=values.index, name=name)
    infinite = np.isinf(numbers)
    if infinite.any():
        what = f"is infinite in row {int(np.argmax(infinite)) + 1}"
        raise _bad(name, source, what, "replace the value by a number", Impute("leave it empty"))
    beyond = np.abs(numbers) > LARGEST
    if beyond.any():
        first = int(np.argmax(beyond))
        what = BEYOND.format(value=numbers.iloc[first], row=first + 1)
        raise _bad(name, source, what, *REMEDY, Impute("leave it empty"))
    return numbers


def _without(names: Sequence[str], source: str, when: str = "") -> DropColumns:
    """Leave columns out of a file, or of rows in Python, where no argument does so."""
    return DropColumns(tuple(names), when, source if source in ARGUMENTS else "")


def _trained_without(names: Sequence[str], source: str) -> tuple[Way, ...]:
    """Files are read for training and for predictions; rows in Python are what a trained model is given."""
    return () if source in ARGUMENTS else (DropColumns(tuple(names)),)


def _bad(name: str, source: str, what: str, *remedies: Way) -> BadInput:
    return BadInput(f"column {name!r} of {source} {what}", value=name, place=source, remedy=remedies)


def _fits(values: "pd.Series[Any]", family: str, kind: Kind) -> bool:
    if kind == "date" and family == "words":
        return bool((moments(values).notna() | absent(values)).all())
    if kind in ("text", "categorical") and family == "date":  # dates as the strings that they were in another file
        return True
    return family == ("words" if kind in ("text", "categorical") else kind)


def moments(values: "pd.Series[Any]") -> "pd.Series[Any]":
    """Dates, or strings that are written like them, in universal time; NaT for anything else."""
    if _family(values) != "date":
        strings = values.astype(object).map(str)
        like = strings.map(lambda text: ISO.fullmatch(text) is not None).astype(bool)
        if not like.any():
            return pd.Series(np.full(len(values), "NaT", dtype="datetime64[us]"), index=values.index)
        values = pd.to_datetime(strings.where(like, None), format="ISO8601", utc=True, errors="coerce")
    elif isinstance(values.dtype, pd.ArrowDtype):
        stamps = pa.chunked_array([pa.array(values)]).cast(pa.timestamp("us"), safe=False)
        return pd.Series(stamps.to_numpy(), index=values.index, name=values.name).astype("datetime64[us]")
    if isinstance(values.dtype, pd.DatetimeTZDtype):
        values = values.dt.tz_convert("UTC").dt.tz_localize(None)
    return values.astype("datetime64[us]")


def has_zone(values: "pd.Series[Any]") -> set[bool]:
    """Whether times of day have a time zone: True, False or both; empty for dates without times."""
    if _family(values) == "words":
        written = values.dropna().astype(str).map(ISO.fullmatch)
        times = [match for match in written if match is not None and match[1]]
        return {match[4] is not None for match in times}
    dtype = values.dtype
    zone = getattr(dtype, "tz", getattr(getattr(dtype, "pyarrow_dtype", None), "tz", None))
    plain = moments(values).dropna()
    return {zone is not None} if (plain != plain.dt.normalize()).any() else set()


def _written(value: Any) -> str:
    """A value as a string: whole numbers without a point, dates as ISO writes them."""
    return iso(value) if isinstance(value, datetime.date) else str(without_point(value))


def _first_odd(values: "pd.Series[Any]", kind: Kind) -> str:
    """The first string where numbers or dates were expected."""
    if kind not in ("numeric", "date") or _family(values) != "words":
        return ""
    strings = values.astype(object)
    read = moments(values) if kind == "date" else pd.to_numeric(strings, errors="coerce")
    odd = (read.isna() & ~absent(values)).to_numpy()
    return f" ({strings.iloc[int(np.argmax(odd))]!r} in row {int(np.argmax(odd)) + 1})" if odd.any() else ""


def _named(family: str) -> str:
    return {"words": "made of strings", "date": "a date"}.get(family, family)


def _counted(kind: str, names: list[str]) -> str:
    shown = ", ".join(map(repr, names[:3])) + ", …" * (len(names) > 3)
    named = f" ({shown})" if kind in ("text", "date") else ""
    return f"{counted(len(names), f'{kind} column')}{named}"
