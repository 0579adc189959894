"""CSV and TSV in batches. The first batch shows the types; a later value that is not of its type is a fault of its row.

Numbers are float64 whatever the first batch holds. A column of strings in it is a column of numbers if nine in ten are:
one bad value in the first batch then does not make names of all numbers.
"""

import csv
import io
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute
import pyarrow.csv

from foldless.core import Array
from foldless.errors import BadInput
from foldless.io._atomic import reason
from foldless.io._delimited import check_columns, check_magic, parse_options, rows_of
from foldless.io._dialect import NULLS
from foldless.io._faults import Fault
from foldless.io._lines import Lines, RecordBlock
from foldless.io._parts import MARKS, Place, StreamBatch, StreamPart

MOSTLY = 0.9
Types = Mapping[str, pa.DataType]


class DelimitedRows:
    """The rows of one file; ``columns`` are its header."""

    def __init__(self, part: StreamPart, lines: Lines):
        self._part, self._mark, self._lines = part, MARKS[part.fmt], lines
        header = lines.header()
        check_magic(part.name, header.encode())
        self.columns = next(rows_of(part.name, csv.reader(io.StringIO(header, newline=""), delimiter=self._mark)), [])
        check_columns(part.name, self.columns, self._mark)
        lines.quoting.width = len(self.columns)

    def close(self) -> None:
        self._lines.close()

    def batches(
        self, place: Place, most: int, types: Callable[[], Types], spelled: str | None = None
    ) -> Iterator[StreamBatch]:
        """Batches of at most that many lines; ``types`` are known behind the first, ``spelled`` is read as text."""
        if place.row or place.offset:
            self._lines.skip(place)
        for block in self._lines.blocks(most):
            behind = replace(block.behind, part=place.part)
            yield self._batch(block, behind, types(), {} if spelled is None else {spelled: pa.string()})

    def _batch(self, block: RecordBlock, place: Place, types: Types, text: Types) -> StreamBatch:
        wrong: list[Fault] = []
        odd: dict[str, dict[int, str]] = {}
        left = np.ones(len(block.rows), dtype=bool)

        def note(row: pyarrow.csv.InvalidRow) -> str:
            at = row.number - 1
            left[at] = False
            what = f"has {row.actual_columns} values and the header has {row.expected_columns}"
            wrong.append(Fault("bad line", self._part.name, int(block.rows[at]), int(block.lines[at]), what))
            return "skip"

        if not len(block.rows):
            empty = pa.table({name: pa.array([], {**types, **text}.get(name, pa.string())) for name in self.columns})
            return StreamBatch(self._part.name, empty, block.rows, block.lines, block.bad, place)
        try:
            table = self._parsed(block.content, note, {**types, **text})
        except pa.ArrowInvalid:  # a value is not of its type
            wrong.clear()
            strings = self._parsed(block.content, note, dict.fromkeys(self.columns, pa.string()))
            table, odd = _typed(strings, {**types, **text})
        if not types:
            table, odd = _typed(table, {**_mostly_numbers(table), **text})
        if len(table) != left.sum():
            raise BadInput(
                f"{self._part.name} has line breaks inside values in the rows {block.rows[0]} to {block.rows[-1]}: "
                f"quote these values, or save the file again"
            )
        faults = sorted([*block.bad, *wrong], key=lambda fault: fault.row or 0)
        return StreamBatch(self._part.name, table, block.rows[left], block.lines[left], faults, place, odd)

    def _parsed(self, content: bytes, note: object, types: Types) -> pa.Table:
        try:
            return pyarrow.csv.read_csv(
                pa.BufferReader(content),
                read_options=pyarrow.csv.ReadOptions(
                    column_names=self.columns, use_threads=False, block_size=len(content) + 1
                ),
                parse_options=parse_options(self._mark, invalid_row_handler=note),
                convert_options=pyarrow.csv.ConvertOptions(
                    column_types={name: types[name] for name in self.columns if name in types}
                ),
            )
        except pa.ArrowInvalid as error:
            if set(types.values()) <= {pa.string()}:
                raise BadInput(f"{self._part.name} cannot be read ({reason(error)}): save it again as text") from error
            raise


def _typed(table: pa.Table, types: Types) -> tuple[pa.Table, dict[str, dict[int, str]]]:
    """Columns in their types; what does not fit is null, and given beside them."""
    odd: dict[str, dict[int, str]] = {}
    for at, name in enumerate(table.column_names):
        wanted = types.get(name, table.schema.field(at).type)
        if table.schema.field(at).type == wanted:
            continue
        column, strange = _cast(table.column(at).combine_chunks(), wanted)
        table = table.set_column(at, name, column)
        if strange:
            odd[name] = strange
    return table, odd


def _cast(strings: pa.Array, wanted: pa.DataType) -> tuple[pa.Array, dict[int, str]]:
    trimmed = pa.compute.utf8_trim_whitespace(strings)
    strings = pa.compute.if_else(pa.compute.is_in(trimmed, NULLS), pa.scalar(None, pa.string()), trimmed)
    try:
        return strings.cast(wanted), {}
    except pa.ArrowInvalid:
        values = strings.to_pylist()
        strange = {at: text for at, text in enumerate(values) if text is not None and not _fits(text, wanted)}
        kept = [None if at in strange else text for at, text in enumerate(values)]
        return pa.array(kept, pa.string()).cast(wanted), strange


def _fits(text: str, wanted: pa.DataType) -> bool:
    try:
        pa.scalar(text).cast(wanted)
    except pa.ArrowInvalid:
        return False
    return True


def _mostly_numbers(table: pa.Table) -> dict[str, pa.DataType]:
    """The columns of strings that are numbers but for a few."""
    types = {}
    for name in table.column_names:
        if table.column(name).type == pa.string():
            texts = table.column(name).to_pandas().dropna()
            share: Array = pd.to_numeric(texts[texts != ""], errors="coerce").notna().to_numpy()
            if len(share) and share.mean() >= MOSTLY:
                types[name] = pa.float64()
    return types
