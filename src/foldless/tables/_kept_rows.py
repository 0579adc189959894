"""Rows of files that go out again with labels: what a model does not read is copied as it was written.

In a format with types, a column of text stays text where numbers would not be the same: with leading zeros or a plus
sign, with whole numbers that double precision rounds, or with nothing but words for missing values.
"""

import codecs
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute

from foldless.core import Array
from foldless.data._features import concatenate, n_rows, take, with_columns
from foldless.data._overlap import hashed
from foldless.errors import BadInput
from foldless.io import Table, write_table
from foldless.io._delimited import texts
from foldless.io._formats import by_ending
from foldless.io._parts import MARKS
from foldless.io._writing import write_lines, write_text
from foldless.tables import _label_draws as label_draws
from foldless.tables._written_rows import WrittenRows, joined, written_rows

EXACT = 2**53  # up to here double precision has every whole number
ODD = r"^\s*(\+\d+|[-+]?0\d.*)\s*$"  # a telephone number, a post code


class BytesFile(Protocol):
    """What bytes can be written to."""

    def write(self, content: bytes, /) -> int: ...


@dataclass(frozen=True, eq=False)
class KeptRows:
    """Rows of tables, all of them or those at some positions.

    The column ``label`` is left out where no table is there as a whole that has it: rows of training without a label
    have nothing in it, and rows of svmlight files always begin with a number. It is left out in any case where rows
    are there to ``relabel``, and so are columns that say how labels were drawn.
    """

    parts: Sequence[tuple[Table, Array | None]]
    label: str
    relabel: bool = False

    @property
    def without(self) -> tuple[str, ...]:
        if self.relabel:
            return (self.label, *label_draws.NAMES)
        whole = [table for table, rows in self.parts if rows is None and table.features is None]
        return () if any(self.label in table.frame for table in whole) else (self.label,)

    @cached_property
    def frame(self) -> pd.DataFrame:
        """The rows as a data frame that has lost nothing."""
        exact = [(_with_indices(exact_frame(table), table), rows) for table, rows in self.parts]
        frames = [frame if rows is None else frame.iloc[rows] for frame, rows in exact]
        whole = frames[0] if len(frames) == 1 else pd.concat(frames, ignore_index=True)
        return whole.drop(columns=[*self.without], errors="ignore")

    def at(self, rows: Array) -> tuple["KeptRows", Array, Array]:
        """Some rows, to be labeled: file by file, the order in which they then are, and their numbers in the files."""
        placed = [each for each in self.places(rows) if len(each[1])]
        parts = [(table, places) for (table, _), _, places in placed]
        order, numbers = [inside for _, inside, _ in placed], [places + 1 for _, places in parts]
        return KeptRows(parts, self.label, relabel=True), np.concatenate(order), np.concatenate(numbers)

    def only(self, rows: Array) -> "KeptRows":
        """Some rows, in their order; tables of which all rows are among them stay whole."""
        parts = [
            (table, chosen if len(places) == len(table.frame if chosen is None else chosen) else places)
            for (table, chosen), _, places in self.places(rows)
        ]
        return KeptRows(parts, self.label)

    def places(self, rows: Array) -> Iterator[tuple[tuple[Table, Array | None], Array, Array]]:
        """Each part, which of some rows are in it, and their positions in its table."""
        start = 0
        for table, chosen in self.parts:
            positions = np.arange(len(table.frame)) if chosen is None else chosen
            inside = np.flatnonzero((rows >= start) & (rows < start + len(positions)))
            yield (table, chosen), inside, positions[rows[inside] - start]
            start += len(positions)

    def labeled(self, columns: Mapping[str, Array]) -> pd.DataFrame:
        return with_columns(self.frame.copy(), columns)

    def check_free(self, names: Sequence[str]) -> None:
        for table, _ in self.parts:
            taken = [name for name in names if name in table.frame]
            if taken:
                raise BadInput(f"{table.name} has a column {taken[0]!r} already: rename it, or ask for labels only")

    def write(self, path: str | Path, columns: Mapping[str, Array]) -> None:
        """Put the rows with more columns into a file; values of text are copied as they are written."""
        rows = self._written(by_ending(Path(path).resolve())[0])
        if rows is None:
            write_table(self.labeled(columns), path)
        else:
            write_lines(rows.lines(columns), path)

    def print_csv(self, file: BytesFile, columns: Mapping[str, Array]) -> None:
        rows = self._written("csv")
        if rows is None:
            write_text(self.labeled(columns), codecs.getwriter("utf-8")(file), "csv")  # type: ignore[arg-type]  # it writes only
        else:
            for line in rows.lines(columns):
                file.write(line)

    def _written(self, fmt: str | None) -> WrittenRows | None:
        """The rows as their files have them, in this format; None where it has another form."""
        first, parts = self.parts[0][0], []
        other = first.dialect is not None and first.dialect.decimal == "." and {first.fmt, fmt} == set(MARKS)
        if first.fmt != fmt and not other:
            return None
        for table, chosen in self.parts:
            if (rows := written_rows(table)) is None:
                return None
            rows = rows if chosen is None else rows.at(chosen)
            parts.append(rows.select([name for name in rows.names if name not in self.without]))
        whole = joined(parts)
        return whole.with_delimiter(MARKS[str(fmt)]) if other and whole is not None else whole


@dataclass(frozen=True, eq=False)
class WholePool:
    """All rows of the pool's files, in order: those that teach, and those that left as they are labeled rows.

    Labels are predicted for all of them: who asks for predictions of a file expects one line for each of its rows.
    ``left`` are the features of those that left, ``order`` is where each row is among pool and left ones.
    """

    rows: KeptRows
    left: Any
    order: Array

    def features(self, pool: Any) -> Any:
        """The features of all rows, from those of the pool."""
        return take(concatenate([pool, self.left]), self.order)


def whole_pool(
    label: str, train: Table, of_train: tuple[Array, Any], table: Table, features: Any, left: Array
) -> WholePool | None:
    """The pool with the rows of its table that ``left`` it; None where none did.

    ``of_train`` are rows of training without a label, with their features: those that were drawn from the pool, and
    wait for a label, are in its table.
    """
    if not len(left):
        return None
    without, waiting = of_train
    gone, n_pool = take(features, left), len(without) + n_rows(features) - len(left)
    others = np.arange(len(without))
    if len(without):
        mine, theirs = hashed(waiting, gone)[2:]
        others = np.flatnonzero(~np.isin(mine, theirs))
    places = np.empty(n_rows(features), dtype=np.int64)
    places[left] = n_pool + np.arange(len(left))
    places[np.setdiff1d(np.arange(len(places)), left)] = np.arange(len(without), n_pool)
    parts: list[tuple[Table, Array | None]] = [(train, without[others])] if len(others) else []
    return WholePool(KeptRows([*parts, (table, None)], label), gone, np.concatenate([others, places]))


def exact_frame(table: Table) -> pd.DataFrame:
    """The frame of a table, with text or exact numbers where numbers would not be what the file has."""
    frame = with_columns(table.frame, table.exact) if table.exact else table.frame
    if table.source is None or table.fmt is None:
        return frame
    if table.dialect is None:
        return _with_large_numbers(frame, table)
    numeric = pd.api.types.is_numeric_dtype  # a column of nothing at all may have been text too
    names = [str(name) for name, values in frame.items() if numeric(values.dtype) or values.isna().all()]
    if not names:
        return frame
    written = texts(table.source, table.dialect.delimiter, names)
    odd = {name: written[name] for name in names if _loses(written[name], frame[name])}
    return with_columns(frame, {name: pd.Series(cells.to_numpy(), dtype=object) for name, cells in odd.items()})


def _with_indices(frame: pd.DataFrame, table: Table) -> pd.DataFrame:
    """A frame with the columns of its file that are indices, which no model reads."""
    whole = frame.copy(deep=False) if table.indices else frame
    for name, (at, values) in sorted(table.indices.items(), key=lambda item: item[1][0]):
        whole.insert(min(at, whole.shape[1]), name, values)
    return whole


def _loses(cells: pa.ChunkedArray, values: "pd.Series[Any]") -> bool:
    if values.isna().all():
        return bool(pa.compute.any(pa.compute.not_equal(cells, "")).as_py())
    if bool(pa.compute.any(pa.compute.match_substring_regex(cells, ODD)).as_py()):
        return True
    if not pd.api.types.is_float_dtype(values.dtype) or not (values.abs() >= EXACT).any():
        return False
    return bool(pa.compute.any(pa.compute.match_substring_regex(cells, r"^\s*-?\d{16,}\s*$")).as_py())


def _with_large_numbers(frame: pd.DataFrame, table: Table) -> pd.DataFrame:
    """JSON has whole numbers of any size, and pyarrow reads those beyond 64 bits in double precision."""
    names = [name for name, values in frame.items() if values.dtype.kind == "f" and (values.abs() >= EXACT).any()]
    if not names or table.source is None:
        return frame
    objects = [json.loads(line) for line in table.source.read().decode("utf-8-sig").split("\n") if line.strip()]
    if len(objects) != len(frame):
        return frame
    exact = {str(name): pd.Series([row.get(name) for row in objects], dtype=object) for name in names}
    return with_columns(frame, exact)
