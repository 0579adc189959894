"""Tables from files, and tables into files.

pyarrow reads; what it cannot read is told in one sentence that names the file, the line or column, and the remedy.
Types come out the same whoever wrote the file, pandas or polars, CSV or Parquet: whole numbers and booleans may be
missing (``Int64``, ``boolean``), other numbers are ``float64``, strings are ``object``, dictionaries are ``category``;
what has no such form (dates, lists) keeps its Arrow type.

A table is written to a temporary file beside its place, which then takes the place in one step.
"""

import codecs
import csv
import os
import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

from foldless.errors import BadInput

CHUNK = 2**20
BLOCK = 2**24  # bytes that pyarrow parses at once; one row must fit
MAGIC = {
    b"PAR1": "a Parquet file: name it .parquet",
    b"\x1f\x8b": "compressed with gzip: unpack it first",
    b"PK\x03\x04": "a spreadsheet or a zip archive: save it as CSV",
}
NULLABLE = {pa.bool_(): pd.BooleanDtype(), pa.int64(): pd.Int64Dtype(), pa.uint64(): pd.UInt64Dtype()}


@dataclass(frozen=True, eq=False)
class Table:
    """What a file holds, the name by which messages call it, and what a user should know about the reading."""

    name: str
    frame: pd.DataFrame
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Format:
    """How files of one ending are read and written."""

    read: Callable[[Path], pa.Table]
    write: Callable[[pd.DataFrame, Path], None]


def read_table(path: str | Path) -> Table:
    """The table in a file."""
    path = Path(path)
    reading = _format(path, "read")
    if path.is_dir():
        raise BadInput(f"{path} is a folder: name a file in it")
    if not path.exists():
        raise BadInput(f"there is no file {path}: check the name and the folder")
    try:
        if not path.stat().st_size:
            raise BadInput(f"{path} is empty: it needs a header and rows")
        arrow = reading.read(path)
    except OSError as error:
        raise BadInput(f"{path} cannot be read ({_line(error)}): check the file and its permissions") from error
    _check_names(path, arrow.column_names)
    if not arrow.num_rows:
        raise BadInput(f"{path} has a header and no rows: add rows below it")
    names = [name for name in arrow.column_names if not name.startswith("__index_level_")]
    frame = pd.DataFrame({name: _series(arrow.column(name), path, name) for name in names})
    if "" not in names:
        return Table(str(path), frame)
    if names[0] == "" and pd.api.types.is_integer_dtype(frame[""]) and frame[""].is_unique:
        return Table(str(path), frame.drop(columns=""), (f"the index that pandas wrote into {path} is left out",))
    raise BadInput(f"column {names.index('') + 1} of {path} has no name: name it in the header")


def check_target(path: str | Path, taken: Iterable[str | Path]) -> None:
    """Whether a table can be written there, known before any work is done; ``taken`` files are not written over."""
    path = Path(path)
    _format(path, "written")
    folder = path.resolve().parent
    if not folder.is_dir():
        raise BadInput(f"the folder of {path} does not exist: make {folder} first")
    if path.is_dir():
        raise BadInput(f"{path} is a folder: name a file in it")
    if not os.access(folder, os.W_OK):
        raise BadInput(f"{path} cannot be written: you have no permission to write in {folder}")
    for other in taken:
        if path.resolve() == Path(other).resolve():
            raise BadInput(f"{path} is also read in this run: name another file for the output")


def write_table(frame: pd.DataFrame, path: str | Path) -> None:
    """Put a table in its place, whole or not at all."""
    place = Path(path).resolve()
    beside = place.with_name(f".{place.name}.{os.getpid()}")
    try:
        _format(place, "written").write(frame, beside)
        if place.exists():
            shutil.copymode(place, beside)
        os.replace(beside, place)
    except OSError as error:
        raise BadInput(f"{path} cannot be written ({_line(error)}): name another file") from error
    finally:
        beside.unlink(missing_ok=True)


def _format(path: Path, done: str) -> Format:
    ending = path.suffix.lower()
    if ending not in FORMATS:
        shown = f"the ending {ending!r}" if ending else "no ending"
        raise BadInput(f"{path} has {shown}: tables are {done} as {', '.join(FORMATS)}")
    return FORMATS[ending]


def _check_names(path: Path, names: list[str]) -> None:
    if not names:
        raise BadInput(f"{path} has no columns: it needs a header and rows")
    twice = [name for at, name in enumerate(names) if name in names[:at]]
    if twice:
        raise BadInput(f"column {twice[0]!r} occurs twice in {path}: rename or delete one of them")


def _series(column: pa.ChunkedArray, path: Path, name: str) -> "pd.Series[Any]":
    """A column in the form that its kind always has."""
    kind = column.type
    if pa.types.is_dictionary(kind):
        return _series(column.cast(kind.value_type), path, name).astype("category")
    if pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        return column.cast(pa.float64()).to_pandas()
    if pa.types.is_integer(kind) and kind != pa.uint64():
        return column.cast(pa.int64()).to_pandas(types_mapper=NULLABLE.get)
    if kind in NULLABLE:
        return column.to_pandas(types_mapper=NULLABLE.get)
    if kind == pa.null() or kind in (pa.string(), pa.large_string()) or str(kind) == "string_view":
        try:
            return pd.Series(column.to_numpy(), dtype=object)
        except UnicodeDecodeError as error:
            raise BadInput(f"column {name!r} of {path} holds text that is not UTF-8: convert it to UTF-8") from error
    return column.to_pandas(types_mapper=pd.ArrowDtype)


def _read_csv(path: Path) -> pa.Table:
    _check_text(path)
    _check_header(path)
    try:
        return pyarrow.csv.read_csv(
            path,
            read_options=pyarrow.csv.ReadOptions(block_size=BLOCK),
            parse_options=pyarrow.csv.ParseOptions(newlines_in_values=True),
        )
    except pa.ArrowInvalid as error:
        _check_lines(path)
        raise BadInput(
            f"{path} cannot be read as CSV ({_line(error)}): save it again as comma-separated text"
        ) from error


def _check_text(path: Path) -> None:
    """UTF-8 without NUL bytes, and every quote closed: pyarrow takes all of it for data, a whole rest of a file too."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    lines, quotes, read = 1, 0, 0
    with path.open("rb") as file:
        while True:
            chunk = file.read(CHUNK)
            for magic, what in MAGIC.items():
                if not read and chunk.startswith(magic):
                    raise BadInput(f"{path} is {what}")
            try:
                decoder.decode(chunk, final=not chunk)
            except UnicodeDecodeError as error:
                before = error.start - len(error.object) + len(chunk)
                line = lines + chunk[: max(before, 0)].count(b"\n")
                raise BadInput(
                    f"{path} is not UTF-8 text: byte 0x{error.object[error.start]:02x} in line {line} "
                    f"(byte {read + before + 1} of the file); convert it to UTF-8"
                ) from error
            if (at := chunk.find(b"\0")) >= 0:
                line = lines + chunk[:at].count(b"\n")
                raise BadInput(f"{path} holds a NUL byte in line {line}: save it as plain UTF-8 text")
            if not chunk:
                break
            lines, quotes, read = lines + chunk.count(b"\n"), quotes + chunk.count(b'"'), read + len(chunk)
    if quotes % 2:
        _check_quotes(path)


def _check_quotes(path: Path) -> None:
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader, start = csv.reader(file, strict=True), 1
        try:
            for _ in reader:
                start = reader.line_num + 1
        except csv.Error as error:
            raise BadInput(f"{path} opens a quote in line {start} and never closes it: close it there") from error


def _check_header(path: Path) -> None:
    with path.open(encoding="utf-8-sig", newline="") as file:
        header = next((row for row in csv.reader(file) if row), [])
    if not header:
        raise BadInput(f"{path} is empty: it needs a header and rows")
    for mark, name in {";": "';'", "\t": "tabs", "|": "'|'"}.items():
        if len(header) == 1 and mark in header[0]:
            raise BadInput(f"{path} has the one column {header[0]!r}, separated by {name}: save it with commas")
    _check_names(path, header)


def _check_lines(path: Path) -> None:
    """Say which line it is that has too few or too many values."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.reader(file)
        rows = (row for row in reader if row)
        width, none = len(next(rows)), True
        for row in rows:
            none = False
            if len(row) != width:
                raise BadInput(
                    f"line {reader.line_num} of {path} has {len(row)} values and the header has {width}: "
                    f"complete the line, or quote values that hold a comma"
                )
    if none:
        raise BadInput(f"{path} has a header and no rows: add rows below it")


def _read_parquet(path: Path) -> pa.Table:
    try:
        with pyarrow.parquet.ParquetFile(path) as file:
            return file.read()
    except (pa.ArrowException, OSError) as error:
        raise BadInput(f"{path} is no Parquet file, or it is cut off ({_line(error)}): write it again") from error


def _line(error: Exception) -> str:
    """The first line of what a library says, without its full stop."""
    said = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return str(said).splitlines()[0].rstrip(". ")[:200]


FORMATS = {
    ".csv": Format(_read_csv, lambda frame, path: frame.to_csv(path, index=False)),
    ".parquet": Format(_read_parquet, lambda frame, path: frame.to_parquet(path, index=False)),
    ".pq": Format(_read_parquet, lambda frame, path: frame.to_parquet(path, index=False)),
}
