"""Rows of text as a file has them, byte for byte: quotes, zeros in front and blanks stay as they are.

A row of CSV or TSV is cut into its values only where a column is left out or takes another place; a JSON object only
where a key is left out.
"""

import codecs
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain
from typing import Any

import pandas as pd

from foldless.core import Array
from foldless.core._plain import plain_value
from foldless.io import Table
from foldless.io._dialect import Dialect


@dataclass(frozen=True, eq=False)
class WrittenRows:
    """The columns and the rows of a text file without the ends of its lines; JSON lines have no header.

    ``dialect`` is that of delimited text, ``start`` is the mark that some programs write at the beginning of a file,
    ``end`` what ends each line.
    """

    dialect: Dialect | None
    names: tuple[str, ...]
    header: bytes
    rows: list[bytes]
    start: bytes = b""
    end: bytes = b"\n"

    def at(self, rows: Array) -> "WrittenRows":
        return replace(self, rows=[self.rows[at] for at in rows.tolist()])

    def select(self, names: Sequence[str]) -> "WrittenRows":
        if tuple(names) == self.names:
            return self
        if self.dialect is None:
            gone = set(self.names) - set(names)
            return replace(self, names=tuple(names), rows=[_without(row, gone) for row in self.rows])
        order, mark = [self.names.index(name) for name in names], self.dialect.delimiter
        every = (_cells(row, mark) for row in chain([self.header], self.rows))
        header, *rows = (mark.encode().join([cells[at] for at in order]) for cells in every)
        return replace(self, names=tuple(names), header=header, rows=rows)

    def with_delimiter(self, mark: str) -> "WrittenRows":
        """The same values, with another mark between them."""
        assert self.dialect is not None
        every = (map(_value, _cells(row, self.dialect.delimiter)) for row in chain([self.header], self.rows))
        header, *rows = (mark.join(_quoted(value, mark) for value in values).encode() for values in every)
        return replace(self, dialect=replace(self.dialect, delimiter=mark), header=header, rows=rows)

    def lines(self, columns: Mapping[str, Array]) -> Iterator[bytes]:
        """The file with these columns behind the others."""
        if self.dialect is None:
            keys = [json.dumps(name, ensure_ascii=False) for name in columns]
            for row, *values in zip(self.rows, *columns.values(), strict=True):
                new = ", ".join(
                    f"{key}: {json.dumps(_plain(value), ensure_ascii=False)}"
                    for key, value in zip(keys, values, strict=True)
                )
                inside = row[: row.rindex(b"}")].rstrip()
                yield inside + (b"" if inside.endswith(b"{") else b", ") + new.encode() + b"}" + self.end
            return
        mark = self.dialect.delimiter
        yield self.start + self.header + _behind(list(columns), mark) + self.end
        for row, *cells in zip(
            self.rows, *(_texts(values, self.dialect.decimal) for values in columns.values()), strict=True
        ):
            yield row + _behind(cells, mark) + self.end


def written_rows(table: Table) -> WrittenRows | None:
    """The rows of a table as its file has them; None where it is no text, or where its header is not plain."""
    if table.source is None or table.fmt is None:
        return None
    content = table.source.read()
    start = codecs.BOM_UTF8 if content.startswith(codecs.BOM_UTF8) else b""
    content = content.removeprefix(start)
    if table.dialect is not None and table.dialect.encoding != "utf-8":
        start = codecs.BOM_UTF8  # by which the programs that wrote another encoding know this one
    end = b"\r\n" if content[: content.find(b"\n") + 1].endswith(b"\r\n") else b"\n"
    if table.fmt == "jsonl":
        rows = [row.strip() for row in content.split(b"\n") if row.strip()]
        if len(rows) != len(table.frame) or not all(row.startswith(b"{") and row.endswith(b"}") for row in rows):
            return None
        return WrittenRows(None, tuple(map(str, table.frame)), b"", rows, start, end)
    if table.dialect is None:
        return None
    mark = table.dialect.delimiter
    header, *rows = _records(content, mark) or [b""]
    names, read = tuple(_value(cell) for cell in _cells(header, mark)), [str(name) for name in table.frame]
    if len(rows) != len(table.frame) or [name for name in names if name in table.frame] != read:
        return None
    kept = [name for name in names if name in table.frame or name in table.indices]
    return WrittenRows(table.dialect, names, header, rows, start, end).select(kept)


def joined(parts: Sequence[WrittenRows]) -> WrittenRows | None:
    """The rows of several files under each other, if they are of one format and have the same columns."""
    first = parts[0]
    if any(_form(part) != _form(first) for part in parts):
        return None
    return replace(first, rows=list(chain.from_iterable(part.select(first.names).rows for part in parts)))


def _form(rows: WrittenRows) -> tuple[Any, ...]:
    """What must be the same in files whose rows are put together."""
    dialect = rows.dialect
    return set(rows.names), None if dialect is None else (dialect.delimiter, dialect.decimal)


def _records(content: bytes, mark: str) -> list[bytes]:
    """The lines that are not empty; a line may end inside quotes, where it goes on."""
    if b'"' not in content:
        return [line for line in re.split(rb"[\r\n]+", content) if line]
    return [record[0] for record in _patterns(mark)[1].finditer(content) if record[0]]


def _cells(row: bytes, mark: str) -> list[bytes]:
    if b'"' not in row:
        return row.split(mark.encode())
    cell, cells, at = _patterns(mark)[0], list[bytes](), 0
    while at <= len(row):
        matched = cell.match(row, at)
        cells.append(matched[0] if matched else b"")
        at += len(cells[-1]) + 1
    return cells


@cache
def _patterns(delimiter: str) -> tuple["re.Pattern[bytes]", "re.Pattern[bytes]"]:
    """A value and a row as pyarrow reads them: quotes count at the beginning of a value, text may follow them."""
    mark = re.escape(delimiter.encode())
    cell = rb'(?:"[^"]*(?:""[^"]*)*"(?!"))?[^' + mark + rb"\r\n]*"
    return re.compile(cell), re.compile(cell + rb"(?:" + mark + cell + rb")*")


def _value(cell: bytes) -> str:
    if not cell.startswith(b'"'):
        return cell.decode()
    end = cell.rfind(b'"')
    return (cell[1:end].replace(b'""', b'"') + cell[end + 1 :]).decode()


def _behind(cells: Sequence[str], mark: str) -> bytes:
    return "".join(mark + _quoted(cell, mark) for cell in cells).encode()


def _quoted(text: str, mark: str) -> str:
    if any(sign in text for sign in (mark, '"', "\r", "\n")):
        return '"' + text.replace('"', '""') + '"'
    return text


def _texts(values: Array, decimal: str) -> list[str]:
    texts = ["" if value is None else str(value) for value in map(_plain, values)]
    return [text.replace(".", decimal) for text in texts] if values.dtype.kind == "f" and decimal != "." else texts


def _plain(value: Any) -> Any:
    return None if value is pd.NA else plain_value(value)


def _without(row: bytes, gone: set[str]) -> bytes:
    """An object without some keys; the others are written anew where there is one of them."""
    if b"\\u" not in row and not any(json.dumps(key, ensure_ascii=False).encode() in row for key in gone):
        return row
    kept = {key: value for key, value in json.loads(row).items() if key not in gone}
    return json.dumps(kept, ensure_ascii=False).encode()
