"""Scores on the rows that resampled fits left out, and how far chance alone moves the distance of two candidates.

Candidates are compared on the same rows, so chance is that of their *difference*: the standard error of a mean of U
values, d̄ ± s(d) / √U. For accuracy a value belongs to a row, as it does for R², where it is the squared error of the
row in units of the variance; for other metrics it is a jackknife pseudo-value, G θ − (G − 1) θ₍g₎, of one of G blocks
of rows. Rows of one group count as one. Where labels were selected non-randomly, a row counts for as many as it stands
for: labels of a hard part of the pool, which has many of them, must not decide alone.

References
----------
Miller, R. (1974). The jackknife: a review. Biometrika 61.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from foldless.core.ask import Response
from foldless.core.rows import Array, Rows
from foldless.core.target import Classes
from foldless.core.task import Task
from foldless.judging._judge import Judge
from foldless.judging._value_scoring import R2, goodness

BLOCKS = 8
LEAST = 0.05  # a smaller variance would make a few rows look certain
GRAIN = 0.3  # of one row: accuracies of few rows are coarse
TINY = 1e-9


class ComparedScores(NamedTuple):
    """Scores of some candidates, the standard error of the best, and the values behind both.

    A metric other than accuracy has few values, and the ``plain`` accuracies beside them. They stand in for a metric
    that these rows do not define, which is then not ``measured``.
    """

    scores: Array
    error: float
    values: Array
    grain: float = 0.0
    plain: "ComparedScores | None" = None
    measured: bool = True

    def chance(self, leader: int) -> Array:
        """How far chance alone may put each candidate behind a leader: one standard error.

        That of a metric, in units of its own, is not taken to be less than that of accuracy.
        """
        if self.values.shape[1] < 2:
            return np.full(len(self.scores), np.inf)
        differences = self.values[leader] - self.values
        error = differences.std(axis=1, ddof=1) / np.sqrt(differences.shape[1]) + self.grain
        if self.plain is None:
            return np.asarray(error)
        return np.maximum(error, self.plain.chance(leader) * (self.error / self.plain.error))


class LeftOut:
    """What candidates, by their positions in the task, answered on rows that were left out."""

    def __init__(self, task: Task, judge: Judge):
        self._task, self._judge = task, judge
        n = len(task.y)
        self._unit = task.units
        self._block = task.rng("blocks of rows").permutation(self._unit.max() + 1) % BLOCKS
        self._of_classes = isinstance(task.target, Classes)
        self._spread = 1.0 if self._of_classes else float(np.var(task.y))
        self._weights = np.ones(n) if task.draws.comparing is None else task.draws.comparing * n
        self._right = np.zeros((len(task.candidates), n), dtype=np.uint8 if self._of_classes else np.float64)
        self._answers: dict[int, list[tuple[Rows, Array]]] = {}
        self._responses: dict[int, Response] = {}

    def add(self, at: int, response: Response, test: Rows, labels: Array, answer: Array) -> None:
        """One resample of a candidate: its labels for the rows left out, and what the metric wants to know."""
        truth = self._task.codes(test)
        right = labels == truth if self._of_classes else goodness(truth, labels, self._spread)
        self._right[at, test.indices] += right
        self._answers.setdefault(at, []).append((test, answer))
        self._responses[at] = response

    def standing(self, alive: Sequence[int]) -> ComparedScores:
        """How candidates stand that were asked about the same rows."""
        plain = self._accuracies(alive)
        if self._judge.scoring in ("accuracy", R2):
            return plain
        scores = np.array([self.score(at) for at in alive])
        if np.isnan(scores).any():
            return plain._replace(measured=False)
        without = np.array([[self.score(at, leave_out=g) for g in range(BLOCKS)] for at in alive])
        values = (BLOCKS * scores[:, None] - (BLOCKS - 1) * without)[:, ~np.isnan(without).any(axis=0)]
        best = values[scores.argmax()]
        seen = np.sqrt(plain.values.shape[1] / len(self._block))
        error = float(best.std(ddof=1) / np.sqrt(len(best)) * seen) if len(best) > 1 else plain.error
        return ComparedScores(scores, max(error, TINY), values, plain=plain)

    def score(self, at: int, leave_out: int | None = None, draws: int | None = None) -> float:
        """The metric on all rows left out, without a block of them, or in the first ``draws`` resamples only.

        It is not a number where the metric is not defined.
        """
        rows = self._rows(at, draws)
        answer = np.concatenate([answer for _, answer in self._answers[at][:draws]])
        if leave_out is not None:
            kept = self._block[self._unit[rows]] != leave_out
            rows, answer = rows[kept], answer[kept]
        if not len(rows):
            return np.nan
        by_accuracy = self._judge.scoring == "accuracy" and self._responses[at] == "labels"
        if by_accuracy and self._task.draws.comparing is not None:
            return float(np.average(answer == self._task.y[rows], weights=self._weights[rows]))
        return self._judge.score_if_defined(self._responses[at], self._task.y[rows], answer)

    def _accuracies(self, alive: Sequence[int]) -> ComparedScores:
        times = np.bincount(self._rows(alive[0]), minlength=len(self._unit)) * self._weights
        every = len(self._block)
        asked = np.bincount(self._unit, times, every) > 0
        right = self._right[alive] * self._weights
        if self._task.groups is not None:
            right = np.array([np.bincount(self._unit, row, every) for row in right])
        values = right[:, asked] * (asked.sum() / times.sum())
        scores = values.mean(axis=1)
        best = scores.max()
        size = every if self._task.draws.comparing is None else self._effective()
        if not self._of_classes:
            variance = max(float(values[scores.argmax()].var()), TINY)
            return ComparedScores(scores, float(np.sqrt(variance / size)), values)
        error = np.sqrt(max(best * (1 - best), LEAST) / size)
        return ComparedScores(scores, float(error), values, GRAIN / asked.sum())

    def _effective(self) -> float:
        """How many units of equal weight have the variance of these."""
        sums = np.bincount(self._unit, self._weights)
        return float(sums.sum() ** 2 / (sums @ sums))

    def _rows(self, at: int, draws: int | None = None) -> Array:
        return np.concatenate([test.indices for test, _ in self._answers[at][:draws]])
