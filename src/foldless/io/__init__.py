"""Tables from files, and tables into files.

pyarrow reads; what it cannot read is reported in one sentence that names the file, the line or column, and the remedy.
Types come out the same whoever wrote the file, pandas or polars, CSV or Parquet: whole numbers and booleans may be
missing (``Int64``, ``boolean``), other numbers are ``float64``, strings are ``object``, dictionaries are ``category``;
what has no such form (dates, lists) keeps its Arrow type. svmlight files have numbers for names: their features are a
sparse matrix.

A table is written to a temporary file beside its place, which then takes the place in one step.

The names are looked up when they are first used: a server that writes a journal needs no pyarrow.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from foldless.io._atomic import check_place, flush_folder, placed, resolved
    from foldless.io._database import OF_DUCKDB, OF_SQLITE, SQLITE
    from foldless.io._dialect import Dialect, FileOptions
    from foldless.io._formats import STREAMED, by_ending
    from foldless.io._json_of_others import parse_json
    from foldless.io._our_files import PRIVATE, is_still, kept_beside, open_to_append
    from foldless.io._outputs import check_apart
    from foldless.io._reading import read_table
    from foldless.io._table import Table
    from foldless.io._writing import check_target, write_table

__all__ = [
    "OF_DUCKDB",
    "OF_SQLITE",
    "PRIVATE",
    "SQLITE",
    "STREAMED",
    "Dialect",
    "FileOptions",
    "Table",
    "by_ending",
    "check_apart",
    "check_place",
    "check_target",
    "flush_folder",
    "is_still",
    "kept_beside",
    "open_to_append",
    "parse_json",
    "placed",
    "read_table",
    "resolved",
    "write_table",
]

_HOMES = {
    **dict.fromkeys(("check_place", "flush_folder", "placed", "resolved"), "_atomic"),
    **dict.fromkeys(("OF_DUCKDB", "OF_SQLITE", "SQLITE"), "_database"),
    **dict.fromkeys(("Dialect", "FileOptions"), "_dialect"),
    **dict.fromkeys(("STREAMED", "by_ending"), "_formats"),
    "parse_json": "_json_of_others",
    **dict.fromkeys(("PRIVATE", "is_still", "kept_beside", "open_to_append"), "_our_files"),
    "check_apart": "_outputs",
    "read_table": "_reading",
    "Table": "_table",
    **dict.fromkeys(("check_target", "write_table"), "_writing"),
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
