"""Parquet in batches: pages are read as they are needed, so that a large row group is never in memory as a whole."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.parquet

from foldless.io._atomic import reason
from foldless.io._columnar import undamaged, with_partition
from foldless.io._faults import Fault
from foldless.io._parts import Place, StreamBatch, StreamPart
from foldless.io._sources import opened_by_arrow
from foldless.io._table import check_names

BUFFER = 2**16  # bytes read at once of each column
CELLS = 2**22  # values of a batch at most


class ParquetRows:
    """The rows of one file; ``columns`` and ``schema`` are those of its footer and of its folders."""

    def __init__(self, part: StreamPart):
        self._part = part
        assert part.path is not None  # Parquet cannot be piped
        with undamaged(part.name):
            self._file = pyarrow.parquet.ParquetFile(opened_by_arrow(part.path), buffer_size=BUFFER, pre_buffer=False)
        self._stored_schema: pa.Schema = self._file.schema_arrow
        check_names(part.name, self._stored_schema.names)
        self.schema = with_partition(self._stored_schema.empty_table(), part.partition).schema
        self.columns = [name for name in self.schema.names if not name.startswith("__index_level_")]

    def close(self) -> None:
        self._file.close()

    def batches(self, place: Place, most: int, wanted: Callable[[], Sequence[str] | None]) -> Iterator[StreamBatch]:
        """Batches of at most that many rows, of the columns that are wanted."""
        most = max(1, min(most, CELLS // len(self.columns)))
        names = list(wanted() or self.columns)
        row = place.row
        try:
            stored_names = [name for name in names if name in self._stored_schema.names]
            for rows_of_file in self._tables(place.row, most, stored_names):
                table = with_partition(rows_of_file, self._part.partition, names).select(names)
                rows = np.arange(row + 1, row + 1 + len(table))
                row += len(table)
                yield StreamBatch(self._part.name, table, rows, None, [], replace(place, row=row))
        except (pa.ArrowException, OSError) as error:
            what = f"cannot be read after row {row} ({reason(error)})"
            none = pa.table({name: pa.array([], self.schema.field(name).type) for name in names})
            fault = Fault("schema", self._part.name, None, None, what)
            yield StreamBatch(self._part.name, none, np.arange(0), None, [fault], replace(place, row=row))

    def _tables(self, start: int, most: int, names: list[str]) -> Iterator[pa.Table]:
        """Tables of exactly that many rows from a row on, but for the last, wherever row groups begin."""
        groups, skipped = self._groups(start)
        waiting: list[pa.RecordBatch] = []
        n = 0
        for record_batch in self._file.iter_batches(most, row_groups=groups, columns=names, use_threads=False):
            batch = record_batch.slice(min(skipped, len(record_batch)))
            skipped -= len(record_batch) - len(batch)
            waiting.append(batch)
            n += len(batch)
            if n >= most:
                table = pa.Table.from_batches(waiting)
                yield table.slice(0, most)
                waiting, n = table.slice(most).to_batches(), n - most
        if n:
            yield pa.Table.from_batches(waiting)

    def _groups(self, row: int) -> tuple[list[int], int]:
        """The row groups from the one of a row on, and how many rows before it the first of them has."""
        counts = [self._file.metadata.row_group(at).num_rows for at in range(self._file.num_row_groups)]
        ends = np.cumsum(counts)
        first = int(np.searchsorted(ends, row, side="right"))
        return list(range(first, len(counts))), row - int(ends[first - 1] if first else 0)
