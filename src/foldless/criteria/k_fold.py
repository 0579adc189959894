"""k-fold cross-validation: each fold is scored with the fit on the other folds.

The estimate is the mean over the folds (metrics of labels) or one value for all out-of-fold predictions together (log
loss, AUC). Folds are random and not stratified unless a splitter object is given.

References
----------
Stone, M. (1974). Cross-validatory choice and assessment of statistical predictions. JRSS B 36.
"""

from dataclasses import dataclass
from typing import ClassVar

from foldless.core import Choice, Criterion, Evaluation, Task
from foldless.core.resampling import Splitter, as_splitter
from foldless.core.scoring import Scoring, over_splits


@dataclass(frozen=True)
class KFold(Criterion):
    """Rank by cross-validated score.

    Parameters
    ----------
    k : int, splitter, or list of splits
        The number of random folds, any scikit-learn splitter, or pairs of row numbers to train and to test on.
    scoring : str or callable
        A scikit-learn scorer.
    """

    k: int | Splitter = 5
    scoring: Scoring = "accuracy"

    regression: ClassVar[bool] = True
    assumes: ClassVar[tuple[str, ...]] = (
        "labeled rows are independent draws from the population of interest",
        "the score is that of fits on a part of the labels, and the best of many scores is optimistic",
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "k", as_splitter(self.k))

    def evaluate(self, task: Task) -> Evaluation:
        estimates = yield from over_splits(task, task.folds(self.k), self.scoring)
        return [
            Choice(c, score, (task.full(c),), splits)
            for c, (score, splits) in zip(task.candidates, estimates, strict=True)
        ]
