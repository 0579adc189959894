"""Hold-out: train on a part of the labels, score on the rest; one split, or the mean over several.

References
----------
Balikas et al. (2015). Section 5 compares with ten random splits of 70/30.
"""

from dataclasses import dataclass
from typing import ClassVar

from foldless.core import Choice, Criterion, Evaluation, Task
from foldless.scoring import Scoring, over_splits


@dataclass(frozen=True)
class HoldOut(Criterion):
    """Rank by the score on rows held out.

    Parameters
    ----------
    test_size : float
        The share of the labels that is held out.
    repeats : int
        Independent random splits.
    scoring : str or callable
        A scikit-learn scorer.
    """

    test_size: float = 0.3
    repeats: int = 1
    scoring: Scoring = "accuracy"

    assumes: ClassVar[tuple[str, ...]] = (
        "labeled rows are independent draws from the population of interest",
        "the score is of fits on a part of the labels, and the best of many scores is optimistic",
    )

    def evaluate(self, task: Task) -> Evaluation:
        splits = task.hold_outs(self.test_size, self.repeats)
        estimates = yield from over_splits(task, splits, self.scoring)
        return [
            Choice(c, score, (task.full(c),), each) for c, (score, each) in zip(task.candidates, estimates, strict=True)
        ]
