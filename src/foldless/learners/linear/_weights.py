"""The weights of a one-vs-rest model, gathered block by block, dense or sparse by what takes less memory."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from foldless.learners.linear._problem import Alphas, ClassBlock
from foldless.solvers.linear._csr_rows import Csr, Vocabulary
from foldless.solvers.linear._dual_descent import Model

SMALL = 128 * 2**20  # bytes up to which coef_ is an ordinary array, as users of scikit-learn expect
NEGLIGIBLE = 1e-6  # of a class's largest weight
FEW = 0.25  # of y α that is not 0, up to which a product of sparse matrices is faster


class Weights:
    """The solution at one C, at the features in use; where rows are few, as the sum of rows that it is.

    Pickled it takes little memory: of the many solutions on a path, the weights of only one are needed.
    """

    def __init__(self, n_columns: int, vocabulary: Vocabulary, scaling: float, rows: Csr | None = None):
        self._order = np.argsort(vocabulary.used)
        self._used, self._scaling, self._rows = vocabulary.used[self._order], scaling, rows
        self.blocks: dict[int, Any] = {}
        self.intercept = np.zeros(n_columns)
        self._shape = n_columns, len(vocabulary.place)

    def take(self, block: ClassBlock, model: Model, alphas: Alphas | None) -> None:
        """Copy the weights of a block of classes; ``alphas`` returns how much of each row is in them."""
        if self._rows is None or alphas is None:
            self.blocks[block.first] = self._packed(model.W.values[self._order, : block.n].T)
        else:
            self.blocks[block.first] = alphas().T.copy()
        self.intercept[block.first : block.first + block.n] = model.intercept.values[0, : block.n] * self._scaling

    def join(self, blocks: Mapping[int, Any], intercept: NDArray[Any]) -> None:
        self.blocks.update(blocks)
        self.intercept += intercept  # a worker has zeros for the classes of others

    def signed_alphas(self) -> NDArray[Any] | None:
        """y α of all rows (first axis) in all classes, where it is what is held."""
        if self._rows is None or any(block.shape[1] != self._rows.n for block in self.blocks.values()):
            return None
        return np.concatenate([self.blocks[first] for first in sorted(self.blocks)]).T

    @cached_property
    def coef(self) -> Any:
        """Weights of shape (columns, features): an array where it is small or dense, else a sparse matrix.

        An array is ordered by features, as products with rows read it.
        """
        X = self._placed_rows()
        blocks = [self._weights(self.blocks.pop(first), X) for first in sorted(self.blocks)]
        entries = sum(block.nnz if sparse.issparse(block) else block.size for block in blocks)
        if not self._small and 2 * entries < self._shape[0] * self._shape[1]:
            return self._stacked(blocks, entries)
        whole = np.zeros(self._shape[::-1], np.float64 if self._small else np.float32).T
        first = 0
        for block in blocks:
            whole[first : first + block.shape[0], self._used] = block.toarray() if sparse.issparse(block) else block
            first += block.shape[0]
        return whole

    def _placed_rows(self) -> Any:
        """The rows as a matrix with the features in use in their order; None where weights are held, and not y α."""
        if self._rows is None:
            return None
        columns = np.argsort(self._order)[self._rows.columns]
        shape = self._rows.n, len(self._used)
        return sparse.csr_array((self._rows.values, columns, self._rows.starts), shape=shape)

    def _stacked(self, blocks: list[Any], entries: int) -> Any:
        """The blocks as one sparse matrix; each is let go when it has been copied, since all are large."""
        data, columns = np.empty(entries, np.float32), np.empty(entries, np.int32)
        ends, n = [np.zeros(1, np.int64)], 0
        for block in (sparse.csr_array(blocks.pop(0)) for _ in range(len(blocks))):
            data[n : n + block.nnz], columns[n : n + block.nnz] = block.data, self._used[block.indices]
            ends.append(block.indptr[1:].astype(np.int64) + n)
            n += block.nnz
        starts = np.concatenate(ends)
        narrow = starts.astype(np.int32) if n < 2**31 else starts
        return sparse.csr_matrix((data[:n], columns[:n], narrow), shape=self._shape)

    def _weights(self, held: Any, X: Any) -> Any:
        """The weights of a block, where y α of the rows X is held; a block at a time, since all y α are many."""
        if X is None or sparse.issparse(held) or held.shape[1] != X.shape[0]:
            return held
        alphas = held.astype(np.float64)
        if self._small or np.count_nonzero(held) > FEW * held.size:
            return self._packed((X.T @ alphas.T).T)
        weights = sparse.csr_array(alphas) @ X
        largest = abs(weights).max(axis=1).toarray().ravel()
        weights.data[np.abs(weights.data) < NEGLIGIBLE * np.repeat(largest, np.diff(weights.indptr))] = 0
        weights.eliminate_zeros()
        weights = weights.astype(np.float32).tocsc().tocsr()  # counting brings entries in order
        return weights if 2 * weights.nnz < held.shape[0] * X.shape[1] else weights.toarray()

    def _packed(self, weights: NDArray[Any]) -> Any:
        """Where all of them take much memory: without what is negligible, and sparse if that is smaller."""
        if self._small:
            return weights.copy()  # the solver goes on in its own
        weights = weights.astype(np.float32)
        weights[np.abs(weights) < NEGLIGIBLE * np.abs(weights).max(axis=1, keepdims=True, initial=0)] = 0
        packed = sparse.csr_array(weights)
        return packed if 2 * packed.nnz < weights.size else weights

    @property
    def _small(self) -> bool:
        return 8 * self._shape[0] * self._shape[1] <= SMALL
