"""What scores and probabilities mean to a race whose metric reads no labels.

Candidates are ranked by their score alone. Labels have no part in it: with rare positives the best ranking may never
name them. A consensus of rankings, as values have one, made no difference to regret on 22 drawn tasks (weights 1, 3).

Rankings differ by the pairs of pool rows that they order differently. Where p is the share of the positives, at most
2 p (1 − p) of the pairs are of a positive and a negative row, so that two areas under the curve cannot differ by more
than this share of pairs over 2 p (1 − p). Probabilities p and q differ by the mean of Σ ½ (p + q) |log p − log q| over
the rows, which is what the log loss of a row may differ by, and not less than Σ |p − q|.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from foldless.accuracy._distributions import average_ranks
from foldless.core import Array, Task
from foldless.criteria.racing._blend import Blend
from foldless.judging._left_out import ComparedScores

PAIRS = 20_000  # of pool rows that are compared: one order in 1,000 is then known to a fifth of itself
FLOOR = 1e-6  # a probability below it is as good as none: its logarithm would decide alone


@dataclass(frozen=True)
class OutputMeaning:
    """Answers are a column of scores or probabilities for each class; of two classes the second says it all."""

    task: Task

    constant_note: ClassVar[str] = "its scores are the same for the whole pool"

    def training(self, rows: Array, labels: Array) -> float:
        """The accuracy on training rows: a fit that breaks down shows in its labels too."""
        return float(np.mean(labels == self.task.y[rows]))

    def blend(self, standing: ComparedScores, training: Array, pool: Array | None) -> Blend:  # noqa: ARG002 (as for labels)
        """The score itself."""
        return Blend(standing.scores, {"score": standing.scores, "training": training, "blend": standing.scores})

    def constant(self, pool: Sequence[Array]) -> bool:
        """Whether all pool rows are answered alike, in each resample."""
        return bool(pool) and all(len(view) > 0 and not np.ptp(view, axis=0).any() for view in pool)

    def constant_by_chance(self, rows: int) -> float:  # noqa: ARG002 (as for labels)
        """No ranking is constant by chance."""
        return 0.0


@dataclass(frozen=True)
class RankingMeaning(OutputMeaning):
    """What counts is which row is before which."""

    def view(self, answer: Array) -> Array:
        """The ranks of the rows in each class."""
        return average_ranks(answer[:, _columns(answer)])

    def apart(self, view: Array, others: Sequence[Array]) -> Array:
        """The largest difference that two areas under the curve may have, of any class."""
        first, second = self._pairs(len(view))
        positives = self.task.class_shares()[_columns(np.empty((0, self.task.n_classes)))]
        mixed = np.maximum(2 * positives * (1 - positives), 1 / len(view))
        order = np.sign(view[first] - view[second])
        return np.array(
            [
                float((np.abs(order - np.sign(other[first] - other[second])).mean(axis=0) / 2 / mixed).max())
                for other in others
            ]
        )

    def alike(self, apart: float, name: str) -> str:
        return f"merged with {name}: the rankings of the pool differ by at most {apart:.3f} in the area under the curve"

    def _pairs(self, rows: int) -> tuple[Array, Array]:
        """Pairs of pool rows: all of them, or some that are drawn."""
        first, second = np.triu_indices(rows, 1)
        if len(first) > PAIRS:
            drawn = self.task.rng("pairs of pool rows").choice(len(first), PAIRS, replace=False)
            first, second = first[drawn], second[drawn]
        return first, second


@dataclass(frozen=True)
class ProbabilityMeaning(OutputMeaning):
    """What counts is each probability."""

    def view(self, answer: Array) -> Array:
        return np.asarray(answer[:, _columns(answer)], dtype=float)

    def apart(self, view: Array, others: Sequence[Array]) -> Array:
        """How far the log loss may differ, in the mean over the pool."""
        return np.array([_log_distance(_every_class(view), _every_class(other)) for other in others])

    def alike(self, apart: float, name: str) -> str:
        return f"merged with {name}: probabilities on the pool differ by at most {apart:.3f} in log loss"


def _columns(answer: Array) -> slice:
    """The columns that say it all: of two classes one is the other's opposite."""
    return slice(1, None) if answer.shape[1] == 2 else slice(None)


def _every_class(view: Array) -> Array:
    return np.column_stack([1 - view, view]) if view.shape[1] == 1 else view


def _log_distance(ours: Array, theirs: Array) -> float:
    p, q = np.maximum(ours, FLOOR), np.maximum(theirs, FLOOR)
    return float(((p + q) / 2 * np.abs(np.log(p / q))).sum(axis=1).mean())
