"""A `pyarrow.dataset.Dataset` as a pool: a unit is a fragment, or a row group of a Parquet fragment."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from foldless.core import digest
from foldless.data._stored_pool import Block, BlockSource, most_rows
from foldless.errors import BadInput
from foldless.io._columnar import undamaged

AHEAD = 2  # blocks that Arrow may read before they are asked for
IN_MEMORY = "the dataset"


@dataclass(frozen=True, eq=False)
class ArrowDataset(BlockSource):
    """The fragments of a dataset."""

    name: str
    schema: pa.Schema
    fragments: tuple[Any, ...]
    sizes: tuple[int, ...]
    n_bytes: int
    notes: tuple[str, ...] = field(default=())

    def blocks(self, units: Sequence[int], columns: Sequence[str]) -> Iterator[Block]:
        most = most_rows(columns)
        for unit in units:
            fragment, place = self.fragments[unit], _place(self.fragments[unit])
            with undamaged(place):
                batches = fragment.to_batches(
                    schema=self.schema, columns=list(columns), batch_size=most, batch_readahead=AHEAD
                )
                for batch in batches:
                    yield Block(place, pa.Table.from_batches([batch]))

    def digest(self) -> bytes:
        """The content: files of a dataset may be anywhere, and some datasets have none."""
        digests = [digest(str(self.schema), str(self.sizes))]
        for _, table, _ in self.blocks(range(len(self.sizes)), self.schema.names):
            sink = pa.BufferOutputStream()
            with pa.ipc.new_stream(sink, table.schema) as writer:
                writer.write_table(table.combine_chunks())
            digests.append(digest(sink.getvalue().to_pybytes()))
        return digest(*digests)


def arrow_dataset(dataset: Any) -> ArrowDataset:
    """The rows of a dataset; nothing but footers is read."""
    fragments: list[Any] = []
    for fragment in dataset.get_fragments():
        fragments += fragment.split_by_row_group() if hasattr(fragment, "split_by_row_group") else [fragment]
    sizes, notes = list[int](), list[str]()
    for fragment in fragments:
        with undamaged(_place(fragment)):
            sizes.append(_rows(fragment))
    if not sum(sizes):
        raise BadInput("the dataset has no rows: pass a pool with rows", place="X_unlabeled")
    kept = [(fragment, size) for fragment, size in zip(fragments, sizes, strict=True) if size]
    if skipped := len(fragments) - len(kept):
        notes.append(f"{skipped} empty parts of the dataset are skipped")
    return ArrowDataset(
        IN_MEMORY, dataset.schema, tuple(fragment for fragment, _ in kept), tuple(size for _, size in kept),
        8 * sum(sizes) * len(dataset.schema), tuple(notes),
    )  # fmt: skip


def _rows(fragment: Any) -> int:
    """The rows of a fragment; Arrow counts all rows of a file for a fragment of some of its row groups."""
    groups = getattr(fragment, "row_groups", None)
    return int(fragment.count_rows() if groups is None else sum(group.num_rows for group in groups))


def _place(fragment: Any) -> str:
    return str(getattr(fragment, "path", IN_MEMORY))
