"""Precomputed kernel values; rows are given by their numbers."""

from typing import Any

import numpy as np

from foldless.core import Array
from foldless.errors import BadInput
from foldless.learners._inputs import dense
from foldless.saving._names import saved


@saved("foldless.learners")
class Precomputed:
    """Kernel values between all rows, as a kernel of a view whose single column is the number of the row.

    Parameters
    ----------
    values : array-like of shape (n, n)
        Kernel values, symmetric and positive semidefinite.

    Examples
    --------
    >>> import numpy as np
    >>> from foldless.learners import Precomputed
    >>> Precomputed(np.eye(3))(np.array([[2.0]]), np.array([[0.0], [2.0]]))
    array([[0., 1.]])
    """

    def __init__(self, values: Any):
        self.values = np.asarray(values, dtype=float)
        if self.values.ndim != 2 or self.values.shape[0] != self.values.shape[1]:
            raise BadInput(f"kernel values must form a square, got an array of shape {self.values.shape}")

    def __call__(self, A: Any, B: Any) -> Array:
        """Values between the rows that two columns of numbers name."""
        return self.values[np.ix_(self._numbers(A), self._numbers(B))]

    def __deepcopy__(self, _: Any) -> "Precomputed":
        return self  # a clone for each candidate would each have its copy

    def _numbers(self, X: Any) -> Array:
        X = dense(X)
        numbers = X.ravel().astype(int)
        inside = (numbers == X.ravel()) & (numbers >= 0) & (numbers < len(self.values))
        if X.shape[1] != 1 or not inside.all():
            raise BadInput(
                f"a view with precomputed kernel values has one column, row numbers from 0 to {len(self.values) - 1}"
            )
        return numbers
