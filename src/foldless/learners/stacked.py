"""The blocks of a batch under each other, so that rows of several blocks make one training set."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils import check_array

from foldless.batching import Part
from foldless.core import Array


class Stacked:
    """All rows of all blocks, and the names of the columns where there are any."""

    def __init__(self, blocks: Sequence[Any]):
        parts = [check_array(block, accept_sparse="csr", dtype=np.float64) for block in blocks]
        self.starts = np.cumsum([0, *(part.shape[0] for part in parts)])
        self.names = getattr(blocks[0], "columns", None)
        self.X = parts[0]
        if len(parts) > 1:
            self.X = sparse.vstack(parts, format="csr") if sparse.issparse(parts[0]) else np.concatenate(parts)

    def rows(self, part: Part | None) -> Array:
        """The numbers of the rows of a part; none of no part."""
        if part is None:
            return np.arange(0)
        start, stop = self.starts[part.block], self.starts[part.block + 1]
        return np.arange(start, stop) if part.rows is None else start + np.asarray(part.rows, dtype=np.int64)
