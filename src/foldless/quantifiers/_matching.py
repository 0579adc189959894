"""Matching: the shares whose mixture of class means is nearest to the mean of a bag, Σ_k p_k m_k ≈ mean φ(x).

φ is a code of the answer (a predicted class, a bin, a threshold), whose mean are the shares of the codes, or the
probabilities themselves. Only these means of bags and classes are needed, so thousands of bags are solved at once.
"""

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np

from foldless.core import Array
from foldless.quantifiers._simplex import simplex_least_squares
from foldless.quantifiers.bags import Bags
from foldless.quantifiers.quantifier import Held, Learned, Quantifier, codes_of, probabilities_of


class Matching(Quantifier):
    """A quantifier that knows bags by means of features of their answers."""

    @abstractmethod
    def pool_means(self, answers: Array, bags: Bags, n_classes: int) -> Array:
        """The mean of the features over each bag, (bags, J)."""

    @abstractmethod
    def class_means(self, held: Held) -> Array:
        """The mean of the features over the rows of each class, (K, J)."""

    def learn(self, held: Held) -> "LearnedMeans":
        return LearnedMeans(self, known_classes(self.class_means(held), held), held.n_classes)

    def solve(self, class_means: Array, bag_means: Array) -> Array:
        """Shares (B, K): least squares on the simplex, with class means (K, J), or (B, K, J) of each bag."""
        return simplex_least_squares(class_means.swapaxes(-1, -2), bag_means)


@dataclass(frozen=True, eq=False)
class LearnedMeans(Learned):
    """The means of each class, and how bags are compared with them."""

    quantifier: Matching
    class_means: Array
    n_classes: int

    def aggregate_many(self, answers: Array, bags: Any) -> Array:
        answers = np.asarray(answers)
        means = self.quantifier.pool_means(answers, Bags.of(bags, len(answers)), self.n_classes)
        return self.quantifier.solve(self.class_means, means)


class OfLabels(Matching):
    """Features are the predicted classes."""

    response = "labels"

    def pool_means(self, answers: Array, bags: Bags, n_classes: int) -> Array:
        return bags.counted(codes_of(answers), n_classes)

    def class_means(self, held: Held) -> Array:
        table = held.table(codes_of(held.answers), held.n_classes)
        return np.asarray(table / np.maximum(table.sum(axis=1, keepdims=True), 1e-300))  # a row of zeros stays one


class OfProbabilities(Matching):
    """Features are the probabilities."""

    def pool_means(self, answers: Array, bags: Bags, n_classes: int) -> Array:
        return bags.means(probabilities_of(answers, n_classes))

    def class_means(self, held: Held) -> Array:
        return held.class_means(probabilities_of(held.answers, held.n_classes))


def known_classes(means: Array, held: Held) -> Array:
    """Means where a class without labeled rows is taken as always recognized, if features are those of classes."""
    absent = held.sizes == 0
    if absent.any() and means.shape[1] == held.n_classes:
        means = np.where(absent[:, None], np.eye(held.n_classes), means)
    return means
