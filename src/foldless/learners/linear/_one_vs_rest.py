"""One-vs-rest over a path of C: from labels to a problem, and from its solutions to answers.

Two classes are one problem, that of the second class. Class weights are liblinear's: with more than two classes the
weight of a class multiplies C for its own rows only, with two it does so on both sides.

Many classes are split over the workers of joblib: each solves some blocks of them, and sends its best labels and
weights. `joblib.parallel_config` chooses the workers: with ``parallel_config(backend="loky", n_jobs=4)`` around a fit,
or around a search with ``n_jobs=1``. A block of classes is solved as it is in one process, so that the numbers are the
same.
"""

import copy
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import joblib
import numpy as np
from joblib.parallel import get_active_backend
from sklearn.utils.parallel import Parallel, delayed

from foldless.core import Array, Response
from foldless.learners.linear._paths import AllScores, BestLabels, blocks_of, solve_path
from foldless.learners.linear._problem import Alphas, ClassBlock, LinearProblem, Observer, PathSettings
from foldless.learners.linear._weights import Weights
from foldless.solvers.linear._csr_rows import Csr, Vocabulary
from foldless.solvers.linear._dual_descent import Model

LOST = 1e-12  # of the largest sample weight: smaller ones are lost in single precision
MANY = 512  # classes from which on they are split
PIECES = 4  # for each worker: some blocks take ten times as long as others
THREADS = ("ThreadingBackend", "SequentialBackend")


@dataclass(frozen=True, eq=False)
class SolvedPath:
    """For every question an array with an answer for each C, class numbers or scores.

    And for each C the weights, if they are held, and the passes.
    """

    answers: list[Array]
    weights: list[Weights]
    passes: list[int]


class ClassPart(NamedTuple):
    """What a worker found for its classes: best scores and labels of each question, weights at each C, and passes."""

    best: list[tuple[Array, Array]]
    weights: list[tuple[dict[int, Any], Array]]
    passes: list[int]


class Path:
    """Rows and labels, ready to be solved for any values of C."""

    def __init__(self, X: Any, codes: Array, class_weight: Array, sample_weight: Array | None, settings: PathSettings):
        self.vocabulary = Vocabulary.of(X)
        weights = np.ones(len(codes)) if sample_weight is None else sample_weight
        kept = np.flatnonzero(weights > LOST * weights.max())
        self.binary = len(class_weight) == 2
        self.n_columns = 1 if self.binary else len(class_weight)
        self._problem = LinearProblem(
            **vars(settings),
            rows=self.vocabulary.rows(X, None if len(kept) == len(codes) else kept),
            codes=(codes[kept] - self.binary).astype(np.int32),
            n_features=len(self.vocabulary.used),
            n_columns=self.n_columns,
            positive=(class_weight[1:] if self.binary else class_weight).astype(np.float32),
            negative=(class_weight[:1] if self.binary else np.ones(self.n_columns)).astype(np.float32),
            weights=weights[kept].astype(np.float32),
        )

    def bytes_of_weights(self) -> int:
        rows = self._problem.rows
        return min(4 * self.n_columns * len(self.vocabulary.used), 4 * self.n_columns * rows.n + 8 * len(rows.values))

    def solve(
        self,
        costs: Sequence[float],
        questions: Sequence[tuple[Csr, Response]],
        *,
        hold: bool,
        start: Array | None = None,
    ) -> SolvedPath:
        """Solve for rising costs; labels of several classes come from a running arg-max, all else from scores.

        ``start`` is y α of the rows in the classes, from which the first cost is solved.
        """
        by_labels = not self.binary and all(response == "labels" for _, response in questions)
        if by_labels and (pieces := pieces_of(self.n_columns)):
            return self._split(costs, [rows for rows, _ in questions], hold, pieces)
        scores = {
            at: AllScores(rows, len(costs), self.n_columns)
            for at, (rows, response) in enumerate(questions)
            if self.binary or response != "labels"
        }
        asked = [rows for at, (rows, _) in enumerate(questions) if at not in scores]
        best, held, passes = self._here(costs, asked, list(scores.values()), hold, start=start)
        labels = iter(best)
        answers = [scores[at].scores if at in scores else next(labels).labels for at in range(len(questions))]
        return SolvedPath(answers, held, passes)

    def _split(
        self, costs: Sequence[float], asked: Sequence[Csr], hold: bool, pieces: list[list[ClassBlock]]
    ) -> SolvedPath:
        """Blocks of classes on the workers of joblib; what they found is merged as it comes in."""
        held = self._held(costs) if hold else []
        merged = [BestLabels(rows, len(costs)) for rows in asked]
        passes = [0] * len(costs)
        parts = Parallel(return_as="generator", pre_dispatch="2 * n_jobs")(
            delayed(self.part)(costs, asked, hold, blocks) for blocks in pieces
        )
        for part in parts:
            for labels, best in zip(merged, part.best, strict=True):
                labels.merge(*best)
            for weights, found in zip(held, part.weights, strict=True):
                weights.join(*found)
            passes = [max(both) for both in zip(passes, part.passes, strict=True)]
        return SolvedPath([labels.labels for labels in merged], held, passes)

    def part(self, costs: Sequence[float], asked: Sequence[Csr], hold: bool, blocks: list[ClassBlock]) -> ClassPart:
        """What a worker finds for some blocks of classes."""
        # joblib maps arrays read-only, for which kernels would be compiled again
        arrays: dict[str, Any] = {
            name: np.array(a) for name, a in vars(self._problem).items() if isinstance(a, np.ndarray)
        }
        path = copy.copy(self)
        path._problem = replace(self._problem, rows=_copied(self._problem.rows), **arrays)
        best, held, passes = path._here(costs, [_copied(rows) for rows in asked], [], hold, blocks)
        return ClassPart(
            [(each.best, each.labels) for each in best], [(each.blocks, each.intercept) for each in held], passes
        )

    def _here(
        self,
        costs: Sequence[float],
        asked: Sequence[Csr],
        scores: Sequence[AllScores],
        hold: bool,
        blocks: list[ClassBlock] | None = None,
        start: Array | None = None,
    ) -> tuple[list[BestLabels], list[Weights], list[int]]:
        """All classes, or some blocks, in the threads of this process: best labels, held weights, and passes."""
        held = self._held(costs) if hold else []
        by_thread: list[list[BestLabels]] = []

        def observer() -> Observer:
            labels = [BestLabels(rows, len(costs)) for rows in asked]
            by_thread.append(labels)
            keepers: list[BestLabels | AllScores] = [*labels, *scores]

            def observe(at: int, block: ClassBlock, model: Model, alphas: Alphas | None) -> None:
                for keeper in keepers:
                    keeper.observe(at, block, model)
                if held:
                    held[at].take(block, model, alphas)

            return observe

        passes = solve_path(self._problem, costs, observer, blocks=blocks, start=start)
        for other in by_thread[1:]:
            for mine, theirs in zip(by_thread[0], other, strict=True):
                mine.merge(theirs.best, theirs.labels)
        return by_thread[0], held, passes

    def _held(self, costs: Sequence[float]) -> list[Weights]:
        whole = 4 * self.n_columns * len(self.vocabulary.used)
        rows = self._problem.rows if self.bytes_of_weights() < whole else None
        return [Weights(self.n_columns, self.vocabulary, self._problem.scaling, rows) for _ in costs]


def pieces_of(n_columns: int) -> list[list[ClassBlock]]:
    """Blocks of classes for each call of a worker; none where this process solves all of them in threads."""
    if n_columns < MANY or type(get_active_backend()[0]).__name__ in THREADS:
        return []
    n = joblib.effective_n_jobs(None)
    blocks = blocks_of(n_columns)
    return [blocks[at :: n * PIECES] for at in range(n * PIECES) if blocks[at :: n * PIECES]] if n > 1 else []


def _copied(rows: Csr) -> Csr:
    return Csr(rows.starts.copy(), rows.columns.copy(), rows.values.copy())
