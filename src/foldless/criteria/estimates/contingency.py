"""Choose by the accuracy on a pool with other class shares: the trace of its estimated table of true and predicted.

The rates P(ŷ | y) come from out-of-fold answers, the columns from what the fold fits predict on the pool, the rows from
adjusted counts. It wants 30 to 50 labels per class: the notes say where there are fewer.

References
----------
Volpi, Moreo & Sebastiani (2024). A simple method for classifier accuracy prediction under prior probability shift. DS.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from foldless.accuracy import contingency
from foldless.core import Array, Ask, Choice, Criterion, Evaluation, Task
from foldless.core._resampling import Splitter
from foldless.judging._pool_sums import PredictedShares, about_pool
from foldless.quantifiers import classify_and_count

ENOUGH = 30  # labels of a class, below which its rates are too rough


@dataclass(frozen=True)
class Contingency(Criterion):
    """Rank by the accuracy on the pool under prior shift.

    Parameters
    ----------
    k : int or splitter
        The number of random folds, or any scikit-learn splitter.
    """

    k: int | Splitter = 5

    needs: ClassVar[frozenset[str]] = frozenset({"pool"})
    assumes: ClassVar[tuple[str, ...]] = (
        "labels and pool differ in their class shares only (prior shift)",
        "the score is of fits on a part of the labels, and the best of many scores is optimistic",
    )

    def evaluate(self, task: Task) -> Evaluation:
        folds = task.folds(self.k)
        fits = [[task.fit(c, train) for train, _ in folds] for c in task.candidates]
        shares = PredictedShares(task.n_classes)
        left_out = yield [
            ask
            for own in fits
            for fit, (_, test) in zip(own, folds, strict=True)
            for ask in (Ask(fit, test), about_pool(task, fit, shares))
        ]
        truth = np.concatenate([task.codes(test) for _, test in folds])
        rarest = int(np.bincount(task.y, minlength=task.n_classes).min())
        notes = (f"the rarest class has {rarest} labels: rates are rough",) if rarest < ENOUGH else ()
        choices, each = [], 2 * len(folds)
        for at, c in enumerate(task.candidates):
            own = left_out[at * each : (at + 1) * each]
            table = _table(truth, np.concatenate(own[::2]), task.n_classes)
            counted = (
                classify_and_count(np.concatenate(own[1::2]), task.n_classes)
                if task.stored is None
                else np.mean(own[1::2], axis=0)
            )
            choices.append(Choice(c, float(np.trace(contingency(table, counted))), (task.full(c),), notes=notes))
        return choices


def _table(truth: Array, predicted: Array, n_classes: int) -> Array:
    """Labeled rows by true and predicted class; a prediction that is none of the classes counts as wrong nowhere."""
    known = predicted >= 0
    cells = np.bincount(truth[known] * n_classes + predicted[known], minlength=n_classes**2)
    return cells.reshape(n_classes, n_classes)
