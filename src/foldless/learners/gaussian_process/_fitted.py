"""A fitted Gaussian process classifier: its points with their scores, and the scores of new rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from foldless.core import Array
from foldless.learners.gaussian_process._distinct_rows import Cached, Points
from foldless.learners.gaussian_process._laplace_sets import LaplaceAnswers, TrainingSet, evidence_of, mean_logit
from foldless.learners.gaussian_process._view_kernels import LatentKernel
from foldless.saving._names import saved
from foldless.solvers._laplace import mode_of, solve_apart
from foldless.solvers._laplace_joined import Joining

AT_ONCE = 2**22  # kernel values of new rows at a time
KEPT_VALUES = 2**25  # numbers that are kept for the next rows, three for each pair of labels


@saved("foldless.saving")
@dataclass(frozen=True, eq=False)
class Fitted(Cached):
    """Points and their scores of shape (problems, points); the labeled points, with their kernel values.

    A point with several labels is among the labeled points once for each; ``times`` is how often the label was given.
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
        answers: Sequence[LaplaceAnswers],
        blocks: list[Array],
    ) -> "Fitted":
        """From a solved training set that was asked about all points in their order."""
        scores = mean_logit([of_view.scores for of_view in answers])
        labels = training.points, training.targets, training.times
        return cls(points, scores, evidence_of(answers), latent, *labels, blocks)

    def scores_of(self, X: Any) -> Array:
        """Scores of shape (problems, rows): points are looked up, every other row is added to the kernel alone."""
        return self.scores_at(self.points.find(X), X, np.arange(X.shape[0]))

    def scores_at(self, at: Array, X: Any, rows: Array) -> Array:
        """The same for some rows of X, given the number of the point that each is, −1 for none."""
        scores = self.scores[:, at]
        new = np.flatnonzero(at < 0)
        height = max(1, AT_ONCE // len(self.points))
        for start in range(0, len(new), height):
            some = new[start : start + height]
            scores[:, some] = self._new_scores(X[rows[some]])
        return scores

    def _new_scores(self, X: Any) -> Array:
        by_view = []
        for view, kernel in enumerate(self.latent):
            cross, diagonal, less = kernel.at_new_rows(X, self.labeled)
            solved = (self._solved(view, problem) for problem in range(len(self.targets)))
            if less is None:
                by_view.append(np.stack([solve_apart(labels.mode, cross, diagonal) for labels in solved]))
            else:
                by_view.append(np.stack([labels.scores(cross, diagonal, less) for labels in solved]))
        return mean_logit(by_view)

    def _solved(self, view: int, problem: int) -> Joining:
        """The mode of a problem, kept for the next rows while there is room."""
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
