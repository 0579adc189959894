"""Co-regularization as one L1 problem: labeled rows once for each view, unlabeled rows for their difference.

Columns are those of the first view, its intercept, those of the second, its intercept. A labeled row is (x₁, 1, 0, 0)
and (0, 0, x₂, 1) with logistic loss and weight 1/n, an unlabeled one (x₁, 1, −x₂, −1) with squared loss and weight μ/u.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import sparse

from foldless.core import Array
from foldless.solvers.linear._l1_logistic import L1Rows, solve
from foldless.solvers.linear._l1_table import L1Table


class Agreement:
    """The problem of some labeled and unlabeled rows of two views, for any λ and μ."""

    def __init__(self, views: Sequence[Any], labeled: Array, unlabeled: Array, codes: Array, n_classes: int):
        first, second = (
            sparse.hstack([sparse.csr_array(view), np.ones((view.shape[0], 1))], format="csr") for view in views
        )
        stacked = sparse.block_array(
            [
                [first[labeled], None],
                [None, second[labeled]],
                [first[unlabeled], -second[unlabeled]],
            ]
        )
        self._table = L1Table.of(stacked)
        self._widths = first.shape[1], second.shape[1]
        self._n, self._u = first[labeled].shape[0], first[unlabeled].shape[0]
        self._positive = [codes == (1 if n_classes == 2 else k) for k in range(1 if n_classes == 2 else n_classes)]

    def start(self) -> Array:
        """Weights of zero: a row for each class, but only one row for two classes."""
        return np.zeros((len(self._positive), sum(self._widths)))

    def solve(self, lam: float, mu: float, tol: float, max_steps: int, weights: Array) -> int:
        """Turn the weights into the optimum: how many classes did not converge."""
        shares = np.repeat([1 / self._n, mu / max(self._u, 1)], [2 * self._n, self._u])
        penalties = np.full(sum(self._widths), float(lam))
        penalties[[self._widths[0] - 1, -1]] = 0
        unfinished = 0
        for positive, class_weights in zip(self._positive, weights, strict=True):
            signs = np.where(positive, 1.0, -1.0)
            rows = L1Rows(np.arange(len(shares)), np.concatenate([signs, signs, np.zeros(self._u)]), shares)
            unfinished += solve(self._table, rows, penalties, float(tol), max_steps, class_weights) < 0
        return unfinished

    def by_view(self, weights: Array) -> list[tuple[Array, Array]]:
        """Coefficients and intercepts of each view."""
        halves = np.split(weights, [self._widths[0]], axis=1)
        return [(half[:, :-1], half[:, -1]) for half in halves]
