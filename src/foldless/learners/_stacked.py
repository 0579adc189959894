"""The blocks of a batch stacked, so that a training set can have rows of several blocks."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.utils import check_array

from foldless.core import Array
from foldless.core.batch import Part
from foldless.data._features import concatenate, n_rows
from foldless.learners._inputs import as_given


class Stacked:
    """All rows of all blocks as numbers, and the names of the columns where there are any."""

    def __init__(self, blocks: Sequence[Any]):
        self.starts = np.cumsum([0, *map(n_rows, blocks)])
        self.names = getattr(blocks[0], "columns", None)
        self.X = self._together(blocks)

    def _together(self, blocks: Sequence[Any]) -> Any:
        return concatenate([check_array(block, accept_sparse="csr", dtype=np.float64) for block in blocks])

    def rows(self, part: Part | None) -> Array:
        if part is None:
            return np.arange(0)
        start, stop = self.starts[part.block], self.starts[part.block + 1]
        return np.arange(start, stop) if part.rows is None else start + np.asarray(part.rows, dtype=np.int64)


class StackedAsGiven(Stacked):
    """The same without conversion, for classifiers that check X themselves."""

    def _together(self, blocks: Sequence[Any]) -> Any:
        return as_given(concatenate(list(blocks)))
