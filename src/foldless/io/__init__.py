"""Tables from files, and tables into files.

pyarrow reads; what it cannot read is reported in one sentence that names the file, the line or column, and the remedy.
Types come out the same whoever wrote the file, pandas or polars, CSV or Parquet: whole numbers and booleans may be
missing (``Int64``, ``boolean``), other numbers are ``float64``, strings are ``object``, dictionaries are ``category``;
what has no such form (dates, lists) keeps its Arrow type. svmlight files have numbers for names: their features are a
sparse matrix.

A table is written to a temporary file beside its place, which then takes the place in one step.

The names are looked up when they are first used: a server that writes a journal needs no pyarrow.
"""

from typing import TYPE_CHECKING

from foldless._on_demand import on_demand

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

__getattr__, __dir__ = on_demand(__name__)
