"""Sheets of .xlsx, .xls and .ods files, through python-calamine (``pip install foldless[excel]``).

The first row that has a value names the columns. A column is whole numbers, numbers, dates, times, booleans or text as
its cells are; a column that mixes them is text.
"""

import datetime
import io
from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from foldless.errors import BadInput, Note, ReadAs
from foldless.io._atomic import reason
from foldless.io._sources import Source
from foldless.io._table import without_point

EMPTY = ("", None)


def read(source: Source, sheet: str | None) -> tuple[pa.Table, list[Note]]:
    """The table in a sheet, the first one unless it is named, and a note where there are others."""
    try:
        import python_calamine
    except ImportError:
        raise BadInput(
            f"{source.name} is a spreadsheet, which needs python-calamine: install foldless[excel], or save it as CSV"
        ) from None
    try:
        book = python_calamine.CalamineWorkbook.from_filelike(io.BytesIO(source.read()))
        names = list(book.sheet_names)
    except Exception as error:  # whatever a damaged file makes of the library
        raise BadInput(f"{source.name} is no spreadsheet, or it is damaged ({reason(error)}): save it again") from None
    if sheet is not None and sheet not in names:
        raise BadInput(
            f"{source.name} has no sheet {sheet!r}; its sheets are {', '.join(map(repr, names))}",
            value=sheet, place=source.name, remedy=ReadAs((("sheet", names[0]),)),
        )  # fmt: skip
    chosen = names[0] if sheet is None else sheet
    rows = [row for row in book.get_sheet_by_name(chosen).to_python() if any(cell not in EMPTY for cell in row)]
    if not rows:
        raise BadInput(f"the sheet {chosen!r} of {source.name} is empty: it needs a header and rows")
    others = [name for name in names if name != chosen]
    notes = []
    if others and sheet is None:
        rest = f"its {len(others)} other sheets are" if len(others) > 1 else f"its sheet {others[0]!r} is"
        sentence = f"{source.name}: the sheet {chosen!r} is read and {rest} not"
        notes.append(Note(sentence, remedy=ReadAs((("sheet", others[0]),))))
    header, *body = rows
    columns = [_column([row[at] for row in body]) for at in range(len(header))]
    return pa.table(columns, [str(without_point(name)) for name in header]), notes


def _column(cells: Sequence[Any]) -> pa.Array:
    values = [None if cell in EMPTY else cell for cell in cells]
    kinds = {type(value) for value in values if value is not None}
    if not kinds:
        return pa.nulls(len(values))
    if kinds <= {int, float}:
        whole = all(value is None or float(value).is_integer() for value in values)
        number, kind = (int, pa.int64()) if whole else (float, pa.float64())
        return pa.array([None if value is None else number(value) for value in values], kind)
    if kinds == {bool}:
        return pa.array(values, pa.bool_())
    if kinds == {datetime.date}:
        return pa.array(values, pa.date32())
    if kinds <= {datetime.date, datetime.datetime}:
        return pa.array([None if value is None else _moment(value) for value in values], pa.timestamp("s"))
    return pa.array(["" if value is None else str(without_point(value)) for value in values], pa.string())


def _moment(value: datetime.date) -> datetime.datetime:
    return value if isinstance(value, datetime.datetime) else datetime.datetime.combine(value, datetime.time())
