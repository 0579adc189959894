"""Columns, tables and sheets of a file as a shell completes them: from its first bytes.

Completion shows no message and does not wait: whatever is raised of a file that is damaged, locked, needs a package
that is not installed, or is too large to be read in a moment means that there are no names.
"""

import csv
import io
import json
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from foldless.io import by_ending

HEAD = 65_536  # bytes that hold a header
MOST_BOOK = 10_000_000  # bytes of a spreadsheet, which is read whole: about a second
SEPARATOR = "sep="
MARKS = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16", b"\xef\xbb\xbf": "utf-8-sig"}
DELIMITERS = ",;\t|"


def columns(path: Path, options: Mapping[str, str]) -> list[str]:
    """The names in the header; ``options`` are those of reading that were typed: delimiter, encoding, sheet, table."""
    fmt, codec = by_ending(path)
    if fmt in ("csv", "tsv"):
        return _of_text(_head(path, codec), options)
    if fmt == "jsonl":
        first = json.loads(_head(path, codec).split(b"\n", 1)[0])
        return list(first) if isinstance(first, dict) else []
    if fmt in ("xlsx", "ods"):
        book, name = _book(path), options.get("sheet")
        sheet = book.get_sheet_by_index(0) if name is None else book.get_sheet_by_name(name)
        rows = sheet.to_python(nrows=100)  # the first row that has a value names the columns
        return [str(name) for name in next((row for row in rows if any(cell not in ("", None) for cell in row)), ())]
    if fmt in ("sqlite", "duckdb"):
        known = tables(path)
        table = options.get("table") or (known[0] if len(known) == 1 else None)
        return _asked(path, f"SELECT * FROM {_quoted(table)} LIMIT 0", header=True) if table and known else []
    if fmt == "parquet":
        import pyarrow.parquet

        files = sorted(path.glob("**/*.parquet")) if path.is_dir() else [path]
        return list(pyarrow.parquet.read_schema(files[0]).names)
    if fmt == "arrow":
        import pyarrow.feather

        return list(pyarrow.feather.read_table(path, memory_map=True).column_names)
    return []


def tables(path: Path) -> list[str]:
    """The tables and views of an SQLite or DuckDB file."""
    from foldless.io import OF_DUCKDB, OF_SQLITE

    return _asked(path, OF_SQLITE if _is_sqlite(path) else OF_DUCKDB)


def sheets(path: Path) -> list[str]:
    return list(_book(path).sheet_names)


def _head(path: Path, codec: str | None) -> bytes:
    if codec is None:
        with path.open("rb") as file:
            return file.read(HEAD)
    import pyarrow

    with pyarrow.input_stream(str(path), compression=codec) as packed:
        return bytes(packed.read(HEAD))


def _of_text(head: bytes, options: Mapping[str, str]) -> list[str]:
    encoding = options.get("encoding") or next((name for mark, name in MARKS.items() if head.startswith(mark)), None)
    try:
        text = head.decode(encoding or "utf-8")
    except UnicodeDecodeError as error:  # cut within a character, or as Windows writes it in Europe
        text = head[: error.start].decode(encoding or "utf-8") if error.start > len(head) - 4 else head.decode("cp1252")
    delimiter = options.get("delimiter")
    first, _, rest = text.partition("\n")
    if first.lower().startswith(SEPARATOR):
        delimiter, text = delimiter or first[len(SEPARATOR) :].strip("\r"), rest
    line = text.partition("\n")[0]
    return next(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter or max(DELIMITERS, key=line.count)), [])


def _book(path: Path) -> Any:
    if path.stat().st_size > MOST_BOOK:
        raise ValueError(f"{path} is too large to be read while someone types")
    import python_calamine

    return python_calamine.CalamineWorkbook.from_path(str(path))


def _is_sqlite(path: Path) -> bool:
    from foldless.io import SQLITE

    with path.open("rb") as file:
        return file.read(len(SQLITE)) == SQLITE


def _asked(path: Path, query: str, *, header: bool = False) -> list[str]:
    """The first column of what a query of ours gives, or the names of its columns."""
    if _is_sqlite(path):
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=0.2)) as file:
            cursor = file.execute(query)
            return [part[0] for part in (cursor.description if header else cursor.fetchall())]
    import duckdb

    with duckdb.connect(str(path), read_only=True, config={"enable_external_access": "false"}) as file:
        rows = file.execute(query)
        return [part[0] for part in (rows.description if header else rows.fetchall()) or ()]


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
