"""The weights of a one-vs-rest model, gathered block by block, dense or sparse by what takes less memory."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from foldless.learners.paths import Block
from foldless.solvers.rows import Vocabulary

SMALL = 128 * 2**20  # bytes up to which coef_ is an ordinary array, as users of scikit-learn expect
NEGLIGIBLE = 1e-6  # of a class's largest weight


class Weights:
    """The solution at one C."""

    def __init__(self, n_columns: int, vocabulary: Vocabulary, scaling: float):
        self._vocabulary, self._scaling = vocabulary, scaling
        self._blocks: dict[int, Any] = {}
        self.intercept = np.zeros(n_columns)
        self._dense = n_columns * len(vocabulary.place) * 8 <= SMALL
        self._n_columns = n_columns

    def take(self, block: Block, W: Any, intercept: Any) -> None:
        """Copy what a block of classes has come to."""
        weights = np.ascontiguousarray(W.values[:, : block.n].T)
        if not self._dense:
            weights[np.abs(weights) < NEGLIGIBLE * np.abs(weights).max(axis=1, keepdims=True)] = 0
            packed = sparse.csr_array(weights)
            weights = packed if 2 * packed.nnz < weights.size else weights
        self._blocks[block.first] = weights
        self.intercept[block.first : block.first + block.n] = intercept.values[0, : block.n] * self._scaling

    def coef(self) -> Any:
        """Weights of shape (columns, features): an array where it is small or dense, else a sparse matrix."""
        parts = [self._blocks.pop(first) for first in sorted(self._blocks)]
        d, used = len(self._vocabulary.place), self._vocabulary.used
        if self._dense or not all(sparse.issparse(part) for part in parts):
            whole: NDArray[Any] = np.zeros((self._n_columns, d), np.float64 if self._dense else np.float32)
            row = 0
            for part in parts:
                whole[row : row + part.shape[0], used] = part.toarray() if sparse.issparse(part) else part
                row += part.shape[0]
            return whole
        stacked = sparse.vstack(parts, format="csr")
        spread = sparse.csr_matrix((stacked.data, used[stacked.indices], stacked.indptr), shape=(self._n_columns, d))
        spread.sort_indices()
        return spread
