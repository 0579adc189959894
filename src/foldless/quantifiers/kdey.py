"""KDEy: the shares of the highest likelihood, where classes have kernel densities of the probabilities.

f_k(x) = mean over labeled rows i of class k of exp(−‖x − x_i‖² / 2h²), where x are probabilities (K numbers). The
densities of all rows are computed once for all bags, in blocks, as one matrix product each.

References
----------
Moreo, González & del Coz (2024). Kernel density estimation for multiclass quantification. Machine Learning 114.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from foldless.core import Array
from foldless.errors import BadInput
from foldless.quantifiers._mixture import mixture_weights
from foldless.quantifiers.bags import Bags
from foldless.quantifiers.quantifier import Held, Learned, Quantifier, probabilities_of

BLOCK = 8_000_000  # distances at a time
FARTHEST = 700.0  # exponents beyond underflow


@dataclass(frozen=True)
class KDEy(Quantifier):
    """The shares of the highest likelihood under kernel densities.

    Parameters
    ----------
    bandwidth : the standard deviation h of each kernel

    Examples
    --------
    >>> from foldless.quantifiers import Held
    >>> answers = np.array([[0.9, 0.1], [0.7, 0.3], [0.4, 0.6], [0.2, 0.8]])
    >>> KDEy().learn(Held(answers, np.array([0, 0, 1, 1]), n_classes=2)).aggregate(answers[[0, 1, 2]]).round(2)
    array([0.67, 0.33])
    """

    bandwidth: float = 0.1

    def learn(self, held: Held) -> "LearnedDensities":
        if not self.bandwidth > 0:
            raise BadInput(f"bandwidth must be a number above 0, got {self.bandwidth!r}")
        order = np.argsort(held.y, kind="stable")
        weights = np.ones(len(order)) if held.weights is None else held.weights
        rows = order[weights[order] > 0]
        points = probabilities_of(held.answers, held.n_classes)[rows]
        return LearnedDensities(points, held.y[rows], weights[rows], float(self.bandwidth), held.n_classes)


@dataclass(frozen=True, eq=False)
class LearnedDensities(Learned):
    """Labeled rows by class, with their weights."""

    points: Array
    y: Array
    weights: Array
    bandwidth: float
    n_classes: int

    def likelihood(self, answers: Array) -> Array:
        """The density (n, K) of each row under each class, divided by the largest kernel at the row."""
        rows = probabilities_of(answers, self.n_classes)
        densities = np.zeros((len(rows), self.n_classes))
        if not len(self.points):
            return densities
        classes, starts = np.unique(self.y, return_index=True)
        scale = 1 / (2 * self.bandwidth**2)
        squares, sizes = (self.points**2).sum(axis=1), np.bincount(self.y, self.weights, self.n_classes)[classes]
        step = max(1, BLOCK // len(self.points))
        for at in range(0, len(rows), step):
            part = rows[at : at + step]
            kernel_values = part @ (self.points.T * (2 * scale))  # −‖x − x_i‖² / 2h², up to a term of the row
            kernel_values -= squares * scale
            kernel_values -= kernel_values.max(axis=1, keepdims=True)
            np.exp(np.maximum(kernel_values, -FARTHEST, out=kernel_values), out=kernel_values)
            kernel_values *= self.weights
            densities[at : at + step, classes] = np.add.reduceat(kernel_values, starts, axis=1) / sizes
        return densities

    def aggregate_many(self, answers: Array, bags: Any) -> Array:
        answers = np.asarray(answers)
        bags = Bags.of(bags, len(answers))
        rows, where = np.unique(bags.rows, return_inverse=True)
        if len(rows) == len(answers):
            return mixture_weights(self.likelihood(answers), bags)
        return mixture_weights(self.likelihood(answers[rows]), Bags(where, bags.starts, len(rows)))
