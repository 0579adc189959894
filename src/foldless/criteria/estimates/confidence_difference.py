"""Choose by out-of-fold accuracy, moved by the difference of confidence between pool and labels.

accuracy = mean z + mean_U c − mean_L c, from the answers of the fold fits on the rows left out and on the pool.

References
----------
Guillory et al. (2021). Predicting with confidence on unseen distributions. ICCV.
"""

from dataclasses import dataclass
from typing import ClassVar

from foldless.accuracy import confidence_difference
from foldless.core import Choice, Criterion, Evaluation, Task
from foldless.core._resampling import Splitter
from foldless.judging._cross_fit import cross_fitted


@dataclass(frozen=True)
class ConfidenceDifference(Criterion):
    """Rank by the accuracy on the pool that the difference of confidences estimates.

    Parameters
    ----------
    k : int or splitter
        The number of random folds, or any scikit-learn splitter.
    """

    k: int | Splitter = 5

    needs: ClassVar[frozenset[str]] = frozenset({"pool"})
    assumes: ClassVar[tuple[str, ...]] = (
        "accuracy moves from labels to pool as much as confidence does",
        "the score is of fits on a part of the labels, and the best of many scores is optimistic",
    )

    def evaluate(self, task: Task) -> Evaluation:
        answers = yield from cross_fitted(task, self.k, self.name)
        return [
            Choice(c, confidence_difference(a.confidence, a.right, a.pool_confidence), (task.full(c),))
            for c, a in zip(task.candidates, answers, strict=True)
        ]
