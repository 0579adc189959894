"""A stream as batches of rows: from files, at any place in them, or from data frames one after the other."""

import os
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from itertools import chain
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from foldless.errors import BadInput
from foldless.io._atomic import reason
from foldless.io._columnar_batches import ParquetRows
from foldless.io._delimited_batches import DelimitedRows
from foldless.io._faults import Fault
from foldless.io._formats import Format
from foldless.io._lines import Lines, never
from foldless.io._parts import Place, StreamBatch, StreamPart, parts_of
from foldless.io._table import check_names
from foldless.streams._schemas import StreamSchema


class Stream:
    """The batches of several parts. ``schema`` is unknown until the first batch has shown it."""

    def __init__(
        self,
        parts: Sequence[StreamPart],
        most: int,
        schema: StreamSchema | None = None,
        wants_stop: Callable[[], bool] = never,
    ):
        self.parts, self.most, self.schema = parts, most, schema
        self.spelled: str | None = None  # a column that is read as text, where files are text
        self._wants_stop = wants_stop

    @property
    def name(self) -> str:
        """What messages call the stream, or its first part."""
        return self.parts[0].name

    @property
    def resumable(self) -> bool:
        """Whether the stream can be read again, from any row on."""
        return self.parts[0].path is not None

    @property
    def exact(self) -> bool:
        """Whether integers are read as they are; in text files they are read in double precision."""
        return self.parts[0].fmt == "parquet"

    @property
    def partition_columns(self) -> list[str]:
        """The columns that the names of folders say (day=1/part.parquet)."""
        return list(dict.fromkeys(name for part in self.parts for name in part.partition))

    def batches(self, place: Place | None = None) -> Generator[StreamBatch, None, None]:
        """Batches of at most ``most`` rows; a part that does not fit the schema is an empty one with a fault."""
        start = place or Place()
        for at, part in enumerate(self.parts[start.part :], start.part):
            with closing(self._opened(part)) as rows:
                yield from self._of_part(rows, part, start if at == start.part else Place(at))

    def _of_part(self, rows: ParquetRows | DelimitedRows, part: StreamPart, place: Place) -> Iterator[StreamBatch]:
        types = rows.schema if isinstance(rows, ParquetRows) else None
        columns = [name for name in rows.columns if name not in part.partition or name in (self._names() or ())]
        unread = self._unread(part.name, columns, types, Place(place.part + 1))
        if unread is not None:
            yield unread
        elif isinstance(rows, ParquetRows):
            yield from rows.batches(place, self.most, self._names)
        else:
            yield from rows.batches(place, self.most, lambda: self.schema.types() if self.schema else {}, self.spelled)

    def _opened(self, part: StreamPart) -> ParquetRows | DelimitedRows:
        if part.fmt == "parquet":
            return ParquetRows(part)
        lines = Lines(part, self._wants_stop)
        try:
            return DelimitedRows(part, lines)
        except BadInput:
            lines.close()
            raise

    def _unread(self, name: str, columns: Sequence[str], types: pa.Schema | None, behind: Place) -> StreamBatch | None:
        """An empty batch with a fault for a part that does not fit the schema."""
        why = None if self.schema is None else self.schema.misfit(columns, types)
        if why is None:
            return None
        fault = Fault("schema", name, None, None, f"{why}; none of its rows is read")
        return StreamBatch(name, pa.table({}), np.arange(0), None, [fault], behind)

    def _names(self) -> list[str] | None:
        return None if self.schema is None else self.schema.names


class FrameStream(Stream):
    """The batches of data frames of pandas, polars or Arrow; they are read once, so no run on them can be resumed."""

    def __init__(self, frames: Iterable[Any], most: int, schema: StreamSchema | None, wants_stop: Callable[[], bool]):
        super().__init__([StreamPart("the data frames", None, "parquet")], most, schema, wants_stop)
        self._frames = frames

    def batches(self, place: Place | None = None) -> Generator[StreamBatch, None, None]:  # noqa: ARG002 (begins at its start)
        """Batches of at most ``most`` rows, none over the border of two frames."""
        for at, frame in enumerate(self._frames):
            if self._wants_stop():
                return
            name = f"data frame {at + 1}"
            table = _arrow(frame, name)
            check_names(name, table.column_names)
            unread = self._unread(name, table.column_names, table.schema, Place(at + 1))
            if unread is not None:
                yield unread
                continue
            for start in range(0, len(table), self.most):
                part = table.slice(start, self.most)
                wanted = part.select(self._names()) if self._names() else part
                rows = np.arange(start + 1, start + 1 + len(part))
                yield StreamBatch(name, wanted, rows, None, [], Place(at, start + len(part)))


def stream_of(
    data: Any,
    most: int,
    fmt: Format | None = None,
    schema: StreamSchema | None = None,
    wants_stop: Callable[[], bool] = never,
) -> Stream:
    """The stream in files or data frames, in batches of at most ``most`` rows.

    ``data`` is a path, a data frame, or an iterable of either; ``schema`` is known where a model reads the stream.
    """
    kinds = str | os.PathLike | pd.DataFrame | pa.Table | pa.RecordBatch
    try:
        items: Iterator[Any] = iter([data] if isinstance(data, kinds) or hasattr(data, "to_arrow") else data)
    except TypeError as error:
        raise BadInput(
            f"a stream is a path, a data frame, or an iterable of either, got {type(data).__name__}",
            value=data, place="data", remedy="name a file, or pass a data frame",
        ) from error  # fmt: skip
    first = next(items, None)
    if first is None:
        raise BadInput("the stream has no file and no data frame", place="data", remedy="pass at least one")
    if isinstance(first, str | os.PathLike):
        return Stream(parts_of([os.fspath(path) for path in (first, *items)], fmt), most, schema, wants_stop)
    return FrameStream(chain([first], items), most, schema, wants_stop)


def _arrow(frame: Any, name: str) -> pa.Table:
    try:
        if isinstance(frame, pd.DataFrame):
            return pa.Table.from_pandas(frame, preserve_index=False)
        if isinstance(frame, pa.RecordBatch):
            return pa.Table.from_batches([frame])
        return frame if isinstance(frame, pa.Table) else frame.to_arrow()
    except (pa.ArrowException, AttributeError) as error:
        raise BadInput(
            f"{name} cannot be read ({reason(error)})",
            value=frame, place="data", remedy="pass data frames of pandas, polars or Arrow with named columns",
        ) from error  # fmt: skip
