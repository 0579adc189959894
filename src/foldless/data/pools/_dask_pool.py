"""A Dask data frame as a pool: a unit is a partition, computed where Dask computes, and reduced there."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import pandas as pd
import pyarrow as pa

from foldless.core import digest
from foldless.data._stored_pool import Block, BlockSource, most_rows
from foldless.errors import BadInput
from foldless.io._atomic import reason

NAME = "the Dask frame"
FAILED = (OSError, RuntimeError, pa.ArrowException)  # the second where a cluster is gone


@dataclass(frozen=True, eq=False)
class DaskFrame(BlockSource):
    """The partitions of a Dask frame."""

    frame: Any
    sizes: tuple[int, ...]
    name: str = NAME
    notes: tuple[str, ...] = ()

    @cached_property
    def schema(self) -> pa.Schema:
        return pa.Schema.from_pandas(self.frame._meta, preserve_index=False)

    @property
    def n_bytes(self) -> int:
        return 8 * sum(self.sizes) * len(self.frame.columns)

    def blocks(self, units: Sequence[int], columns: Sequence[str]) -> Iterator[Block]:
        for unit in units:
            yield from cut(_computed(self.frame[list(columns)].partitions[unit])[0], f"partition {unit}", columns)

    def each(self, work: Callable[[Iterator[Block]], Any], columns: Sequence[str]) -> Iterator[Any]:
        """What the work gives for each partition, computed where Dask has it."""
        from dask.delayed import delayed

        parts = self.frame[list(columns)].to_delayed()
        calls = [
            delayed(partial(_worked, work, f"partition {at}", tuple(columns)))(part)
            for at, part in enumerate(parts)
            if self.sizes[at]
        ]
        return iter(_computed(*calls))

    def joined(self, tables: list[pa.Table]) -> pa.Table:
        return pa.concat_tables(tables, promote_options="permissive")

    def digest(self) -> bytes:
        hashes = self.frame.map_partitions(partial(pd.util.hash_pandas_object, index=False), meta=(None, "uint64"))
        return digest(str(self.schema), str(self.sizes), _computed(hashes)[0].to_numpy().tobytes())


def dask_frame(frame: Any) -> DaskFrame:
    (sizes,) = _computed(frame.map_partitions(len, meta=(None, "int64")))
    if not int(sum(sizes)):
        raise BadInput(f"{NAME} has no rows: pass a pool with rows", place="X_unlabeled")
    empty = sum(not size for size in sizes)
    notes = (f"{empty} empty partitions of {NAME} are skipped",) if empty else ()
    return DaskFrame(frame, tuple(int(size) for size in sizes), notes=notes)


def _computed(*lazy: Any) -> tuple[Any, ...]:
    from dask.base import compute

    try:
        return tuple(compute(*lazy))  # type: ignore[no-untyped-call]
    except FAILED as error:
        raise BadInput(
            f"{NAME} cannot be computed ({reason(error)}): check its files and its cluster", place=NAME
        ) from error


def cut(frame: pd.DataFrame, place: str, columns: Sequence[str]) -> Iterator[Block]:
    most = most_rows(columns)
    for start in range(0, len(frame), most):
        part = frame.iloc[start : start + most]
        yield Block(place, pa.Table.from_pandas(part, preserve_index=False).replace_schema_metadata(), start)


def _worked(work: Callable[[Iterator[Block]], Any], place: str, columns: Sequence[str], frame: pd.DataFrame) -> Any:
    return work(cut(frame, place, columns))
