"""A stream as batches of rows, from the place on where an earlier run was."""

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing

import numpy as np
import pyarrow as pa

from foldless.errors import BadInput
from foldless.io.columnar_batches import ParquetRows
from foldless.io.delimited_batches import DelimitedRows
from foldless.io.faults import Fault
from foldless.io.lines import Lines, never
from foldless.io.parts import Part, partitioned
from foldless.io.positions import Batch, Place
from foldless.io.schemas import StreamSchema


class Stream:
    """The batches of several parts. ``schema`` is unknown until the first batch has shown it."""

    def __init__(
        self,
        parts: Sequence[Part],
        most: int,
        schema: StreamSchema | None = None,
        wants_stop: Callable[[], bool] = never,
    ):
        self.parts, self.most, self.schema = parts, most, schema
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
        """The columns that the names of folders say."""
        return partitioned(self.parts)

    def batches(self, place: Place | None = None) -> Generator[Batch, None, None]:
        """Batches of at most ``most`` rows; a part that does not fit the schema is an empty one with a fault."""
        start = place or Place()
        for at, part in enumerate(self.parts[start.part :], start.part):
            with closing(self._opened(part)) as rows:
                yield from self._of_part(rows, part, start if at == start.part else Place(at))

    def _of_part(self, rows: ParquetRows | DelimitedRows, part: Part, place: Place) -> Iterator[Batch]:
        types = rows.schema if isinstance(rows, ParquetRows) else None
        columns = [name for name in rows.columns if name not in part.partition or name in (self._names() or ())]
        why = None if self.schema is None else self.schema.misfit(columns, types)
        if why is not None:
            fault = Fault("schema", part.name, None, None, f"{why}; none of its rows is read")
            yield Batch(part.name, pa.table({}), np.arange(0), None, [fault], Place(place.part + 1))
        elif isinstance(rows, ParquetRows):
            yield from rows.batches(place, self.most, self._names)
        else:
            yield from rows.batches(place, self.most, self._types)

    def _opened(self, part: Part) -> ParquetRows | DelimitedRows:
        if part.fmt == "parquet":
            return ParquetRows(part)
        lines = Lines(part, self._wants_stop)
        try:
            return DelimitedRows(part, lines)
        except BadInput:
            lines.close()
            raise

    def _names(self) -> list[str] | None:
        return None if self.schema is None else self.schema.names

    def _types(self) -> dict[str, pa.DataType]:
        return {} if self.schema is None else self.schema.types()
