"""Choose by out-of-fold accuracy with the variance that confidence explains taken from the pool.

θ = λ mean_U c + mean_L(z − λ c), with the weight λ of the smallest variance: 0 where confidence says nothing about
being right, which leaves plain cross-validation.

References
----------
Angelopoulos, Duchi & Zrnic (2023). PPI++: efficient prediction-powered inference.
"""

from dataclasses import dataclass
from typing import ClassVar

from foldless.accuracy import prediction_powered
from foldless.core import Choice, Criterion, Evaluation, Task
from foldless.core._resampling import Splitter
from foldless.judging._cross_fit import cross_fitted


@dataclass(frozen=True)
class PredictionPowered(Criterion):
    """Rank by the prediction-powered estimate of accuracy.

    Parameters
    ----------
    k : int or splitter
        The number of random folds, or any scikit-learn splitter.
    """

    k: int | Splitter = 5

    needs: ClassVar[frozenset[str]] = frozenset({"pool"})
    assumes: ClassVar[tuple[str, ...]] = (
        "labels are a random sample of the pool's population",
        "the score is of fits on a part of the labels, and the best of many scores is optimistic",
    )

    def evaluate(self, task: Task) -> Evaluation:
        answers = yield from cross_fitted(task, self.k, self.name)
        choices = []
        for c, a in zip(task.candidates, answers, strict=True):
            estimate = prediction_powered(a.right, a.confidence, a.pool_confidence)
            note = f"standard error {estimate.standard_error:.3f}, weight of the pool {estimate.weight:.2f}"
            choices.append(Choice(c, estimate.value, (task.full(c),), notes=(note,)))
        return choices
