"""A table, or what a query gives, of an SQLite file (Python's own sqlite3) or a DuckDB one (``foldless[duckdb]``).

Files are opened read-only, and a query can do nothing but read the file itself. A column of SQLite is whole numbers,
numbers or text as its values are; one that mixes text and numbers is text.
"""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pyarrow as pa

from foldless.errors import BadInput, ReadAs, some
from foldless.io._sources import Source

SQLITE, DUCKDB = b"SQLite format 3\0", b"DUCK"  # first bytes, and those after eight
READING = (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE)
SHOWN = 10  # tables that an error names
OF_SQLITE = "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite~_%' ESCAPE '~'"
OF_DUCKDB = "SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema() ORDER BY table_name"


def read(source: Source, table: str | None, query: str | None) -> pa.Table:
    """The rows of a table, the only one unless it is named, or of a query."""
    if isinstance(source.place, bytes):
        raise BadInput(f"{source.name} holds a database, which is read from a file of its own: name the file")
    head = source.head(len(SQLITE))
    if head == SQLITE:
        return _from_sqlite(source.name, source.place, table, query)
    if head[8:12] == DUCKDB:
        return _from_duckdb(source.name, source.place, table, query)
    raise BadInput(f"{source.name} is neither an SQLite nor a DuckDB file: check the file, or write its rows as CSV")


def _from_sqlite(name: str, path: Path, table: str | None, query: str | None) -> pa.Table:
    tables: list[str] = []
    with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as file:
        try:
            tables = [row[0] for row in file.execute(OF_SQLITE)]
            file.set_authorizer(lambda action, *_: sqlite3.SQLITE_OK if action in READING else sqlite3.SQLITE_DENY)
            cursor = file.execute(query or f"SELECT * FROM {_quoted(_chosen(name, tables, table))}")
            if cursor.description is None:
                raise BadInput(f"the query for {name} gives no rows: write one that begins with SELECT")
            columns, rows = [column[0] for column in cursor.description], cursor.fetchall()
        except (sqlite3.Error, sqlite3.Warning) as error:
            raise _failed(name, error, query, tables) from None
    values: Sequence[Sequence[Any]] = list(zip(*rows, strict=True)) if rows else [()] * len(columns)
    return pa.table([_column(name, of, cells) for of, cells in zip(columns, values, strict=True)], columns)


def _from_duckdb(name: str, path: Path, table: str | None, query: str | None) -> pa.Table:
    try:
        import duckdb
    except ImportError:
        raise BadInput(
            f"{name} is a DuckDB file, which needs duckdb: install foldless[duckdb], or write its rows as Parquet"
        ) from None
    tables: list[str] = []
    try:
        with duckdb.connect(str(path), read_only=True, config={"enable_external_access": "false"}) as file:
            tables = [row[0] for row in file.execute(OF_DUCKDB).fetchall()]
            rows = file.sql(query or f"SELECT * FROM {_quoted(_chosen(name, tables, table))}")
            if rows is None:
                raise BadInput(f"the query for {name} gives no rows: write one that begins with SELECT")
            return rows.to_arrow_table()
    except duckdb.Error as error:
        raise _failed(name, error, query, tables) from None


def _chosen(name: str, tables: Sequence[str], table: str | None) -> str:
    """The table that is read; an error names those that there are."""
    if not tables:
        raise BadInput(f"{name} has no tables: it needs one with rows")
    if table is None and len(tables) == 1:
        return tables[0]
    if table is None or table not in tables:
        problem = f"{name} has {len(tables)} tables" if table is None else f"{name} has no table {table!r}"
        raise BadInput(
            f"{problem}: {some(tables, SHOWN)}",
            value=table,
            place=name,
            remedy=ReadAs((("table", tables[0]),), "name one"),
        )
    return table


def _failed(name: str, error: Exception, query: str | None, tables: Sequence[str]) -> BadInput:
    said = " ".join(str(error).split())
    if query is None:
        return BadInput(f"{name} cannot be read as a database ({said}): check the file")
    if "not authorized" in said or "prohibited" in said:
        return BadInput(f"the query for {name} does more than read it ({said}): write one that begins with SELECT")
    known = f"; its tables are {some(tables, SHOWN)}" if tables else ""
    return BadInput(f"the query for {name} fails ({said}){known}: mend the query", value=query)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _column(name: str, column: str, cells: Sequence[Any]) -> pa.Array:
    """Cells of SQLite, which has types of cells and not of columns."""
    kinds = {type(cell) for cell in cells if cell is not None}
    if bytes in kinds:
        raise BadInput(f"column {column!r} of {name} holds bytes: choose other columns with a query", value=column)
    if not kinds:
        return pa.nulls(len(cells))
    if kinds <= {int, float}:
        return pa.array(cells, pa.int64() if kinds == {int} else pa.float64())
    return pa.array([None if cell is None else str(cell) for cell in cells], pa.string())
