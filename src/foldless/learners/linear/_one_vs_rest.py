"""One-vs-rest over a path of C: from labels to a problem, and from its solutions to answers.

Two classes are one problem, that of the second class. Class weights are liblinear's: with more than two classes the
weight of a class multiplies C for its own rows only, with two it does so on both sides.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from foldless.core import Array, Response
from foldless.learners.linear._paths import AllScores, Alphas, BestLabels, Block, Observer, Problem, solve_path
from foldless.learners.linear._weights import Weights
from foldless.solvers.lane_arrays import Model
from foldless.solvers.linear.csr_rows import Csr, Vocabulary

LOST = 1e-12  # of the largest sample weight: smaller ones are lost in single precision


@dataclass(frozen=True)
class Settings:
    """Parameters that all solutions on a path share."""

    loss: str
    tol: float
    max_iter: int
    scaling: float
    seed: int


@dataclass(frozen=True, eq=False)
class Solved:
    """For every question an array with an answer for each C, class numbers or scores.

    And for each C the weights, if they are held, and the passes.
    """

    answers: list[Array]
    weights: list[Weights]
    passes: list[int]


class Path:
    """Rows and labels, ready to be solved for any values of C."""

    def __init__(self, X: Any, codes: Array, class_weight: Array, sample_weight: Array | None, settings: Settings):
        self.settings = settings
        self.vocabulary = Vocabulary.of(X)
        weights = np.ones(len(codes)) if sample_weight is None else sample_weight
        kept = np.flatnonzero(weights > LOST * weights.max())
        self.binary = len(class_weight) == 2
        self.n_columns = 1 if self.binary else len(class_weight)
        self._problem = Problem(
            self.vocabulary.rows(X, None if len(kept) == len(codes) else kept),
            (codes[kept] - self.binary).astype(np.int32),
            len(self.vocabulary.used),
            self.n_columns,
            settings.loss,
            settings.scaling,
            positive=(class_weight[1:] if self.binary else class_weight).astype(np.float32),
            negative=(class_weight[:1] if self.binary else np.ones(self.n_columns)).astype(np.float32),
            weights=weights[kept].astype(np.float32),
            tol=settings.tol,
            max_iter=settings.max_iter,
            seed=settings.seed,
        )

    def bytes_of_weights(self) -> int:
        """The memory of the solution at one C while it is held."""
        rows = self._problem.rows
        return min(4 * self.n_columns * len(self.vocabulary.used), 4 * self.n_columns * rows.n + 8 * len(rows.values))

    def solve(self, costs: Sequence[float], questions: Sequence[tuple[Csr, Response]], *, hold: bool) -> Solved:
        """Solve for rising costs; labels of several classes come from a running arg-max, all else from scores."""
        scaling = self.settings.scaling
        whole = 4 * self.n_columns * len(self.vocabulary.used)
        rows = self._problem.rows if len(costs) > 1 and self.bytes_of_weights() < whole else None
        held = [Weights(self.n_columns, self.vocabulary, scaling, rows) for _ in costs] if hold else []
        scores = {
            at: AllScores(rows, len(costs), self.n_columns)
            for at, (rows, response) in enumerate(questions)
            if self.binary or response != "labels"
        }
        by_thread: list[dict[int, BestLabels]] = []

        def observer() -> Observer:
            labels = {at: BestLabels(rows, len(costs)) for at, (rows, _) in enumerate(questions) if at not in scores}
            by_thread.append(labels)

            def observe(at: int, block: Block, model: Model, alphas: Alphas | None) -> None:
                for best in labels.values():
                    best.observe(at, block, model)
                for every in scores.values():
                    every.observe(at, block, model)
                if held:
                    held[at].take(block, model, alphas)

            return observe

        passes = solve_path(self._problem, costs, observer)
        for other in by_thread[1:]:
            for at, labels in by_thread[0].items():
                labels.merge(other[at])
        answers = [by_thread[0][at].labels if at not in scores else scores[at].scores for at in range(len(questions))]
        return Solved(answers, held, passes)
