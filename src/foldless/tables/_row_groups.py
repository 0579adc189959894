"""The column whose values are groups of rows that belong together: folds and certificates keep each group whole."""

from typing import Any, NamedTuple

import numpy as np

from foldless.core import Array
from foldless.data.pool import Pool
from foldless.errors import BadInput
from foldless.io import Table
from foldless.io._table import without_point


class RowGroups(NamedTuple):
    """The names of the groups of labeled rows, and of rows of the pool; None where that does not have the column."""

    labeled: Array
    pool: Array | None = None

    def with_labels(self, rows: Array) -> "RowGroups":
        """The groups where some rows of the pool are labeled, and come last."""
        if self.pool is None:
            raise BadInput("the pool does not say which of its rows belong together: add the column of groups to it")
        return RowGroups(np.concatenate([self.labeled, self.pool[rows]]), np.delete(self.pool, rows))

    def wrapped(self, X_unlabeled: Any) -> Any:
        """The pool with its groups, as searches take it."""
        return X_unlabeled if self.pool is None or X_unlabeled is None else Pool(X_unlabeled, groups=self.pool)


def row_groups(name: str, train: Table, labeled: Array, pools: list[tuple[Table, Array | None]]) -> RowGroups:
    mine = group_names(train, name, labeled)
    if not pools or not all(name in table.frame for table, _ in pools):
        return RowGroups(mine)
    return RowGroups(mine, np.concatenate([group_names(table, name, rows) for table, rows in pools]))


def group_names(table: Table, name: str, rows: Array | None = None) -> Array:
    """The groups of some rows of a table, or of all; each must have one."""
    values = table.frame[name] if rows is None else table.frame[name].iloc[rows]
    absent = (values.isna() | (values.astype(object) == "")).to_numpy()
    if absent.any():
        row = int(values.index[int(np.argmax(absent))]) + 1
        raise BadInput(
            f"column {name!r} of {table.name} has no group in row {row}", value=name, place=table.name,
            remedy="name one, which may be another for each such row",
        )  # fmt: skip
    return np.array([str(without_point(value)) for value in values], dtype=object)
