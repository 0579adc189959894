"""A fitted Gaussian process classifier: its points with their scores, and how a row that is no point joins them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from foldless.core import Array
from foldless.learners._logits import spoken
from foldless.learners.gaussian_process._answers import evidence_of, together
from foldless.learners.gaussian_process._distinct_rows import Forgetful, Points
from foldless.learners.gaussian_process._laplace_sets import Answers, TrainingSet
from foldless.learners.gaussian_process._latent_kernels import LatentKernel
from foldless.saving.names import saved
from foldless.solvers.gaussian_process.laplace import mode_of, solve_apart
from foldless.solvers.gaussian_process.laplace_joined import Joining

AT_ONCE = 2**22  # kernel values of later rows at a time
KEPT_VALUES = 2**25  # numbers that are kept for the next rows, three for each pair of labels


@saved("foldless.saving")
@dataclass(frozen=True, eq=False)
class Fitted(Forgetful):
    """Points and their scores of shape (problems, points); the labeled points, with their kernel values.

    A point has a place for each of its labels, and ``times`` tells how often it was given.
    """

    points: Points
    scores: Array
    evidence: float
    latent: list[LatentKernel]
    labeled: Array
    targets: Array
    times: Array
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
        given = training.points, training.targets, training.times
        return cls(points, scores, evidence_of(answers), latent, *given, blocks)

    def labels_at(self, points: Array) -> Array:
        """The class numbers of some points."""
        return spoken(self.scores[:, points], "labels")

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
            scores[:, some] = self._joined(X[rows[some]])
        return scores

    def _joined(self, X: Any) -> Array:
        """Scores of rows that are no points."""
        each = []
        for view, kernel in enumerate(self.latent):
            cross, diagonal, less = kernel.joined(X, self.labeled)
            solved = (self._solved(view, problem) for problem in range(len(self.targets)))
            if less is None:
                each.append(np.stack([solve_apart(one.mode, cross, diagonal) for one in solved]))
            else:
                each.append(np.stack([one.scores(cross, diagonal, less) for one in solved]))
        return together(each)

    def _solved(self, view: int, problem: int) -> Joining:
        """The mode, which later rows find here while there is room."""
        if (view, problem) in self._kept:
            return self._kept[view, problem]
        K, target = self.blocks[view], self.targets[problem]
        solved = Joining(K, target, self.times, mode_of(K, target, self.times))
        if 3 * K.size * (len(self._kept) + 1) <= KEPT_VALUES:
            self._kept[view, problem] = solved
        return solved

    @cached_property
    def _kept(self) -> dict[tuple[int, int], Joining]:
        return {}
