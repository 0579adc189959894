"""The Parquet files of a pool in blocks: pages are read as they are needed, by row groups, from any of them on.

Footers are read at once, so that a file that is cut off, or whose columns are not those of the others, is named before
anything is trained. A file without rows is skipped, with a note.
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet

from foldless.core import digest
from foldless.data._stored_pool import Block, BlockSource, most_rows
from foldless.errors import BadInput, some
from foldless.io._atomic import check_name, reason
from foldless.io._columnar import FolderFile, common_schema, files_of, footer, others_of, undamaged, with_partition
from foldless.io._sources import opened_by_arrow

BUFFER = 2**18  # bytes read at once of each column
ENDS = 2**16  # bytes of a file, at its start and at its end, that its hash covers
EMPTY = "{name} has no rows and is skipped"


@dataclass(frozen=True)
class ParquetFiles(BlockSource):
    """Parquet files as one table; a unit is a row group."""

    name: str
    files: tuple[FolderFile, ...]
    schema: pa.Schema
    units: tuple[tuple[int, int], ...]
    sizes: tuple[int, ...]
    n_bytes: int
    contents: tuple[bytes, ...]
    notes: tuple[str, ...] = ()

    def blocks(self, units: Sequence[int], columns: Sequence[str]) -> Iterator[Block]:
        for at, units_of_file in groupby(units, key=lambda unit: self.units[unit][0]):
            numbers = list(units_of_file)
            before = sum(self.sizes[other] for other in range(numbers[0]) if self.units[other][0] == at)
            self._check_same(at)
            yield from self._of_file(self.files[at], [self.units[unit][1] for unit in numbers], columns, before)
            self._check_same(at)

    def digest(self) -> bytes:
        return digest(*(_digest(file.path) for file in self.files))

    def _check_same(self, at: int) -> None:
        """Whether a file is the one whose footer was read; workers may have copies of it with other times."""
        path = self.files[at].path
        if _digest(path, dated=False) != self.contents[at]:
            raise BadInput(
                f"{path} has changed since this run began to read it: keep it as it is for the run", place=str(path)
            )

    def _of_file(self, file: FolderFile, groups: list[int], columns: Sequence[str], before: int) -> Iterator[Block]:
        name = str(file.path)
        with (
            undamaged(name),
            opened_by_arrow(file.path) as content,
            pyarrow.parquet.ParquetFile(content, buffer_size=BUFFER, pre_buffer=False) as opened,
        ):
            stored_columns = [column for column in columns if column in opened.schema_arrow.names]
            batches = opened.iter_batches(
                most_rows(columns), row_groups=groups, columns=stored_columns, use_threads=False
            )
            wanted = pa.schema([self.schema.field(column) for column in columns])
            for batch in batches:
                table = with_partition(pa.Table.from_batches([batch]), file.partition, columns).select(columns)
                yield Block(name, table if table.schema.types == wanted.types else table.cast(wanted), before)
                before += len(table)


def parquet_files(path: Path) -> ParquetFiles:
    check_name(path)
    if not os.path.exists(path):
        raise BadInput(f"there is no file {path}: check the name and the folder", place=str(path))
    folder = os.path.isdir(path)
    files = files_of(path) if folder else [FolderFile(path)]
    contents = tuple(_digest(file.path, dated=False) for file in files)
    footers = [footer(file.path) for file in files]
    schema = common_schema([each.schema.to_arrow_schema() for each in footers], [file.path for file in files])
    notes = [EMPTY.format(name=file.path) for file, each in zip(files, footers, strict=True) if not each.num_rows]
    if len(notes) == len(files):
        raise BadInput(f"{path} has no rows: name a pool with rows", place=str(path))
    if folder and (strangers := others_of(path)):
        are = "are" if len(strangers) > 1 else "is"
        notes.append(f"{some(strangers, 3, str)} in {path} {are} not named .parquet and not read")
    schema = with_partition(schema.empty_table(), files[0].partition).schema
    groups = [(at, group) for at, each in enumerate(footers) for group in range(each.num_row_groups)]
    sizes = tuple(footers[at].row_group(group).num_rows for at, group in groups)
    n_bytes = sum(footers[at].row_group(group).total_byte_size for at, group in groups)
    return ParquetFiles(str(path), tuple(files), schema, tuple(groups), sizes, n_bytes, contents, tuple(notes))


def _digest(path: Path, *, dated: bool = True) -> bytes:
    """Name, size, time of change, and the first and last bytes, which have the statistics of the columns."""
    try:
        with path.open("rb") as file:
            seen, head = os.fstat(file.fileno()), file.read(ENDS)
            file.seek(max(0, seen.st_size - ENDS))
            time = [str(seen.st_mtime_ns)] if dated else []
            return digest(os.fsencode(path.name), str(seen.st_size), *time, head, file.read())
    except OSError as error:
        raise BadInput(f"{path} cannot be read ({reason(error)}): check the file and its permissions") from error
