"""What a stream is made of: files one after the other, the Parquet files in a folder, or standard input.

A part that was read leaves its fingerprint (size, time of change, a hash of its first bytes), by which a later run
knows that it goes on in the same file.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from foldless.errors import BadInput, SetArgument
from foldless.io.atomic import told
from foldless.io.formats import Format, by_ending
from foldless.io.sources import Codec

PIPE = "-"
STREAMED: tuple[Format, ...] = ("csv", "tsv", "parquet")
HEAD = 2**16  # bytes of a file that its fingerprint covers


@dataclass(frozen=True)
class Part:
    """One file of a stream; without a path it is standard input."""

    name: str
    path: Path | None
    fmt: Format
    codec: Codec | None = None


@dataclass(frozen=True)
class Fingerprint:
    """How a file is recognized as the one that was read before."""

    name: str
    size: int
    changed: int
    head: str

    def plain(self) -> dict[str, Any]:
        return asdict(self)


def parts_of(names: Sequence[str], fmt: Format | None = None) -> list[Part]:
    """The parts of a stream in their order; a folder stands for the Parquet files in it, at any depth, by name."""
    if PIPE in names and len(names) > 1:
        raise BadInput(f"- is standard input, and {len(names) - 1} more parts are named: stream one or the other")
    parts = [part for name in names for part in _parts(name, fmt)]
    twice = [part.name for at, part in enumerate(parts) if part in parts[:at]]
    if twice:
        raise BadInput(f"{twice[0]} is in the stream twice: name it once")
    return parts


def partitioned(parts: Sequence[Part]) -> list[str]:
    """The columns that names of folders tell (day=1/part.parquet), which are not read."""
    folders = [name for part in parts if part.path is not None for name in part.path.parent.parts]
    return list(dict.fromkeys(name.partition("=")[0] for name in folders if "=" in name.strip("=")))


def fingerprint(part: Part) -> Fingerprint:
    """The fingerprint of a file as it is now."""
    if part.path is None:
        raise BadInput("standard input cannot be read again: name files to go on where a run stopped")
    try:
        seen = part.path.stat()
        with part.path.open("rb") as file:
            head = hashlib.sha256(file.read(HEAD)).hexdigest()
    except OSError as error:
        raise BadInput(f"{part.name} cannot be read ({told(error)}): check the file and its permissions") from error
    return Fingerprint(part.name, seen.st_size, seen.st_mtime_ns, head)


def _parts(name: str, fmt: Format | None) -> list[Part]:
    if name == PIPE:
        if fmt == "parquet":
            raise BadInput("Parquet has its index at the end, so it cannot be piped: name the file")
        return [Part("standard input", None, _streamed("standard input", fmt or "csv"))]
    path = Path(name)
    if path.is_dir():
        found = sorted(p for ending in ("*.parquet", "*.pq") for p in path.rglob(ending) if not _hidden(p, path))
        if not found:
            raise BadInput(f"{path} is a folder without Parquet files: name a file, or a folder of .parquet files")
        return [Part(str(one), one, "parquet") for one in found]
    if not path.exists():
        raise BadInput(f"there is no file {path}: check the name and the folder")
    ending, codec = by_ending(path)
    return [Part(name, path, _streamed(name, fmt or ending), codec)]


def _hidden(path: Path, folder: Path) -> bool:
    """Whether a file, or a folder on the way to it, is one of those that programs keep for themselves."""
    return any(name[0] in "._" for name in path.relative_to(folder).parts)


def _streamed(name: str, fmt: Format | None) -> Format:
    if fmt not in STREAMED:
        shown = "of no format that its ending tells" if fmt is None else f"a {fmt} file"
        raise BadInput(
            f"{name} is {shown}, and streams are CSV, TSV or Parquet",
            place=name,
            remedy=(SetArgument("format", to="say which"), "convert it"),
        )
    return fmt
