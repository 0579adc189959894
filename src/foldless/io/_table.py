"""The table of a file: columns of one kind have the same form, whatever the format of the file."""

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.compute

from foldless.core._memory import check_room
from foldless.errors import BadInput
from foldless.io._dialect import Dialect
from foldless.io._sources import Source

INDEX = re.compile(r"__index_level_\d+__")
NULLABLE = {pa.bool_(): pd.BooleanDtype(), pa.int64(): pd.Int64Dtype(), pa.uint64(): pd.UInt64Dtype()}
MAX_COLUMNS = 100_000  # a million take minutes to be told apart and scaled
PER_COLUMN = 10_000  # bytes, as a table of a million columns was measured


@dataclass(frozen=True, eq=False)
class Table:
    """What a file holds, the name by which messages call it, and what a user should know about the reading.

    ``features`` is the sparse matrix of a file whose columns have no names; its ``frame`` then holds only the label.
    ``source`` is the text that it was read from and ``fmt`` its format, by which values are found again as they were
    written, with the ``dialect`` of delimited text; ``exact`` are the columns that the frame has only rounded,
    ``indices`` those that it has not, with the place that they have in the file.
    """

    name: str
    frame: pd.DataFrame
    notes: tuple[str, ...] = ()
    features: Any = None
    source: Source | None = None
    fmt: str | None = None
    dialect: Dialect | None = None
    exact: Mapping[str, "pd.Series[Any]"] = field(default_factory=dict)
    indices: Mapping[str, tuple[int, "pd.Series[Any]"]] = field(default_factory=dict)


def table_of(
    name: str, arrow: pa.Table, source: Source | None = None, fmt: str | None = None, dialect: Dialect | None = None
) -> Table:
    """An Arrow table in the forms of this package; text files say from where and in which format it comes."""
    check_names(name, arrow.column_names)
    if not arrow.num_rows:
        raise BadInput(f"{name} has a header and no rows: add rows below it")
    names = [column for column in arrow.column_names if not INDEX.fullmatch(column)]
    indices = [column for column in arrow.column_names if INDEX.fullmatch(column)]
    if not names:
        raise BadInput(f"{name} has only the column {indices[0]!r}, an index of pandas: write other columns too")
    frame = pd.DataFrame({column: _series(arrow.column(column), name, column) for column in names})
    decimals = [column for column in names if pa.types.is_decimal(arrow[column].type)]
    exact = {column: arrow[column].to_pandas(types_mapper=pd.ArrowDtype) for column in decimals}
    notes = tuple(f"the column {column!r}, an index of pandas, is not read" for column in indices)
    place = arrow.column_names.index
    unread = {column: (place(column), _series(arrow.column(column), name, column)) for column in indices}
    table = Table(name, frame, notes, source=source, fmt=fmt, dialect=dialect, exact=exact, indices=unread)
    if "" not in names:
        return table
    if names[0] == "" and pd.api.types.is_integer_dtype(frame[""]) and frame[""].is_unique:
        note = "the first column, an index that pandas wrote, is not read"
        unread = {"": (place(""), frame[""]), **unread}
        return replace(table, frame=frame.drop(columns=""), notes=(*notes, note), indices=unread)
    raise BadInput(f"column {names.index('') + 1} of {name} has no name: name it in the header")


def check_names(name: str, columns: list[str]) -> None:
    """Refuse a table without columns, or with a name twice."""
    if not columns:
        raise BadInput(f"{name} has no columns: it needs a header and rows")
    check_width(name, len(columns))
    if (column := first_repeated(columns)) is not None:
        raise BadInput(f"column {column!r} occurs twice in {name}: rename or delete one of them")


def check_width(name: str, n_columns: int) -> None:
    """Refuse a table with too many columns: each costs much more than its values."""
    fewer = "keep fewer columns, or write it as svmlight, whose features have numbers for names"
    if n_columns > MAX_COLUMNS:
        raise BadInput(f"{name} has {n_columns:,} columns, and tables have at most {MAX_COLUMNS:,}: {fewer}")
    check_room(n_columns * PER_COLUMN, f"{name} with {n_columns:,} columns", fewer)


def first_repeated(names: Iterable[str]) -> str | None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None


def without_point(value: Any) -> Any:
    """A whole number as it is written, which may have become 1.0 beside missing ones; anything else as it is."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _series(values: pa.ChunkedArray, name: str, column: str) -> "pd.Series[Any]":
    kind = values.type
    if pa.types.is_dictionary(kind):
        plain = pa.string() if str(kind.value_type) == "string_view" else kind.value_type
        return _series(values.cast(pa.dictionary(kind.index_type, plain)).cast(plain), name, column).astype("category")
    if pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        return values.cast(pa.float64()).to_pandas()
    if pa.types.is_integer(kind) and kind != pa.uint64():
        return values.cast(pa.int64()).to_pandas(types_mapper=NULLABLE.get)
    if kind in NULLABLE:
        return values.to_pandas(types_mapper=NULLABLE.get)
    if kind == pa.null() or kind in (pa.string(), pa.large_string()) or str(kind) == "string_view":
        try:
            return pd.Series(values.to_numpy(), dtype=object)
        except UnicodeDecodeError as error:
            raise BadInput(f"column {column!r} of {name} holds text that is not UTF-8: convert it to UTF-8") from error
    if pa.types.is_run_end_encoded(kind):
        return _series(pa.compute.run_end_decode(values), name, column)
    try:
        values = values.cast(pa.binary()) if str(kind) == "binary_view" else values
        series = values.to_pandas(types_mapper=pd.ArrowDtype)
        # can pandas do something with a type that it takes? a column of dates that Python has not may be left out
        with suppress(OverflowError, ValueError, KeyError):
            assert series.dtype.kind
            assert len(series.isna())
            series[:1].to_numpy()
    except (NotImplementedError, pa.ArrowException):
        raise BadInput(
            f"column {column!r} of {name} holds values of type {kind}, which foldless cannot read: write the file "
            f"without it"
        ) from None
    return series
