"""The weights of a one-vs-rest model, gathered block by block, dense or sparse by what takes less memory."""

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from foldless.learners.paths import Block
from foldless.solvers.rows import Vocabulary

SMALL = 128 * 2**20  # bytes up to which coef_ is an ordinary array, as users of scikit-learn expect
NEGLIGIBLE = 1e-6  # of a class's largest weight


class Weights:
    """The solution at one C, at the features in use; pickled, it takes no more than these."""

    def __init__(self, n_columns: int, vocabulary: Vocabulary, scaling: float):
        self._used, self._scaling = vocabulary.used, scaling
        self._blocks: dict[int, Any] = {}
        self.intercept = np.zeros(n_columns)
        self._shape = n_columns, len(vocabulary.place)
        self._small = _is_small(*self._shape)

    def take(self, block: Block, W: Any, intercept: Any) -> None:
        """Copy what a block of classes has come to."""
        weights = W.values[:, : block.n].T.copy()  # also where it is contiguous: the solver goes on in W
        if not self._small:
            weights[np.abs(weights) < NEGLIGIBLE * np.abs(weights).max(axis=1, keepdims=True, initial=0)] = 0
            packed = sparse.csr_array(weights)
            weights = packed if 2 * packed.nnz < weights.size else weights
        self._blocks[block.first] = weights
        self.intercept[block.first : block.first + block.n] = intercept.values[0, : block.n] * self._scaling

    @cached_property
    def coef(self) -> Any:
        """Weights of shape (columns, features): an array where it is small or dense, else a sparse matrix."""
        parts = [self._blocks.pop(first) for first in sorted(self._blocks)]
        used = self._used
        entries = sum(part.nnz if sparse.issparse(part) else part.size for part in parts)
        if not self._small and 2 * entries < self._shape[0] * self._shape[1]:
            stacked = sparse.vstack([sparse.csr_array(part) for part in parts], format="csr")
            spread = sparse.csr_matrix((stacked.data, used[stacked.indices], stacked.indptr), shape=self._shape)
            spread.sort_indices()
            return spread
        whole: NDArray[Any] = np.zeros(self._shape, np.float64 if self._small else np.float32)
        row = 0
        for part in parts:
            whole[row : row + part.shape[0], used] = part.toarray() if sparse.issparse(part) else part
            row += part.shape[0]
        return whole


def _is_small(n_columns: int, d: int) -> bool:
    return 8 * n_columns * d <= SMALL
