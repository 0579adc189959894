"""The parts of a stream, and places in them: files one after the other, Parquet files in a folder, or standard input.

A part that was read leaves its fingerprint (size, time of change, a hash of its first bytes), by which a later run
knows that it resumes in the same file.
"""

import glob
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa

from foldless.core import Array
from foldless.errors import BadInput, SetArgument
from foldless.io._atomic import check_name, reason, resolved
from foldless.io._columnar import files_of
from foldless.io._faults import Fault
from foldless.io._formats import STREAMED, Format, by_ending
from foldless.io._sources import Codec

PIPE = "-"
MARKS = {"csv": ",", "tsv": "\t"}  # between values
HEAD = 2**16  # bytes of a file that its fingerprint covers


@dataclass(frozen=True)
class StreamPart:
    """One file of a stream, with the columns that the names of its folders say; without a path, standard input."""

    name: str
    path: Path | None
    fmt: Format
    codec: Codec | None = None
    partition: Mapping[str, pa.Scalar] = field(default_factory=dict, compare=False)


@dataclass(frozen=True)
class Place:
    """Where the next row begins: the number of the part, of the rows before it, of the lines and bytes before it.

    ``digest`` is that of these bytes, for text files.
    """

    part: int = 0
    row: int = 0
    line: int = 0
    offset: int = 0
    digest: str = ""


@dataclass(frozen=True, eq=False)
class StreamBatch:
    """Rows of one part with their numbers, the faults found on the way, and the place behind them.

    ``lines`` is None where rows have no lines. ``odd`` are the cells that are not of the type of their column, which
    are null in the table: for each column the positions in the table and what stands there.
    """

    source: str
    table: pa.Table
    rows: Array
    lines: Array | None
    faults: list[Fault]
    place: Place
    odd: dict[str, dict[int, str]] = field(default_factory=dict)

    def fault(self, at: int, kind: Any, what: str) -> Fault:
        line = None if self.lines is None else int(self.lines[at])
        return Fault(kind, self.source, int(self.rows[at]), line, what)


def parts_of(names: Sequence[str], fmt: Format | None = None) -> list[StreamPart]:
    """The parts of a stream in their order.

    A folder stands for the Parquet files in it (`foldless.io._columnar`), a pattern such as ``days/*.csv`` for all that
    it matches, by name.
    """
    if PIPE in names and len(names) > 1:
        raise BadInput(f"- is standard input, and {len(names) - 1} more parts are named: stream one or the other")
    parts = [part for name in names for part in _parts(name, fmt)]
    first: dict[Path, str] = {}
    for part in parts:
        place = part.path and resolved(part.path)
        if place in first:
            also = "" if first[place] == part.name else f", also as {first[place]}"
            raise BadInput(f"{part.name} is in the stream twice{also}: name it once")
        if place is not None:
            first[place] = part.name
    return parts


def fingerprint(part: StreamPart) -> dict[str, Any]:
    """By what a file is recognized as the one that was read before, as checkpoints keep it."""
    if part.path is None or part.path.is_fifo():
        raise BadInput(f"{part.name} cannot be read again: name files to resume where a run stopped")
    try:
        seen = part.path.stat()
        with part.path.open("rb") as file:
            head = hashlib.sha256(file.read(HEAD)).hexdigest()
    except OSError as error:
        raise BadInput(f"{part.name} cannot be read ({reason(error)}): check the file and its permissions") from error
    return {"name": part.name, "size": seen.st_size, "changed": seen.st_mtime_ns, "head": head}


def _parts(name: str, fmt: Format | None) -> list[StreamPart]:
    if name == PIPE:
        if fmt == "parquet":
            raise BadInput("Parquet has its index at the end, so it cannot be piped: name the file")
        return [StreamPart("standard input", None, _streamed("standard input", fmt or "csv"))]
    path = Path(name)
    check_name(path)
    if path.is_dir():
        return [StreamPart(str(file.path), file.path, "parquet", None, file.partition) for file in files_of(path)]
    if not path.exists():
        matches = sorted(glob.glob(name, recursive=True)) if glob.has_magic(name) else []
        if not matches:
            raise BadInput(f"there is no file {path}: check the name and the folder")
        return [part for match in matches for part in _parts(match, fmt)]
    ending, codec = by_ending(path)
    return [StreamPart(name, path, _streamed(name, fmt or ending), codec)]


def _streamed(name: str, fmt: Format | None) -> Format:
    if fmt not in STREAMED:
        shown = "of a format that cannot be seen from its ending" if fmt is None else f"a {fmt} file"
        raise BadInput(
            f"{name} is {shown}, and streams are CSV, TSV or Parquet",
            place=name,
            remedy=(SetArgument("format", to="say which"), "convert it"),
        )
    return fmt
