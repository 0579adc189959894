"""Choose by the share of the pool above a threshold of confidence (ATC): P_U(c ≥ t), where P_L(c ≥ t) = accuracy.

Labels and pool are answered by the fold fits, so that t is learned on confidences of the same kind. Confidences with
many ties (few neighbors, single trees) estimate poorly: the notes say where that is so.

References
----------
Garg et al. (2022). Leveraging unlabeled data to predict out-of-distribution performance. ICLR.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from foldless.accuracy import confidence_threshold
from foldless.core import Array, Choice, Criterion, Evaluation, Task
from foldless.core._resampling import Splitter
from foldless.judging._cross_fit import cross_fitted

FEW = 0.5  # distinct confidences per labeled row, below which ties decide


@dataclass(frozen=True)
class ConfidenceThreshold(Criterion):
    """Rank by the share of the pool that is more confident than the threshold learned on the labels.

    Parameters
    ----------
    k : int or splitter
        The number of random folds, or any scikit-learn splitter.
    """

    k: int | Splitter = 5

    needs: ClassVar[frozenset[str]] = frozenset({"pool"})
    assumes: ClassVar[tuple[str, ...]] = (
        "the same confidence separates right from wrong predictions on labels and pool",
        "the score is of fits on a part of the labels, and the best of many scores is optimistic",
    )

    def evaluate(self, task: Task) -> Evaluation:
        answers = yield from cross_fitted(task, self.k, self.name)
        return [
            Choice(
                c,
                confidence_threshold(a.confidence, a.right, a.pool_confidence),
                (task.full(c),),
                notes=_notes(a.confidence),
            )
            for c, a in zip(task.candidates, answers, strict=True)
        ]


def _notes(confidence: Array) -> tuple[str, ...]:
    distinct = len(np.unique(confidence))
    if distinct >= FEW * len(confidence):
        return ()
    return (f"{len(confidence):,} labeled rows have {distinct:,} distinct confidences: the estimate is rough",)
