"""All rows of the pool's files, in order: those that teach, and those that left the pool as they are labeled rows.

Labels are predicted for all of them: who asks for predictions of a file expects one line for each of its rows.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from foldless.core import Array
from foldless.data._features import concatenate, n_rows, take
from foldless.data._overlap import hashed
from foldless.io import Table
from foldless.tables._kept_rows import KeptRows


@dataclass(frozen=True, eq=False)
class WholePool:
    """The rows as the files have them, features of those that left, and where each row is among pool and left ones."""

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
