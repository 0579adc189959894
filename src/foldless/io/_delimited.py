"""CSV and TSV: a header, then one row per line, values between commas or tabs and in quotes where they need it."""

import codecs
import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pyarrow as pa
import pyarrow.csv

from foldless.errors import BadInput, Note, ReadAs
from foldless.io._atomic import reason
from foldless.io._dialect import (
    SAMPLE,
    WIDE,
    Dialect,
    FileOptions,
    as_utf8,
    as_western,
    cut_separator,
    delimiter_of,
    in_plain_form,
)
from foldless.io._parts import MARKS
from foldless.io._quoting import Quoting
from foldless.io._sources import Source, check_text
from foldless.io._table import Table, check_names, table_of

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
VALUES = {",": "a comma", "\t": "a tab", ";": "a semicolon", "|": "a bar"}


def read(source: Source, fmt: str, options: FileOptions, like: Dialect | None = None) -> Table:
    """The table of a text in any dialect; ``like`` is that of a file read before, for what this one leaves open."""
    plain = Dialect(MARKS[fmt])
    check_magic(source.name, source.head(8))
    source, encoding, quotes = _as_utf8(source, options.encoding)
    separator = cut_separator(source.head(16))[1]
    if separator is not None:  # a first line such as sep=; names the mark
        source = Source(source.name, cut_separator(source.read())[0])
    mark = options.delimiter or separator
    if mark is None:
        known = None if like is None else like.delimiter
        mark = delimiter_of(source.name, source.head(SAMPLE + 1), plain.delimiter, known)
    dialect = replace(plain, delimiter=mark, encoding=encoding)
    if quotes:
        _check_quotes(source, mark)
    _check_header(source, mark)
    try:
        with source.arrow() as file:
            arrow = _parsed(file, mark)
    except pa.ArrowInvalid as error:
        _check_lines(source, mark)
        named = NAMES.get(mark, repr(mark))
        raise BadInput(
            f"{source.name} cannot be read ({reason(error)}): save it again as text with {named} between values"
        ) from error
    arrow, dialect, notes = _in_plain_form(source, arrow, dialect, options, like)
    table = table_of(source.name, arrow, source, fmt, dialect)
    return replace(table, notes=(*table.notes, *(() if dialect == like else dialect.said(source.name, plain)), *notes))


def _as_utf8(source: Source, encoding: str | None) -> tuple[Source, str, int]:
    """The text in UTF-8, what its encoding was, and the number of its quotes."""
    if encoding is None and not source.head(4).startswith(tuple(WIDE)):
        try:
            return source, "utf-8", check_text(source)
        except BadInput as error:
            if (western := as_western(source.read())) is None:
                name_it = ReadAs((("encoding", "cp1252"),), to="name its encoding, such as")
                raise BadInput(error.problem, place=source.name, remedy=(*error.remedies, name_it)) from None
            content, encoding = western, "cp1252"
    else:
        content, encoding = as_utf8(source.name, source.read(), encoding)
    source = Source(source.name, content)
    return source, encoding, check_text(source)


def _in_plain_form(
    source: Source, arrow: pa.Table, dialect: Dialect, options: FileOptions, like: Dialect | None
) -> tuple[pa.Table, Dialect, list[Note]]:
    """The table with its numbers and dates in the form that pyarrow reads, and the dialect that they were in."""
    strings = [field.name for field in arrow.schema if pa.types.is_string(field.type)]
    names = [field.name for field in arrow.schema if field.name in strings or pa.types.is_floating(field.type)]
    with_points = names != strings  # numbers in which a point may part thousands
    if with_points and dialect.delimiter == "," and options.decimal != ",":
        commas = in_plain_form(source.name, arrow.select(strings), dialect, options, like)[1].decimal == ","
        names, with_points = (names, True) if commas else (strings, False)
    if not names:
        return arrow, dialect, []
    cells = texts(source, dialect.delimiter, names) if with_points else arrow.select(names)
    plain, dialect, notes = in_plain_form(source.name, cells, dialect, options, like)
    if plain is None:
        return arrow, dialect, notes
    written = pa.BufferOutputStream()
    pyarrow.csv.write_csv(plain, written)
    again = _parsed(pa.BufferReader(written.getvalue()), ",")
    for name in names:
        if not plain[name].equals(cells[name]):
            arrow = arrow.set_column(arrow.column_names.index(name), name, again[name])
    return arrow, dialect, notes


def texts(source: Source, mark: str, names: Sequence[str]) -> pa.Table:
    """Columns of a table that was read, as they are written but for the quotes around values."""
    as_text = pyarrow.csv.ConvertOptions(
        column_types=dict.fromkeys(names, pa.string()), include_columns=list(names), strings_can_be_null=False
    )
    with source.arrow() as file:
        return _parsed(file, mark, as_text)


def _parsed(file: Any, mark: str, convert: pyarrow.csv.ConvertOptions | None = None) -> pa.Table:
    in_blocks = pyarrow.csv.ReadOptions(block_size=BLOCK)
    return pyarrow.csv.read_csv(file, in_blocks, parse_options(mark), convert)


def parse_options(mark: str, **more: Any) -> pyarrow.csv.ParseOptions:
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
    for magic, what in MAGIC.items():
        if head.startswith(magic):
            raise BadInput(f"{name} is {what}")


def check_columns(name: str, columns: list[str], mark: str) -> None:
    """Refuse a header without columns, with a name twice, or cut at the wrong mark."""
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
    """Refuse a quote that is never closed; pyarrow would take the rest of the file for one value."""
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
    """Raise an error that names the line with too few or too many values."""
    with _text(source) as file:
        reader = csv.reader(file, delimiter=mark)
        rows = (row for row in rows_of(source.name, reader) if row)
        width, none = len(next(rows)), True
        for row in rows:
            none = False
            if len(row) != width:
                raise BadInput(
                    f"line {reader.line_num} of {source.name} has {len(row)} values and the header has {width}: "
                    f"complete the line, or quote values that hold {VALUES.get(mark, repr(mark))}"
                )
    if none:
        raise BadInput(f"{source.name} has a header and no rows: add rows below it")
