"""What answers mean to a race: labels that are right or wrong, or values that are near or far.

Candidates are compared by what the metric reads of their answers. Metrics that read scores or probabilities in place of
labels are in ``_outputs.py``.

Of labels the pool shows class shares, missing classes and a consensus (``_blend.py``). Of values

    blend = score + 3 · se · consensus

where *score* is R² on the rows left out, se its standard error, and *consensus* is 1 − (f − f̄)² / σ², the mean over
pool rows, with f̄ the mean of the other candidates weighted by exp(score / se) and σ² the variance of y. Two regressors
whose values differ by d (root mean square over the pool) cannot differ by more than d in their root mean squared error
there: those within 2 % of σ are merged.

The weight 3 was set on the half "tune" of ``benchmarks/league/regression.py``, where regret is flat between 1 and 6; R²
on training rows, which counts for labels, does not help there. Squared errors have heavy tails, so regressors are
dropped at 2 standard errors behind the leader in place of 1.5.

Accuracies of two candidates cannot differ by more than the share of the pool on which their labels do. Other metrics of
labels count each class by itself, as F1 does: 1 % of the pool is a fifth of a class that has 5 % of it. There labels
differ by 1 − F1 of one candidate's labels against the other's, in the class where this is most.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np

from foldless.core import Array, Task
from foldless.criteria.racing._blend import Blend, blend
from foldless.criteria.racing._outputs import ProbabilityMeaning, RankingMeaning
from foldless.judging._judge import Judge
from foldless.judging._left_out import ComparedScores
from foldless.judging._value_scoring import goodness

SAME = 0.02  # share of the pool on which labels may differ, or of σ by which values may, for two to be merged
CONSENSUS = 3.0
WORST = -1.0  # R² below which a candidate is just bad: one row far off must not decide more than that


class Meaning(Protocol):
    """How a race reads the answers of its candidates.

    ``constant_note`` says of a candidate that it answers alike about the whole pool.
    """

    constant_note: ClassVar[str]

    def training(self, rows: Array, labels: Array) -> float:
        """The score of labels, or values, on rows that a fit was trained on."""
        ...

    def view(self, answer: Array) -> Array:
        """What the metric reads of an answer about the pool."""
        ...

    def constant(self, pool: Sequence[Array]) -> bool:
        """Whether views of the pool, one of each resample, say the same of all rows."""
        ...

    def constant_by_chance(self, rows: int) -> float:
        """The probability that a good candidate says the same of so many rows; 1 where it does not matter."""
        ...

    def blend(self, standing: ComparedScores, training: Array, pool: Array | None) -> Blend:
        """What ranks candidates, from scores and from views of the pool by candidate, resample and row."""
        ...

    def apart(self, view: Array, others: Sequence[Array]) -> Array:
        """How far a view of the pool is from others; up to SAME two candidates are merged."""
        ...

    def alike(self, apart: float, name: str) -> str:
        """The sentence about a candidate that answers like another one."""
        ...


@dataclass(frozen=True)
class LabelMeaning:
    """Answers are class codes."""

    task: Task

    constant_note: ClassVar[str] = "it predicts one class for the whole pool"

    def training(self, rows: Array, labels: Array) -> float:
        return float(np.mean(labels == self.task.y[rows]))

    def view(self, answer: Array) -> Array:
        return answer

    def constant(self, pool: Sequence[Array]) -> bool:
        rows = np.concatenate(pool) if pool else np.zeros(0)
        return len(rows) > 0 and bool(np.ptp(rows) == 0)

    def constant_by_chance(self, rows: int) -> float:
        return float((self.task.class_shares() ** rows).sum())

    def blend(self, standing: ComparedScores, training: Array, pool: Array | None) -> Blend:
        return blend(standing, training, pool, self.task.class_shares())

    def apart(self, view: Array, others: Sequence[Array]) -> Array:
        return np.array([float(np.mean(view != other)) for other in others])

    def alike(self, apart: float, name: str) -> str:
        return f"merged with {name}: {100 * (1 - apart):.1f} % equal labels"


@dataclass(frozen=True)
class ClassMeaning(LabelMeaning):
    """Answers are class codes, and the metric counts each class by itself."""

    def apart(self, view: Array, others: Sequence[Array]) -> Array:
        return np.array([_largest_class_difference(view, other, self.task.n_classes) for other in others])

    def alike(self, apart: float, name: str) -> str:
        return f"merged with {name}: {100 * (1 - apart):.1f} % equal labels in each class"


@dataclass(frozen=True)
class ValueMeaning:
    """Answers are numbers in the unit of y."""

    task: Task

    constant_note: ClassVar[str] = "it predicts one value for the whole pool"

    @property
    def spread(self) -> float:
        """The variance of y."""
        return float(np.var(self.task.y)) or 1.0

    def training(self, rows: Array, labels: Array) -> float:
        return float(np.mean(goodness(self.task.y[rows], labels, self.spread)))

    def view(self, answer: Array) -> Array:
        return answer

    def constant(self, pool: Sequence[Array]) -> bool:  # noqa: ARG002 (as for labels)
        return False  # where y is mostly noise its mean may be the best prediction

    def constant_by_chance(self, rows: int) -> float:  # noqa: ARG002 (as for labels)
        return 1.0

    def blend(self, standing: ComparedScores, training: Array, pool: Array | None) -> Blend:
        scores, parts, values = standing.scores, {"score": standing.scores, "training": training}, standing.scores
        if pool is not None:
            weights = np.exp((scores - scores.max()) / standing.error)
            parts["consensus"] = consensus(pool, weights, self.spread)
            values = scores + standing.error * CONSENSUS * np.maximum(parts["consensus"], WORST)
        return Blend(values, parts | {"blend": values})

    def apart(self, view: Array, others: Sequence[Array]) -> Array:
        return np.array([float(np.sqrt(np.mean(np.square(view - other)) / self.spread)) for other in others])

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


def _largest_class_difference(ours: Array, theirs: Array, n_classes: int) -> float:
    """1 − F1 of labels against others, in the class where it is largest; −1 is no class."""
    first, second, both = (
        np.bincount(codes[codes >= 0].astype(np.int64), minlength=n_classes)
        for codes in (ours, theirs, ours[ours == theirs])
    )
    named = first + second
    return float((1 - 2 * both[named > 0] / named[named > 0]).max(initial=0.0))


def meaning_of(task: Task, judge: Judge) -> Meaning:
    """How to read the answers of a task, by what a judge reads of them."""
    kinds: dict[str, Callable[[Task], Meaning]] = {
        "accuracy": LabelMeaning,
        "labels": ClassMeaning,
        "ranking": RankingMeaning,
        "probabilities": ProbabilityMeaning,
        "values": ValueMeaning,
    }
    return kinds[judge.reads](task)
