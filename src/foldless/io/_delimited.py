"""CSV and TSV: a header, then one row per line, values between commas or tabs and in quotes where they need it."""

import codecs
import csv
import io
from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.csv

from foldless.errors import BadInput
from foldless.io._atomic import reason
from foldless.io._quoting import Quoting
from foldless.io._sources import Source, check_text
from foldless.io._table import check_names

BLOCK = 2**24  # bytes that pyarrow parses at once; one row must fit
MAGIC = {
    b"PAR1": "a Parquet file: name it .parquet",
    b"ARROW1": "an Arrow file: name it .arrow",
    b"\x1f\x8b": "compressed with gzip: name it .gz, or unpack it first",
    b"\x28\xb5\x2f\xfd": "compressed with zstd: name it .zst, or unpack it first",
    b"PK\x03\x04": "a spreadsheet or a zip archive: save it as CSV",
}
NAMES = {",": "commas", "\t": "tabs", ";": "';'", "|": "'|'"}
ENDINGS = {",": ".csv", "\t": ".tsv"}


def read(source: Source, mark: str) -> pa.Table:
    """The table whose values are separated by ``mark``."""
    check_magic(source.name, source.head(8))
    if check_text(source):
        _check_quotes(source, mark)
    _check_header(source, mark)
    try:
        with source.arrow() as file:
            return pyarrow.csv.read_csv(
                file,
                read_options=pyarrow.csv.ReadOptions(block_size=BLOCK),
                parse_options=parse_options(mark),
            )
    except pa.ArrowInvalid as error:
        _check_lines(source, mark)
        raise BadInput(
            f"{source.name} cannot be read ({reason(error)}): save it again as text with {NAMES[mark]} between values"
        ) from error


def texts(source: Source, mark: str, names: Sequence[str]) -> pa.Table:
    """Columns of a table that was read, as they are written but for the quotes around values."""
    with source.arrow() as file:
        return pyarrow.csv.read_csv(
            file,
            read_options=pyarrow.csv.ReadOptions(block_size=BLOCK),
            parse_options=parse_options(mark),
            convert_options=pyarrow.csv.ConvertOptions(
                column_types=dict.fromkeys(names, pa.string()), include_columns=list(names), strings_can_be_null=False
            ),
        )


def parse_options(mark: str, **more: Any) -> pyarrow.csv.ParseOptions:
    """How text is cut into values, in whole tables and in batches."""
    return pyarrow.csv.ParseOptions(delimiter=mark, newlines_in_values=True, **more)


def rows_of(name: str, reader: Any) -> Iterator[list[str]]:
    """The rows of a reader of Python's csv module, which has a longest value."""
    try:
        yield from reader
    except csv.Error as error:
        raise BadInput(
            f"line {reader.line_num} of {name} cannot be read ({reason(error)}): shorten its values"
        ) from error


def check_magic(name: str, head: bytes) -> None:
    """Whether the first bytes of a file are those of text."""
    for magic, what in MAGIC.items():
        if head.startswith(magic):
            raise BadInput(f"{name} is {what}")


def check_columns(name: str, columns: list[str], mark: str) -> None:
    """Whether a header has columns, each of another name, and is cut at the right mark."""
    for other, shown in NAMES.items():
        if len(columns) == 1 and other in columns[0]:
            named = f"name it {ENDINGS[other]}, or " if other in ENDINGS else ""
            raise BadInput(
                f"{name} has only the column {columns[0]!r}, separated by {shown}: {named}save it with {NAMES[mark]}"
            )
    check_names(name, columns)


def _text(source: Source) -> io.TextIOWrapper:
    return io.TextIOWrapper(source.open(), encoding="utf-8-sig", newline="")


def _check_quotes(source: Source, mark: str) -> None:
    """Whether all quotes are closed; pyarrow would take the rest of the file for one value."""
    content, quoting = source.read().removeprefix(codecs.BOM_UTF8), Quoting(mark)
    if quoting.ends(content) is not None:
        return
    for record in quoting.records(content):
        if not record.closed:
            line = content.count(b"\n", 0, record.start) + 1
            raise BadInput(f"{source.name} opens a quote in line {line} and never closes it: close it there")


def _check_header(source: Source, mark: str) -> None:
    with _text(source) as file:
        header = next((row for row in rows_of(source.name, csv.reader(file, delimiter=mark)) if row), [])
    if not header:
        raise BadInput(f"{source.name} is empty: it needs a header and rows")
    check_columns(source.name, header, mark)


def _check_lines(source: Source, mark: str) -> None:
    """Say which line it is that has too few or too many values."""
    with _text(source) as file:
        reader = csv.reader(file, delimiter=mark)
        rows = (row for row in rows_of(source.name, reader) if row)
        width, none = len(next(rows)), True
        for row in rows:
            none = False
            if len(row) != width:
                raise BadInput(
                    f"line {reader.line_num} of {source.name} has {len(row)} values and the header has {width}: "
                    f"complete the line, or quote values that hold {'a comma' if mark == ',' else 'a tab'}"
                )
    if none:
        raise BadInput(f"{source.name} has a header and no rows: add rows below it")
