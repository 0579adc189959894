"""Whole records of a text file in blocks, each with the place where the next one begins.

A record is a line, or several where a value in quotes holds line breaks (`foldless.io._quoting`). Where a block ends
depends on the bytes alone, never on how they arrive, so that a run that is resumed meets the same blocks.
"""

import codecs
import gzip
import hashlib
import os
import select
import stat
import sys
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

import numpy as np
import pyarrow as pa

from foldless.core import Array
from foldless.errors import BadInput, StartOver
from foldless.io._atomic import reason
from foldless.io._faults import Fault
from foldless.io._parts import MARKS, Place, StreamPart
from foldless.io._quoting import LONGEST, Quoting
from foldless.io._sources import opened_by_arrow

CHUNK = 2**20
BLOCK = 2**24  # bytes of a block at most; one line must fit
PATIENCE = 0.2  # seconds between two looks whether to stop
NEWLINE = 10


def never() -> bool:
    """Nobody wants to stop."""
    return False


@dataclass(frozen=True)
class RecordBlock:
    """Records that can be parsed, the numbers of their lines and rows, those that cannot, and where the next begins."""

    content: bytes
    lines: Array
    rows: Array
    bad: list[Fault]
    behind: Place


class Lines:
    """The records of one part, from a byte on; ``quoting`` knows the number of columns once the header is read."""

    def __init__(self, part: StreamPart, wants_stop: Callable[[], bool] = never):
        self._part, self._wants_stop = part, wants_stop
        self.quoting = Quoting(MARKS.get(part.fmt, ","))
        self._file = _opened(part, wants_stop)
        self._buffer = b""
        self._over = False
        self._returns: bool | None = None
        self._line, self._row, self._offset = 0, 0, 0
        self._taken, self._last = hashlib.sha256(), b""

    def close(self) -> None:
        self._file.close()

    def header(self) -> str:
        """The first record that is not blank."""
        self._read_until(len(codecs.BOM_UTF8))
        if self._buffer.startswith(codecs.BOM_UTF8):
            self._take(len(codecs.BOM_UTF8))
        while True:
            content = self._take(self._fill(1))
            if not content:
                raise BadInput(f"{self._part.name} is empty: it needs a header and rows")
            self._line += content.count(b"\n") or 1
            if content.strip():
                break
        if not next(self.quoting.records(content)).closed:
            raise BadInput(f"{self._part.name} opens a quote in line {self._line} and never closes it: close it there")
        try:
            return content.decode().strip("\r\n")
        except UnicodeDecodeError as error:
            raise BadInput(f"the header of {self._part.name} is not UTF-8 text: convert it to UTF-8") from error

    def skip(self, place: Place) -> None:
        """Continue at a place, if the bytes before it are those that were read; what follows may have changed."""
        while self._offset < place.offset and self._has_more():
            self._take(min(place.offset - self._offset, len(self._buffer)))
        if self._taken.hexdigest() != place.digest:
            raise BadInput(
                f"{self._part.name} has changed in its first {place.offset:,} bytes, which the checkpoint covers",
                place=self._part.name,
                remedy=StartOver(),
            )
        self._line, self._row = place.line, place.row
        if self._last != b"\n" and self._has_more():
            self._end_line()

    def _end_line(self) -> None:
        """The last line that was read had no end: what has been added must begin with one."""
        added = self._buffer[:2]
        if not added.startswith((b"\n", b"\r\n")):
            raise BadInput(
                f"line {self._line} of {self._part.name} was the last when the checkpoint was written, and has grown "
                f"since",
                place=self._part.name,
                remedy=StartOver(),
            )
        self._take(added.index(b"\n") + 1)

    def blocks(self, most: int) -> Iterator[RecordBlock]:
        while content := self._take(self._fill(most)):
            cut = self._part.path is None and self._wants_stop()  # standard input, which may have more to say
            if cut and not content.endswith(b"\n"):
                content = content[: content.rfind(b"\n") + 1]
            if content:
                yield self._sound(content)

    def _sound(self, content: bytes) -> RecordBlock:
        """The records that can be parsed, and why the others cannot."""
        first, row = self._line + 1, self._row
        self._line += content.count(b"\n") + (not content.endswith(b"\n"))
        ends = self.quoting.ends(content) if _is_plain(content) else None
        if ends is not None:
            self._row += len(ends)
            lines = np.arange(first, first + len(ends))
            if len(ends) < self._line + 1 - first:  # some records have several lines
                newlines = np.flatnonzero(np.frombuffer(content, dtype=np.uint8) == NEWLINE) + 1
                lines = first + np.concatenate([[0], np.searchsorted(newlines, ends[:-1], side="right")])
            return self._block(content, lines, np.arange(row + 1, row + 1 + len(ends)), [])
        kept, numbers, rows, bad = [], [], [], []
        number = first
        for record in self.quoting.records(content):
            text = content[record.start : record.end]
            at, number = number, number + text.count(b"\n")
            if not text.strip():
                continue
            self._row += 1
            why = _why_unsound(text, record.closed, self.quoting)
            if why is not None:
                bad.append(Fault("bad line", self._part.name, self._row, at, why))
                continue
            kept.append(text if text.endswith(b"\n") else text + b"\n")
            numbers.append(at)
            rows.append(self._row)
        return self._block(b"".join(kept), np.array(numbers, int), np.array(rows, int), bad)

    def _block(self, content: bytes, lines: Array, rows: Array, bad: list[Fault]) -> RecordBlock:
        behind = Place(0, self._row, self._line, self._offset, self._taken.hexdigest())  # the stream numbers its parts
        return RecordBlock(content, lines, rows, bad, behind)

    def _fill(self, most: int) -> int:
        """Read until a block of that many lines is there, and the rest of its last record; the number of its bytes."""
        end = self._fill_lines(most)
        start = self.quoting.open_at(self._buffer[:end])
        if start is None:
            return end
        self._read_until(start + LONGEST)
        closed = self.quoting.end_of(self._buffer, start)
        if closed is None or (closed == len(self._buffer) and not (self._over or self._buffer.endswith(b"\n"))):
            return end
        return max(closed, end)

    def _read_until(self, length: int, most_lines: float = np.inf) -> None:
        """Read until the buffer has that many bytes, or lines, or there are no more."""
        pieces = [self._buffer]
        n_bytes, n_lines = len(self._buffer), self._buffer.count(b"\n")
        while n_bytes < length and n_lines < most_lines and not self._over:
            chunk = self._read()
            self._over = not chunk
            pieces.append(chunk)
            n_bytes, n_lines = n_bytes + len(chunk), n_lines + chunk.count(b"\n")
        self._buffer = b"".join(pieces)

    def _fill_lines(self, most: int) -> int:
        """Read until so many lines are there; the number of their bytes."""
        self._read_until(BLOCK, most)
        within = self._buffer[:BLOCK]
        ends = np.flatnonzero(np.frombuffer(within, dtype=np.uint8) == NEWLINE)
        if len(ends) >= most:
            return int(ends[most - 1]) + 1
        if self._over and len(self._buffer) <= BLOCK:
            return len(self._buffer)
        if not len(ends):
            raise BadInput(f"line {self._line + 1} of {self._part.name} is longer than {BLOCK // 2**20} MB: shorten it")
        return int(ends[-1]) + 1

    def _has_more(self) -> bool:
        self._read_until(1)
        return bool(self._buffer)

    def _read(self) -> bytes:
        try:
            chunk = bytes(self._file.read(CHUNK))
            if self._returns is None and len(chunk) > 1:  # lines of old programs end with a carriage return alone
                self._returns = b"\r" in chunk[:-1] and b"\n" not in chunk
            return chunk.replace(b"\r", b"\n") if self._returns else chunk
        except (OSError, EOFError, zlib.error) as error:
            raise BadInput(f"{self._part.name} cannot be read to its end ({reason(error)}): write it again") from error

    def _take(self, length: int) -> bytes:
        taken, self._buffer = self._buffer[:length], self._buffer[length:]
        self._offset += len(taken)
        self._taken.update(taken)
        self._last = taken[-1:] or self._last
        return taken


def _is_plain(content: bytes) -> bool:
    """Whether there is text in all lines, and nothing but text."""
    if b"\0" in content or b"\n\n" in content or b"\n\r\n" in content or content[:1] in b"\r\n":
        return False
    if content.count(b"\r") != content.count(b"\r\n"):  # ends a line in pyarrow's eyes, unless it is in quotes
        return False
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True


def _why_unsound(record: bytes, closed: bool, quoting: Quoting) -> str | None:
    if b"\0" in record:
        return "holds a NUL byte"
    try:
        record.decode()
    except UnicodeDecodeError as error:
        return f"is not UTF-8 text (byte 0x{record[error.start]:02x})"
    if b"\r" in record.rstrip(b"\r\n") and b"\r" in quoting.bare(record).rstrip(b"\r\n"):
        return "holds a carriage return, which ends a line in some programs"
    return None if closed else "opens a quote that it does not close"


class _Piped:
    """Standard input; it ends when a stop is wanted."""

    def __init__(self, wants_stop: Callable[[], bool]):
        if sys.stdin is None:
            raise BadInput("there is no standard input to read: name a file instead of -")
        self._wants_stop = wants_stop
        try:
            self._number: int | None = sys.stdin.fileno()
        except OSError:  # no real file, which never makes anybody wait
            self._number = None

    def read(self, size: int) -> bytes:
        if self._number is None:
            return sys.stdin.buffer.read(size)
        while not self._wants_stop():
            if select.select([self._number], [], [], PATIENCE)[0]:
                return os.read(self._number, size)
        return b""

    def close(self) -> None:
        """Standard input stays open."""


class _AsOpened:
    """A file up to the length it had when it was opened: one that grows as fast as it is read would never end.

    A line that was just being written is read to its end. What follows is for the next run.
    """

    def __init__(self, file: BinaryIO):
        self._file, self._last = file, b""
        about = os.fstat(file.fileno())
        # a pipe ends when its writer closes it, and files of the system that have a content have no size
        self._left = about.st_size if stat.S_ISREG(about.st_mode) and about.st_size else None

    def read(self, size: int) -> bytes:
        if self._left is None:
            return self._file.read(size)
        if self._left == 0:
            rest, self._last = b"" if self._last in (b"", b"\n") else self._file.readline(BLOCK), b""
            return rest
        chunk = self._file.read(min(size, self._left))
        self._left, self._last = self._left - len(chunk) if chunk else 0, chunk[-1:]
        return chunk

    def close(self) -> None:
        self._file.close()


def _opened(part: StreamPart, wants_stop: Callable[[], bool]) -> Any:
    if part.path is None:
        return _Piped(wants_stop)
    try:
        if part.codec == "gzip":
            return gzip.open(part.path)
        if part.codec == "zstd":
            return pa.CompressedInputStream(opened_by_arrow(part.path), "zstd")
        return _AsOpened(part.path.open("rb"))
    except OSError as error:
        raise BadInput(f"{part.name} cannot be read ({reason(error)}): check the file and its permissions") from error
