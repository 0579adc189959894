"""Repeated k-fold: cross-validation over several random partitions, which averages out the luck of one.

References
----------
Kim, J.-H. (2009). Estimating classification error rate: repeated cross-validation, repeated hold-out and bootstrap.
Computational Statistics & Data Analysis 53.
"""

from dataclasses import dataclass
from typing import ClassVar

from foldless.core import Criterion, Evaluation, Task, Traits
from foldless.core._resampling import check_whole
from foldless.criteria import INDEPENDENT, OF_FOLDS, register
from foldless.judging._judge import Scoring
from foldless.judging._split_scores import choices, scored


@register("repeated_k_fold")
@dataclass(frozen=True)
class RepeatedKFold(Criterion):
    """Rank by the mean of several k-fold estimates.

    Parameters
    ----------
    k : int
        The number of random folds of one partition.
    repeats : int
        The number of partitions; the first is that of ``KFold(k)``, whose fits are shared.
    scoring : str or callable
        A scikit-learn scorer.
    """

    k: int = 5
    repeats: int = 5
    scoring: Scoring = "accuracy"

    traits: ClassVar[Traits] = Traits(regression=True, asks_metrics=True)
    assumes: ClassVar[tuple[str, ...]] = (INDEPENDENT, OF_FOLDS)

    def evaluate(self, task: Task) -> Evaluation:
        check_whole("repeats", self.repeats, 1)
        splits = [fold for repeat in range(self.repeats) for fold in task.folds(self.k, repeat)]
        return choices(task, (yield from scored(task, splits, self.scoring)))
