"""A pool in Parquet files that is larger than memory: prepared, and written with its labels, block by block."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute

from foldless.core import Array
from foldless.data._columns import Columns, check_columns, prepare
from foldless.data._stored_pool import SAMPLE, StoredPool
from foldless.data.pools._parquet_pool import ParquetFiles, parquet_files
from foldless.data.pools._pool_opening import is_small
from foldless.errors import BadInput, counted
from foldless.io import Table
from foldless.io._formats import by_ending
from foldless.io._table import table_of
from foldless.io._writing import write_blocks
from foldless.saving import Schema
from foldless.selection._probability_columns import LabelAnswers
from foldless.tables._kept_rows import KeptRows
from foldless.tables._label_options import JOINING, LEFT_OUT
from foldless.tables._saved_model import unread

UNLABELED = (
    "row has no label: no labeled row is connected to it in this model",
    "rows have no label: no labeled row is connected to them in this model",
)


@dataclass(frozen=True, eq=False)
class StoredRows:
    """The rows of files, of which ``size`` are drawn where single rows are needed."""

    source: ParquetFiles
    size: int = SAMPLE
    seed: int = 0

    @property
    def table(self) -> Table:
        """The columns of the files, without their rows."""
        return Table(self.source.name, self.source.schema.empty_table().to_pandas(), self.source.notes)

    @cached_property
    def frame(self) -> pd.DataFrame:
        """The sampled rows, with all their columns."""
        form, names = partial(_as_read, self.source.name), self.source.schema.names
        return StoredPool(self.source, form, names, self.size, self.seed).sample.reset_index(drop=True)

    def pool(self, columns: Columns, like: str, left_out: Sequence[str]) -> StoredPool:
        names = [name for name in self.source.schema.names if name not in left_out]
        check_columns(names, columns, self.source.name, like)
        return self._prepared(columns, like)

    def pool_of(self, schema: Schema, model: str) -> StoredPool:
        """The pool with the columns that a saved model reads; others may be there."""
        unread(self.source.schema.names, self.source.name, schema, model)
        return self._prepared(schema.columns, model)

    def _prepared(self, columns: Columns, like: str) -> StoredPool:
        form = partial(_prepared, self.source.name, columns, like)
        return StoredPool(self.source, form, list(columns.kinds), self.size, self.seed)

    def check_free(self, names: Sequence[str]) -> None:
        taken = [name for name in names if name in self.source.schema.names]
        if taken:
            raise BadInput(f"{self.source.name} has a column {taken[0]!r} already: rename it, or ask for labels only")

    def write(self, path: str | Path, pool: StoredPool, added: Callable[[Any], Mapping[str, pa.Array]]) -> None:
        """Put all rows with more columns, which are made of the features of a block, into a file."""

        def labeled() -> Iterator[pa.Table]:
            for _, table, _ in self.source.blocks(range(len(self.source.sizes)), self.source.schema.names):
                for name, values in added(pool.form(table.select(pool.columns))).items():
                    table = table.append_column(name, values)
                yield table

        write_blocks(labeled(), path)


def _as_read(name: str, table: pa.Table) -> pd.DataFrame:
    """A table as a frame, with all columns as the files have them."""
    return table_of(name, table).frame


def _prepared(name: str, columns: Columns, like: str, table: pa.Table) -> pd.DataFrame:
    return prepare(_as_read(name, table), columns, name, like)


def at_hand(pool: KeptRows | StoredRows | None) -> KeptRows | None:
    """The rows of a pool, if there is one, which must be in memory."""
    if isinstance(pool, StoredRows):
        raise BadInput(f"the pool stays in {pool.source.name}: pass a part of it that fits into memory")
    return pool


class LabelColumns:
    """Predicted labels as columns of one type, whatever a block holds, and how often each class is predicted."""

    def __init__(self, model: Any):
        classes = np.asarray(getattr(model, "classes_", np.empty(0)))
        self._type = pa.array(classes.tolist() or [0.0]).type
        self.rows, self.counts = 0, dict.fromkeys(classes.tolist(), 0)

    def of(self, answers: LabelAnswers, column: str) -> dict[str, pa.Array]:
        """The labels of a block, and what is known of them beside."""
        beside = {name: pa.array(np.asarray(values)) for name, values in answers.beside(column).items()}
        return {column: self.counted(answers.labels), **beside}

    def counted(self, labels: Array) -> pa.Array:
        values = pa.array(labels.tolist() if labels.dtype.kind == "O" else labels, type=self._type)
        self.rows += len(values)
        if self.counts:
            for pair in pa.compute.value_counts(values).to_pylist():
                self.counts[pair["values"]] = self.counts.get(pair["values"], 0) + pair["counts"]
        return values

    @property
    def notes(self) -> list[str]:
        return [counted(self.counts[None], *UNLABELED)] if self.counts.get(None) else []


def stored_rows(path: str | None, sample: int | None, seed: int) -> tuple[StoredRows | None, list[str]]:
    """The rows of a pool that stays in its files, None for any other; and notes on the files."""
    if path is not None and path.endswith(("/", os.sep)) and not os.path.exists(path):
        raise BadInput(f"there is no folder {path}: check the name", place=path)
    if path is None or path == "-" or not (os.path.isdir(path) or by_ending(Path(path))[0] == "parquet"):
        if path is not None and sample is not None and os.path.exists(path):
            raise BadInput(
                f"a sample is drawn from a pool in Parquet, and {path} is not one: leave out the sample", place=path
            )
        return None, []
    source = parquet_files(Path(path))
    if is_small(source, sample, len(source.schema)):
        return None, list(source.notes)
    return StoredRows(source, sample or SAMPLE, seed), list(source.notes)


def pool_in_files(
    stored: StoredRows | None, columns: Columns, train: Table, left_out: Sequence[str], empty: Array, notes: list[str]
) -> dict[str, Any] | None:
    """The pool in its files, which rows without a label cannot join."""
    if stored is None:
        return None
    if columns.width:
        raise BadInput(f"{train.name} is svmlight and {stored.source.name} is not: give both in the same format")
    if empty.any():
        joins, gone = (counted(int(empty.sum()), *words).format(train.name) for words in (JOINING, LEFT_OUT))
        notes[:] = [f"{gone}, as the pool stays on disk" if note == joins else note for note in notes]
    return {"X_unlabeled": stored.pool(columns, train.name, left_out), "pool": stored}
