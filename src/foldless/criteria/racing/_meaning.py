"""What answers mean to a race: labels that are right or wrong, or values that are near or far.

Of labels the pool shows class shares, missing classes and a consensus (``_blend.py``). Of values

    blend = score + 3 · se · consensus

where *score* is R² on the rows left out, se its standard error, and *consensus* is 1 − (f − f̄)² / σ², the mean over
pool rows, with f̄ the mean of the other candidates weighted by exp(score / se) and σ² the variance of y. Two regressors
whose values differ by d (root mean square over the pool) cannot differ by more than d in their root mean squared error
there: those within 2 % of σ are merged.

The weight 3 was set on the half "tune" of ``benchmarks/league/regression.py``, where regret is flat between 1 and 6; R²
on training rows, which counts for labels, does not help there. Squared errors have heavy tails, so regressors are
dropped at 2 standard errors behind the leader in place of 1.5.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from foldless.core import Array, Classes, Task
from foldless.criteria.racing._blend import Blend, blend
from foldless.judging._left_out import ComparedScores
from foldless.judging._value_scoring import goodness

SAME = 0.02  # share of the pool on which labels may differ, or of σ by which values may, for two to be merged
CONSENSUS = 3.0
WORST = -1.0  # R² below which a candidate is just bad: one row far off must not decide more than that


class Meaning(Protocol):
    """How a race reads the answers of its candidates."""

    def training(self, rows: Array, answer: Array) -> float:
        """The score on rows that a fit was trained on."""
        ...

    def blend(self, standing: ComparedScores, training: Array, pool: Array | None) -> Blend:
        """What ranks candidates, from scores and from answers about the pool by candidate, resample and row."""
        ...

    def apart(self, answer: Array, others: Sequence[Array]) -> Array:
        """How far an answer about the pool is from others; up to SAME two candidates are merged."""
        ...

    def alike(self, apart: float, name: str) -> str:
        """The sentence about a candidate that answers like another one."""
        ...


@dataclass(frozen=True)
class LabelMeaning:
    """Answers are class codes."""

    task: Task

    def training(self, rows: Array, answer: Array) -> float:
        return float(np.mean(answer == self.task.y[rows]))

    def blend(self, standing: ComparedScores, training: Array, pool: Array | None) -> Blend:
        return blend(standing, training, pool, self.task.class_shares())

    def apart(self, answer: Array, others: Sequence[Array]) -> Array:
        return np.array([float(np.mean(answer != other)) for other in others])

    def alike(self, apart: float, name: str) -> str:
        return f"merged with {name}: {100 * (1 - apart):.1f} % equal labels"


@dataclass(frozen=True)
class ValueMeaning:
    """Answers are numbers in the unit of y."""

    task: Task

    @property
    def spread(self) -> float:
        """The variance of y."""
        return float(np.var(self.task.y)) or 1.0

    def training(self, rows: Array, answer: Array) -> float:
        return float(np.mean(goodness(self.task.y[rows], answer, self.spread)))

    def blend(self, standing: ComparedScores, training: Array, pool: Array | None) -> Blend:
        scores, parts, values = standing.scores, {"score": standing.scores, "training": training}, standing.scores
        if pool is not None:
            weights = np.exp((scores - scores.max()) / standing.error)
            parts["consensus"] = consensus(pool, weights, self.spread)
            values = scores + standing.error * CONSENSUS * np.maximum(parts["consensus"], WORST)
        return Blend(values, parts | {"blend": values})

    def apart(self, answer: Array, others: Sequence[Array]) -> Array:
        return np.array([float(np.sqrt(np.mean(np.square(answer - other)) / self.spread)) for other in others])

    def alike(self, apart: float, name: str) -> str:
        return f"merged with {name}: values on the pool differ by {apart * np.sqrt(self.spread):.2g} (root mean square)"


def consensus(pool: Array, weights: Array, spread: float) -> Array:
    """How near the values of each candidate are to the weighted mean of the others, over rows and resamples."""
    total, weighted = weights.sum(), np.tensordot(weights, pool, axes=1)
    near = np.ones(len(pool))
    for at, values in enumerate(pool):
        if (rest := total - weights[at]) > 0:
            near[at] = 1 - np.mean(np.square(values - (weighted - weights[at] * values) / rest)) / spread
    return near


def meaning_of(task: Task) -> Meaning:
    """How to read the answers of a task."""
    return LabelMeaning(task) if isinstance(task.target, Classes) else ValueMeaning(task)
