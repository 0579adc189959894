"""How a file of text writes its values: what stands between them, decimal marks, encoding, the order of dates.

Most of it can be seen: a file with semicolons in its header has them between values, 1,5 beside 2,75 has decimal
commas, and 25/12/2023 has its day first. What can be seen is found, and said in a note that repeats it as options. What
cannot be seen is never guessed: 1,234 alone may be a thousand or one, and the user is asked.

The dialect of one file speaks for those that are read beside it, where they leave it open.
"""

import codecs
import csv
import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.compute
import pyarrow.csv

from foldless.core import Array
from foldless.errors import BadInput, Note, ReadAs

SAMPLE = 2**20  # bytes from which the mark between values is seen
MARKS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
DECIMALS = {".": "decimal points", ",": "decimal commas"}
GROUPS = (" ", "\u00a0", "\u202f", "'", "’")  # between thousands, whatever the decimal mark is
WIDE = {
    codecs.BOM_UTF32_LE: "utf-32",  # before UTF-16, whose mark is the beginning of this one
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
SEPARATOR = re.compile(r'\ufeff?"?sep=(.)"?\r?\n', re.IGNORECASE)  # Excel's first line
DECIMAL_MARKS = [ReadAs((("decimal", mark),)) for mark in (".", ",")]
NULLS = pa.array(pyarrow.csv.ConvertOptions().null_values)
WESTERN = re.compile(r"[\x00-\x7f\u00a0£§©«°²³´µ·»½€…†‡‰‹›‘’“”•–—™À-ÖØ-öø-ÿŒœŠšŽžŸ]*")


@dataclass(frozen=True)
class Dialect:
    """The mark between values, the decimal mark, the encoding, and the order of dates (``None`` where none are)."""

    delimiter: str = ","
    decimal: str = "."
    encoding: str = "utf-8"
    date_format: str | None = None

    def said(self, name: str, plain: "Dialect") -> list[Note]:
        """A note on what a file has that is not plain, as settings to repeat; none where all of it is plain."""
        words = {
            "delimiter": f"{MARKS.get(self.delimiter, repr(self.delimiter))} between values",
            "decimal": DECIMALS[self.decimal],
            "encoding": self.encoding,
            "date_format": f"dates as {self.date_format}",
        }
        differs = [field for field in words if getattr(self, field) not in (None, getattr(plain, field))]
        if not differs:
            return []
        settings = tuple((field, str(getattr(self, field))) for field in differs)
        sentence = f"{name} is read with {', '.join(words[field] for field in differs)}"
        return [Note(sentence, remedy=ReadAs(settings, to="as"))]


@dataclass(frozen=True)
class FileOptions:
    """How files are read: the format where the ending does not name it, the dialect, and the sheet.

    None, the default of each, means that it is found from the file.

    Parameters
    ----------
    format : "csv", "tsv", "jsonl", "parquet", "arrow", "svmlight", "xlsx", "ods", "sqlite" or "duckdb"
    delimiter : the mark between values, one character
    decimal : "." or ","
    encoding : as Python names it, such as "cp1252"
    date_format : as `datetime.strptime` takes it, such as "%d.%m.%Y"
    sheet : the name of a sheet of a spreadsheet; the first one without it
    table : the name of a table of a database; the only one without it
    query : SQL whose rows are read from a database, in place of a table

    Examples
    --------
    >>> FileOptions(delimiter=";", decimal=",").decimal
    ','
    """

    format: str | None = None
    delimiter: str | None = None
    decimal: str | None = None
    encoding: str | None = None
    date_format: str | None = None
    sheet: str | None = None
    table: str | None = None
    query: str | None = None

    def __post_init__(self) -> None:
        if self.delimiter is not None and (
            len(self.delimiter) != 1 or self.delimiter in '"\r\n' or ord(self.delimiter) > 127
        ):
            raise BadInput(f"the delimiter {self.delimiter!r} is not one plain character: pass one such as ';'")
        if self.table is not None and self.query is not None:
            raise BadInput("both a table and a query are named: leave one of them out")
        if self.decimal not in (None, ".", ","):
            raise BadInput(f"the decimal mark {self.decimal!r} is neither '.' nor ',': pass one of these")
        if self.delimiter is not None and self.delimiter == self.decimal == ".":
            raise BadInput("the delimiter and the decimal mark are both '.': pass another one")
        if self.encoding is not None:
            try:
                codecs.lookup(self.encoding)
            except LookupError:
                raise BadInput(
                    f"there is no encoding {self.encoding!r}: pass one that Python knows, such as 'cp1252' or 'utf-16'"
                ) from None


def as_utf8(name: str, content: bytes, encoding: str | None) -> tuple[bytes, str]:
    """The bytes of a text in UTF-8, and the encoding that they had: that of its first bytes unless it is named."""
    encoding = encoding or next(wide for mark, wide in WIDE.items() if content.startswith(mark))
    try:
        text = content.decode(encoding)
    except (UnicodeError, ValueError) as error:
        raise BadInput(
            f"{name} is not {encoding} text ({error})", place=name,
            remedy=(ReadAs((("encoding", "cp1252"),), to="name its encoding, such as"), "save it as UTF-8"),
        ) from None  # fmt: skip
    return text.removeprefix("\ufeff").encode(), encoding


def as_western(content: bytes) -> bytes | None:
    """Text of Windows in Western Europe (cp1252) in UTF-8; None where it may be another one, such as Greek or Polish.

    Letters beyond ASCII are seldom side by side in these languages, and signs such as ³ never stand inside a word.
    """
    if re.search(rb"[\xc2-\xf4](?:[\x80-\xbf]|\Z)", content):  # UTF-8 that was cut, or is damaged
        return None
    try:
        text = content.decode("cp1252")
    except UnicodeDecodeError:
        return None
    if not WESTERN.fullmatch(text):
        return None
    foreign = re.findall(r"[^\W\d_a-zA-Z]+", text)
    runs = sum(len(letters) > 1 for letters in foreign)
    inside = re.search(r"[^\W\d_][²³´µ·½°§]+[^\W\d_]", text)
    return None if runs * 3 > len(foreign) or inside else text.encode()


def cut_separator(content: bytes) -> tuple[bytes, str | None]:
    """The text without Excel's first line ``sep=;``, and the mark that it names."""
    match = SEPARATOR.match(content[:16].decode(errors="replace"))
    if match is None:
        return content, None
    return content[content.index(b"\n") + 1 :], match[1]


def delimiter_of(name: str, content: bytes, usual: str, like: str | None = None) -> str:
    """The mark between values, as the first megabyte shows it; ``usual`` where nothing else fits.

    Where the header has several marks, it is the one that cuts all rows into as many values as the header; where that
    holds for several too, the one that leaves fewer values with another mark inside that are no numbers.
    """
    head = content[:SAMPLE].removeprefix(codecs.BOM_UTF8)
    if len(content) > SAMPLE:
        head = head[: head.rfind(b"\n") + 1]
    text = head.decode(errors="replace")
    able = {mark: rows for mark in MARKS if len(rows := _cut(text, mark)) and len(rows[0]) > 1}
    if len(able) < 2:
        return next(iter(able), usual)
    even = {mark: rows for mark, rows in able.items() if len({len(row) for row in rows}) == 1} or able
    if len(even) == 1:
        return next(iter(even))
    shares = {mark: _clean_share(rows[1:], mark) for mark, rows in even.items()}
    first, second = sorted(shares, key=lambda mark: -shares[mark])[:2]
    if shares[first] > shares[second]:
        return first
    if usual in even or like in even:
        return usual if usual in even else str(like)
    raise BadInput(
        f"{name} can be cut at {MARKS[first]} and at {MARKS[second]} into {len(even[first][0])} and "
        f"{len(even[second][0])} columns",
        place=name, remedy=[ReadAs((("delimiter", mark),)) for mark in (first, second)],
    )  # fmt: skip


def _cut(text: str, mark: str) -> list[list[str]]:
    try:
        return [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=mark) if row]
    except csv.Error:
        return []


def _clean_share(rows: Sequence[Sequence[str]], mark: str) -> float:
    """The share of values that are numbers, dates or empty and of those that hold no other mark."""
    clean = re.compile(r"\s*([-+]?[\d.,'\u00a0\u202f ]*\d([eE][-+]?\d+)?|\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|)\s*")
    others = [other for other in MARKS if other != mark]
    cells = [cell for row in rows for cell in row]
    good = sum(bool(clean.fullmatch(cell)) or not any(other in cell for other in others) for cell in cells)
    return good / max(1, len(cells))


@dataclass(frozen=True)
class _Numbers:
    """How a column can be read as numbers: the mark between thousands under each decimal mark, "" where none is."""

    name: str
    thousands: dict[str, str]
    differ: bool

    @property
    def vote(self) -> str | None:
        """The only decimal mark that it can be read with; None where it is a number in two ways."""
        return next(iter(self.thousands)) if len(self.thousands) == 1 else None


def in_plain_form(
    name: str, cells: pa.Table, dialect: Dialect, options: FileOptions, like: Dialect | None
) -> tuple[pa.Table | None, Dialect, list[Note]]:
    """Columns of text with numbers and dates in the form that is read everywhere; None where they have it already.

    Also the dialect with what was found, and what a user should know.
    """
    numbers = [found for column in cells.column_names if (found := _numbers(column, cells[column])) is not None]
    votes = {found.vote for found in numbers if found.vote is not None and found.differ}
    decimal = options.decimal or (votes.pop() if len(votes) == 1 else None if like is None else like.decimal)
    changed: dict[str, Any] = {}
    grouped: dict[str, list[str]] = {}
    notes: list[Note] = []
    for found in numbers:
        mark = options.decimal if options.decimal in found.thousands else found.vote or decimal
        if found.differ and mark is None:
            value = _present(cells[found.name])[0].as_py()
            problem = f"column {found.name!r} of {name} holds {value!r}, which may be a thousand or a fraction"
            if dialect.delimiter == "," or (dialect.delimiter == "\t" and dialect.encoding == "utf-8"):
                if "," in value:
                    notes.append(Note(f"{problem}, and is taken as text", remedy=DECIMAL_MARKS))
                continue
            raise BadInput(f"{problem}, and no other value says which", place=name, remedy=DECIMAL_MARKS)
        mark = mark or "."
        if found.thousands[mark]:
            grouped.setdefault(found.thousands[mark], []).append(found.name)
        if mark == "," or found.thousands[mark]:
            changed[found.name] = _plain_numbers(cells[found.name], mark, found.thousands[mark])
    for group, columns in grouped.items():
        shown = {"\u00a0": "a no-break space", "\u202f": "a narrow space", " ": "a space"}.get(group, repr(group))
        which = f"column {columns[0]!r}" if len(columns) == 1 else f"{len(columns)} columns"
        notes.append(Note(f"{which} of {name}: {shown} is taken as the mark between thousands"))
    written = decimal if decimal is not None and any(found.differ for found in numbers) else "."
    others = [column for column in cells.column_names if column not in {found.name for found in numbers}]
    dates, date_format, of_dates = _dates(name, {column: cells[column] for column in others}, options, like)
    changed |= dates
    if not changed:
        return None, dialect, [*notes, *of_dates]
    for column, values in changed.items():
        cells = cells.set_column(cells.column_names.index(column), column, values)
    return cells, replace(dialect, decimal=written, date_format=date_format), [*notes, *of_dates]


def columns_not_plain(name: str, cells: pa.Table) -> list[str]:
    """The columns of text with numbers or dates in a form that tables are read from, and streams are not."""
    texts = [column for column in cells.column_names if cells.schema.field(column).type == pa.string()]
    plain, _, _ = in_plain_form(name, cells.select(texts), Dialect(), FileOptions(), None)
    return [] if plain is None else [column for column in texts if not plain[column].equals(cells[column])]


def _present(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """The values that are not missing, without blanks around them."""
    trimmed = pa.compute.utf8_trim_whitespace(column)
    return trimmed.filter(pa.compute.invert(pa.compute.is_in(trimmed, NULLS)))


def _pattern(decimal: str, group: str) -> str:
    whole = rf"(?:\d+|[1-9]\d{{0,2}}(?:{re.escape(group)}\d{{3}})+)" if group else r"\d+"
    return rf"^[-+]?(?:{whole}(?:{re.escape(decimal)}\d*)?|{re.escape(decimal)}\d+)(?:[eE][-+]?\d+)?$"


def _numbers(name: str, column: pa.ChunkedArray) -> _Numbers | None:
    """How a column can be read as numbers; None where it cannot, or has neither points nor commas nor groups."""
    values = _present(column)
    if not len(values) or not re.fullmatch(r"[-+]?[\d.,].*\d[.,]?|\d", values[0].as_py()):
        return None
    if not _any(values, r"[.,'’\x{a0}\x{202f} ]"):
        return None
    thousands = {}
    for decimal, other in ((".", ","), (",", ".")):
        group = next((group for group in ("", other, *GROUPS) if _all(values, _pattern(decimal, group))), None)
        if group is not None:
            thousands[decimal] = group
    if not thousands:
        return None
    return _Numbers(name, thousands, differ=_any(values, r"[.,]"))


def _any(values: pa.ChunkedArray, pattern: str) -> bool:
    return bool(pa.compute.any(pa.compute.match_substring_regex(values, pattern)).as_py())


def _all(values: pa.ChunkedArray, pattern: str) -> bool:
    return bool(pa.compute.all(pa.compute.match_substring_regex(values, pattern)).as_py())


def _plain_numbers(column: pa.ChunkedArray, decimal: str, group: str) -> pa.ChunkedArray:
    trimmed = pa.compute.utf8_trim_whitespace(column)
    missing = pa.compute.is_in(trimmed, NULLS)
    plain = pa.compute.replace_substring(trimmed, group, "") if group else trimmed
    plain = pa.compute.replace_substring(plain, decimal, ".") if decimal != "." else plain
    return pa.compute.if_else(missing, trimmed, plain)


def _dates(
    name: str, columns: dict[str, pa.ChunkedArray], options: FileOptions, like: Dialect | None
) -> tuple[dict[str, Any], str | None, list[Note]]:
    """Columns of dates as ISO writes them, their format, and notes on those that may be read in two ways."""
    readings = {name: formats for name, column in columns.items() if (formats := _formats(column, options.date_format))}
    certain = {formats[0] for formats in readings.values() if len(formats) == 1}
    day_first = {found.startswith("%d") for found in certain}
    hint = None if like is None or like.date_format is None else like.date_format.startswith("%d")
    first = day_first.pop() if len(day_first) == 1 else hint
    changed, used, notes = {}, [], []
    for column, formats in readings.items():
        if len(formats) > 1 and first is None:
            value = _present(columns[column])[0].as_py()
            problem = (
                f"column {column!r} of {name} holds dates such as {value}, where day and month cannot be told apart"
            )
            remedy = [ReadAs((("date_format", form),)) for form in formats]
            notes.append(Note(f"{problem}, and is not taken as dates", remedy=remedy))
            continue
        found = next((each for each in formats if len(formats) == 1 or each.startswith("%d") == first), formats[0])
        changed[column] = _iso(columns[column], found)
        used.append(found)
    return changed, (min(used, key=len) if used else None), notes


def _formats(column: pa.ChunkedArray, asked: str | None) -> list[str]:
    values = _present(column)
    if not len(values):
        return []
    first = values[0].as_py()
    if asked is not None and _parses(values[:1], asked):
        return [asked] if _parses(values, asked) else []
    match = re.fullmatch(r"\d{1,2}([./-])\d{1,2}\1\d{4}( \d{1,2}:\d{2}(:\d{2})?)?", first)
    if match is None:
        return []
    mark = match[1]
    time = "" if match[2] is None else " %H:%M" if match[3] is None else " %H:%M:%S"
    formats = [f"{days}{mark}%Y{time}" for days in (f"%d{mark}%m", f"%m{mark}%d")]
    fitting = [each for each in formats if _parses(values, each)]
    return fitting[:1] if mark == "." else fitting  # with points between, the day comes first everywhere


def _parsed(values: Iterable[Any], form: str) -> "pd.Series[Any]":
    return pd.to_datetime(pd.Series(list(values), dtype=object), format=form, errors="coerce")


def _parses(values: pa.ChunkedArray, form: str) -> bool:
    return bool(_parsed(values.unique().to_pylist(), form).notna().all())


def _iso(column: pa.ChunkedArray, form: str) -> pa.Array:
    trimmed = pa.compute.utf8_trim_whitespace(column).to_pylist()
    dates = _parsed(trimmed, form)
    known = dates.dropna()
    only_days = "%H" not in form and known.dt.normalize().eq(known).all()
    texts: Array = dates.dt.strftime("%Y-%m-%d" if only_days else "%Y-%m-%d %H:%M:%S").fillna("").to_numpy()
    return pa.array(texts.tolist(), pa.string())
