"""Where the records of a CSV file end: at a line break outside quotes.

A value in quotes may hold line breaks; a quote inside it is doubled. A quote that is never closed would take the rest
of the file for one value, so a record of several lines counts only where it is well formed (its quotes stand at the
borders of values) and has as many values as the header. Otherwise each of its lines stands for itself.
"""

import csv
import io
import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import numpy as np

from foldless.core import Array

NEWLINE, RETURN, QUOTE = 10, 13, 34
LONGEST = 2**20  # bytes of a record of several lines at most


class Record(NamedTuple):
    """The bytes of a record, from one byte to another, and whether its quotes are closed."""

    start: int
    end: int
    closed: bool


class Quoting:
    """The rules for one mark between values; ``width`` is the number of columns, None where it is not known."""

    def __init__(self, mark: str, width: int | None = None):
        self.mark, self.width = mark, width

    def ends(self, content: bytes) -> Array | None:
        """Where each record ends, if all records of a block are well formed; else None."""
        values = np.frombuffer(content, dtype=np.uint8)
        lines = np.flatnonzero(values == NEWLINE) + 1
        if len(values) and (not len(lines) or lines[-1] < len(values)):
            lines = np.append(lines, len(values))
        quotes = np.flatnonzero(values == QUOTE)
        if not len(quotes):
            return lines
        if len(quotes) % 2 or not self._regular(values, quotes):
            return None
        outside = np.searchsorted(quotes, lines) % 2 == 0
        return lines if outside.all() else self._fitting(content, lines[outside], lines[~outside])

    def records(self, content: bytes) -> Iterator[Record]:
        """The records of a block one by one, whatever it holds."""
        line, start = _patterns(self.mark)[1], 0
        while start < len(content):
            end = content.find(b"\n", start) + 1 or len(content)
            closed = line.fullmatch(content, start, end) is not None
            if not closed and (closed_at := self.end_of(content, start)) is not None:
                closed, end = True, closed_at
            yield Record(start, end, closed)
            start = end

    def open_at(self, content: bytes) -> int | None:
        """Where a record begins that continues after the end of a block of whole lines, or None."""
        if b'"' not in content:
            return None
        values = np.frombuffer(content, dtype=np.uint8)
        quotes = np.flatnonzero(values == QUOTE)
        if self._regular(values, quotes):
            if len(quotes) % 2 == 0:
                return None
            newlines = np.flatnonzero(values[: quotes[-1]] == NEWLINE) + 1
            outside = newlines[np.searchsorted(quotes, newlines) % 2 == 0]
            return int(outside[-1]) if len(outside) else 0
        last = None
        for record in self.records(content):
            if not record.closed and content.count(b'"', record.start) % 2:
                last = record.start
        return last

    def end_of(self, content: bytes, start: int) -> int | None:
        """The end of the well-formed record of several lines that begins there, or None."""
        match = _patterns(self.mark)[0].match(content, start, start + LONGEST)
        if match is None or (match.end() < len(content) and not match[0].endswith(b"\n")):
            return None
        return match.end() if self.width is None or self._count(match[0]) == self.width else None

    def bare(self, record: bytes) -> bytes:
        """A record without its values in quotes, where line breaks mean nothing."""
        mark = re.escape(self.mark.encode())
        return re.sub(rb"(?:(?<=" + mark + rb')|\A)"[^"]*(?:""[^"]*)*"', b"", record)

    def _regular(self, values: Array, quotes: Array) -> bool:
        """Whether quotes open and close in turn, at the borders of values or doubled."""
        borders = np.zeros(256, dtype=bool)
        borders[[NEWLINE, RETURN, QUOTE, ord(self.mark)]] = True
        opening, closing = quotes[::2], quotes[1::2]
        before = opening[opening > 0] - 1
        behind = closing[closing < len(values) - 1] + 1
        return bool(borders[values[before]].all() and borders[values[behind]].all())

    def _fitting(self, content: bytes, ends: Array, inside: Array) -> Array | None:
        """The ends, if records of several lines have as many values as there are columns."""
        starts = np.concatenate([[0], ends[:-1]])
        for at in np.unique(np.searchsorted(ends, inside)).tolist():
            record = content[int(starts[at]) : int(ends[at])]
            if len(record) > LONGEST or (self.width is not None and self._count(record) != self.width):
                return None
        return ends

    def _count(self, record: bytes) -> int:
        text = io.StringIO(record.decode(errors="replace"), newline="")
        try:
            return len(next(csv.reader(text, delimiter=self.mark), []))
        except csv.Error:  # a value is longer than Python's reader takes
            return self.bare(record).count(self.mark.encode()) + 1


@cache
def _patterns(mark: str) -> tuple["re.Pattern[bytes]", "re.Pattern[bytes]"]:
    """A well-formed record, of one line or several; and one line as pyarrow reads it, where text may follow quotes."""
    comma = re.escape(mark.encode())
    bare = rb'[^"' + comma + rb"\r\n][^" + comma + rb"\r\n]*"
    quoted = rb'"[^"]*(?:""[^"]*)*"'
    in_line = rb'"[^"\n]*(?:""[^"\n]*)*"(?!")[^' + comma + rb"\r\n]*"
    record = rb"(?:%b|%b|)(?:%b(?:%b|%b|))*(?:\r?\n|\Z)"
    whole = re.compile(record % (quoted, bare, comma, quoted, bare))
    line = re.compile(record % (in_line, bare, comma, in_line, bare))
    return whole, line
