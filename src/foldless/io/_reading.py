"""From a name to a table: a file, a folder of Parquet, or ``-`` for standard input."""

import sys
from dataclasses import replace
from pathlib import Path

from foldless.core._memory import check_room
from foldless.errors import BadInput, SetArgument
from foldless.io import _columnar as columnar
from foldless.io import _database as database
from foldless.io import _delimited as delimited
from foldless.io import _json_lines as json_lines
from foldless.io import _spreadsheet as spreadsheet
from foldless.io import _svmlight as svmlight
from foldless.io._atomic import check_name, check_readable, reason
from foldless.io._dialect import Dialect, FileOptions
from foldless.io._formats import FORMATS, Format, by_content, by_ending, check_known
from foldless.io._sources import PACKED, Source
from foldless.io._table import Table, table_of

PIPE = "-"
TO_READ = 2**27  # bytes that pyarrow's threads and buffers take before a row is read; without them it ends the process
IN_MEMORY = 3  # times its size on the disk: the text, what it is parsed to, and the table
DATABASES: tuple[Format, ...] = ("sqlite", "duckdb")


def file_options(fmt: Format | FileOptions | None) -> FileOptions:
    """What a user says of files; a format alone is a string."""
    return fmt if isinstance(fmt, FileOptions) else FileOptions(fmt)


def read_table(path: str | Path, fmt: Format | FileOptions | None = None, like: Dialect | None = None) -> Table:
    """The table in a file.

    ``fmt`` is the format of standard input and of files whose ending says none, or a `FileOptions` that says more;
    without it, standard input is recognized by its content. ``like`` is the dialect of a table that was read before,
    for what this one leaves open.
    """
    options = file_options(fmt)
    if str(path) == PIPE:
        return _read(_piped(), options, like)
    path = Path(path)
    check_name(path)
    if path.is_dir():
        return table_of(str(path), columnar.read_folder(path))
    codec = by_ending(path)[1]
    if options.format is None:
        kind, codec = check_known(path, "read")
        options = replace(options, format=kind)
    if not path.exists():
        raise BadInput(f"there is no file {path}: check the name and the folder")
    try:
        check_readable(path)
        source = Source.of(path)
        return _read(source if codec is None else source.unpacked(codec), options, like)
    except MemoryError as error:
        raise BadInput(f"{path} does not fit into memory: take a part of it, or write it as Parquet") from error
    except OSError as error:
        raise BadInput(f"{path} cannot be read ({reason(error)}): check the file and its permissions") from error


def _piped() -> Source:
    if sys.stdin is None:
        raise BadInput("there is no standard input to read: name a file instead of -")
    source = Source("standard input", sys.stdin.buffer.read())
    head = source.head(4)
    codec = next((codec for magic, codec in PACKED.items() if head.startswith(magic)), None)
    return source if codec is None else source.unpacked(codec)


def _read(source: Source, options: FileOptions, like: Dialect | None) -> Table:
    check_room(TO_READ + IN_MEMORY * source.size(), source.name, "take a part of it, or write it as Parquet")
    fmt = options.format
    if not source.head(1):
        needs = "rows" if fmt not in (None, "csv", "tsv") else "a header and rows"
        raise BadInput(f"{source.name} is empty: it needs {needs}")
    try:
        return _parsed(source, _known(fmt) or by_content(source), options, like)
    finally:  # what is wrong in a file that changes may be right in it now
        source.check_same()


def _parsed(source: Source, kind: Format, options: FileOptions, like: Dialect | None) -> Table:
    match kind:
        case "csv" | "tsv":
            return delimited.read(source, kind, options, like)
        case "svmlight":
            return svmlight.read(source)
        case "jsonl":
            return table_of(source.name, json_lines.read(source), source, kind)
        case "parquet":
            return table_of(source.name, columnar.read_parquet(source))
        case "arrow":
            return table_of(source.name, columnar.read_arrow(source))
        case "sqlite" | "duckdb":
            return table_of(source.name, database.read(source, options.table, options.query))
        case "xlsx" | "ods":
            arrow, notes = spreadsheet.read(source, options.sheet)
            table = table_of(source.name, arrow)
            return replace(table, notes=(*notes, *table.notes))


def _known(fmt: str | None) -> Format | None:
    if fmt is not None and fmt not in FORMATS:
        problem = f"there is no format {fmt!r}: it is one of {', '.join(FORMATS)}"
        raise BadInput(problem, value=fmt, remedy=SetArgument("format", "csv"))
    return next((known for known in FORMATS if known == fmt), None)
