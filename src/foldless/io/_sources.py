"""Bytes under the name that messages call them, wherever they come from.

A file is opened several times, and again when its rows are written: it must be the same all the time, or labels would
come beside the values of other rows.
"""

import codecs
import gzip
import io
import os
import stat
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Literal

import pyarrow as pa

from foldless.core._memory import check_room
from foldless.errors import BadInput
from foldless.io._atomic import reason

Codec = Literal["gzip", "zstd"]

CHUNK = 2**20
SETTING = "FOLDLESS_MOST_UNPACKED"
RATIO, LEAST_UNPACKED = 100, 2**28
CODECS: dict[str, Codec] = {".gz": "gzip", ".zst": "zstd", ".zstd": "zstd"}
PACKED: dict[bytes, Codec] = {b"\x1f\x8b": "gzip", b"\x28\xb5\x2f\xfd": "zstd"}


@dataclass(frozen=True, eq=False)
class Source:
    """A file where it lies, or what was unpacked or piped in.

    ``state`` is the size and the time of change that the file had first.
    """

    name: str
    place: Path | bytes
    state: tuple[int, int] | None = None

    @classmethod
    def of(cls, path: Path) -> "Source":
        """A file, or what comes out of a pipe, which can be opened only once."""
        if stat.S_ISFIFO(path.stat().st_mode):
            return cls(str(path), path.read_bytes())
        return cls(str(path), path, _state(path))

    def check_same(self) -> None:
        """Raise an error if the file has changed since it was first opened."""
        if isinstance(self.place, bytes):
            return
        try:
            same = self.state in (None, _state(self.place))
        except OSError:  # it is gone
            same = False
        if not same:
            raise BadInput(f"{self.name} has changed since this run began to read it: keep it as it is for the run")

    def open(self) -> BinaryIO:
        return io.BytesIO(self.place) if isinstance(self.place, bytes) else self.place.open("rb")

    @contextmanager
    def arrow(self) -> Iterator[Any]:
        """A file for pyarrow, which must be the same before and after."""
        self.check_same()
        with pa.BufferReader(self.place) if isinstance(self.place, bytes) else opened_by_arrow(self.place) as file:
            yield file
        self.check_same()

    def read(self) -> bytes:
        if isinstance(self.place, bytes):
            return self.place
        self.check_same()
        content = self.place.read_bytes()
        self.check_same()
        return content

    def size(self) -> int:
        """Its size in bytes; 0 where it is unknown before it is read."""
        return len(self.place) if isinstance(self.place, bytes) else self.place.stat().st_size

    def head(self, length: int) -> bytes:
        with self.open() as file:
            return file.read(length)

    def unpacked(self, codec: Codec) -> "Source":
        packed = self.read()
        try:
            if codec == "gzip":
                with gzip.GzipFile(fileobj=io.BytesIO(packed)) as file:
                    return Source(self.name, _limited(file, self.name))
            with pa.CompressedInputStream(pa.BufferReader(packed), codec) as stream:
                return Source(self.name, _limited(stream, self.name))
        except MemoryError as error:
            raise BadInput(f"{self.name} does not fit into memory when it is unpacked: take a part of it") from error
        except (OSError, EOFError, zlib.error) as error:
            raise BadInput(
                f"{self.name} is not a {codec} file, or it is truncated ({reason(error)}): compress it again"
            ) from error


def _state(path: Path) -> tuple[int, int]:
    about = path.stat()
    return about.st_size, about.st_mtime_ns


def opened_by_arrow(path: Path) -> Any:
    """A file for pyarrow, which by itself opens only files whose names are UTF-8."""
    try:
        os.fspath(path).encode()
    except UnicodeEncodeError:
        return pa.PythonFile(path.open("rb"), "r")
    return pa.OSFile(str(path), "rb")


def most_unpacked() -> int:
    """The bytes that a compressed file may have when it is unpacked: 2 GiB, or what the environment says."""
    typed = os.environ.get(SETTING, "")
    return int(typed) if typed.isdecimal() and len(typed) < 20 else 2**31


def too_large(name: str) -> BadInput:
    return BadInput(
        f"{name} has more than {most_unpacked():,} bytes when it is unpacked: unpack it yourself if you trust it, or "
        f"set {SETTING} to more bytes"
    )


def check_archive(archive: zipfile.ZipFile, name: str) -> None:
    """Refuse a zip archive that is too large when unpacked, by the sizes that it states (zipfile enforces them).

    Unless the user sets a limit it may be `RATIO` times as large as the archive, or `LEAST_UNPACKED`: files of numbers
    compress to about a third.
    """
    members = archive.infolist()
    packed, unpacked = sum(member.compress_size for member in members), sum(member.file_size for member in members)
    if unpacked > most_unpacked():
        raise too_large(name)
    if SETTING not in os.environ and unpacked > max(LEAST_UNPACKED, RATIO * packed):
        raise BadInput(
            f"{name} would unpack from {packed:,} to {unpacked:,} bytes, which no model of its size does: set "
            f"{SETTING} to so many bytes if you trust it"
        )
    check_room(2 * unpacked, name, "use a machine with more memory")


def _limited(file: Any, name: str) -> bytes:
    pieces, read, most = [], 0, most_unpacked()
    while piece := file.read(CHUNK):
        pieces.append(piece)
        read += len(piece)
        if read > most:
            raise too_large(name)
    return b"".join(pieces)


def check_text(source: Source) -> int:
    """UTF-8 without NUL bytes; the number of its quotes."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    lines, quotes, read = 1, 0, 0
    with source.open() as file:
        while True:
            chunk = file.read(CHUNK)
            try:
                decoder.decode(chunk, final=not chunk)
            except UnicodeDecodeError as error:
                before = error.start - len(error.object) + len(chunk)
                line = lines + chunk[: max(before, 0)].count(b"\n")
                raise BadInput(
                    f"{source.name} is not UTF-8 text: byte 0x{error.object[error.start]:02x} in line {line} "
                    f"(byte {read + before + 1} of the file)",
                    remedy="convert it to UTF-8",
                ) from error
            if (at := chunk.find(b"\0")) >= 0:
                line = lines + chunk[:at].count(b"\n")
                raise BadInput(f"{source.name} holds a NUL byte in line {line}: save it as plain UTF-8 text")
            if not chunk:
                return quotes
            lines, quotes, read = lines + chunk.count(b"\n"), quotes + chunk.count(b'"'), read + len(chunk)
