"""Choose by the mean confidence on the pool, calibrated on out-of-fold answers: mean_U q(c).

References
----------
Guo et al. (2017). On calibration of modern neural networks. ICML.
"""

from dataclasses import dataclass
from typing import ClassVar

from foldless.accuracy import calibrated_confidence
from foldless.accuracy._calibrated_confidence import Method
from foldless.core import Choice, Criterion, Evaluation, Task
from foldless.core._resampling import Splitter
from foldless.judging._cross_fit import cross_fitted


@dataclass(frozen=True)
class CalibratedConfidence(Criterion):
    """Rank by the mean calibrated confidence on the pool.

    Parameters
    ----------
    k : int or splitter
        The number of random folds, or any scikit-learn splitter.
    method : "temperature", "platt" or "isotonic"
        How confidence becomes the probability of being right.
    """

    k: int | Splitter = 5
    method: Method = "temperature"

    needs: ClassVar[frozenset[str]] = frozenset({"pool"})
    assumes: ClassVar[tuple[str, ...]] = (
        "predictions of the same confidence are right equally often on labels and pool",
        "the score is of fits on a part of the labels, and the best of many scores is optimistic",
    )

    def evaluate(self, task: Task) -> Evaluation:
        answers = yield from cross_fitted(task, self.k, self.name)
        return [
            Choice(c, calibrated_confidence(a.confidence, a.right, a.pool_confidence, self.method), (task.full(c),))
            for c, a in zip(task.candidates, answers, strict=True)
        ]
