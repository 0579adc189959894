"""CSV and TSV: a header, then one row per line, values between commas or tabs and in quotes where they need it."""

import csv
import io

import pyarrow as pa
import pyarrow.csv

from foldless.errors import BadInput
from foldless.io.atomic import told
from foldless.io.sources import Source, check_text
from foldless.io.table import check_names

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
    head = source.head(8)
    for magic, what in MAGIC.items():
        if head.startswith(magic):
            raise BadInput(f"{source.name} is {what}")
    if check_text(source) % 2:  # pyarrow takes the whole rest of a file for one value
        _check_quotes(source, mark)
    _check_header(source, mark)
    try:
        with source.arrow() as file:
            return pyarrow.csv.read_csv(
                file,
                read_options=pyarrow.csv.ReadOptions(block_size=BLOCK),
                parse_options=pyarrow.csv.ParseOptions(delimiter=mark, newlines_in_values=True),
            )
    except pa.ArrowInvalid as error:
        _check_lines(source, mark)
        raise BadInput(
            f"{source.name} cannot be read ({told(error)}): save it again as text with {NAMES[mark]} between values"
        ) from error


def _text(source: Source) -> io.TextIOWrapper:
    return io.TextIOWrapper(source.open(), encoding="utf-8-sig", newline="")


def _check_quotes(source: Source, mark: str) -> None:
    with _text(source) as file:
        reader, start = csv.reader(file, delimiter=mark, strict=True), 1
        try:
            for _ in reader:
                start = reader.line_num + 1
        except csv.Error as error:
            raise BadInput(
                f"{source.name} opens a quote in line {start} and never closes it: close it there"
            ) from error


def _check_header(source: Source, mark: str) -> None:
    with _text(source) as file:
        header = next((row for row in csv.reader(file, delimiter=mark) if row), [])
    if not header:
        raise BadInput(f"{source.name} is empty: it needs a header and rows")
    for other, shown in NAMES.items():
        if len(header) == 1 and other in header[0]:
            named = f"name it {ENDINGS[other]}, or " if other in ENDINGS else ""
            raise BadInput(
                f"{source.name} has the one column {header[0]!r}, separated by {shown}: {named}save it with "
                f"{NAMES[mark]}"
            )
    check_names(source.name, header)


def _check_lines(source: Source, mark: str) -> None:
    """Say which line it is that has too few or too many values."""
    with _text(source) as file:
        reader = csv.reader(file, delimiter=mark)
        rows = (row for row in reader if row)
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
