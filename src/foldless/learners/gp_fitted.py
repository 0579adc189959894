"""A fitted Gaussian process classifier: its points with their scores, and how a row that is no point joins them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from foldless.core import Array
from foldless.learners.gp_answers import evidence_of, together
from foldless.learners.laplace_sets import Answers, TrainingSet
from foldless.learners.latent import LatentKernel
from foldless.learners.points import Points
from foldless.solvers.laplace import solve_apart, solve_joined

AT_ONCE = 2**22  # kernel values of later rows at a time


@dataclass(frozen=True, eq=False)
class Fitted:
    """Points and their scores of shape (problems, points); the labeled points, with their kernel values."""

    points: Points
    scores: Array
    evidence: float
    latent: list[LatentKernel]
    labeled: Array
    targets: Array
    blocks: list[Array]

    @classmethod
    def of(
        cls,
        points: Points,
        latent: list[LatentKernel],
        training: TrainingSet,
        answers: Sequence[Answers],
        blocks: list[Array],
    ) -> "Fitted":
        """A training set that was solved, and asked about all points in their order."""
        scores = together([one.scores for one in answers])
        return cls(points, scores, evidence_of(answers), latent, training.points, training.targets, blocks)

    def scores_of(self, X: Any) -> Array:
        """Scores of shape (problems, rows): a point is looked up, any other row joins alone."""
        return self.scores_at(self.points.find(X), X, np.arange(X.shape[0]))

    def scores_at(self, at: Array, X: Any, rows: Array) -> Array:
        """The same for some rows of X, where it is known which points they are; −1 is none."""
        scores = self.scores[:, at]
        new = np.flatnonzero(at < 0)
        height = max(1, AT_ONCE // len(self.points))
        for start in range(0, len(new), height):
            some = new[start : start + height]
            scores[:, some] = joined(self.latent, self.blocks, self.labeled, self.targets, X[rows[some]])
        return scores


def joined(latent: Sequence[LatentKernel], blocks: Sequence[Array], labeled: Array, targets: Array, X: Any) -> Array:
    """Scores of rows that are no points."""
    each = []
    for kernel, K in zip(latent, blocks, strict=True):
        cross, diagonal, less = kernel.joined(X, labeled)
        if less is None:
            each.append(np.stack([solve_apart(K, target, cross, diagonal) for target in targets]))
        else:
            each.append(np.stack([solve_joined(K, target, cross, diagonal, less) for target in targets]))
    return together(each)
