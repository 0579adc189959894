"""Hold-out: train on a part of the labels, score on the rest; one split, or the mean over several.

With a confidence it certifies: the model is then the fit on the training part, and with probability 1 − δ over the
rows held out, for all N candidates at once, error ≤ Bin(errors, rows held out, δ/N), where Bin inverts the binomial
tail. The labels held out are not used for training.

References
----------
Balikas et al. (2015). Section 5 compares with ten random splits of 70/30.
Langford (2005). Tutorial on practical prediction theory for classification. JMLR 6. Theorem 3.3.
"""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from foldless.bounds import binomial
from foldless.core import Array, Ask, Choice, Criterion, Evaluation, Fit, Fold, Task
from foldless.core import copies as contents
from foldless.core.certificate import APART, FIXED, UNTOUCHED, Certificate, Term
from foldless.core.resampling import check_share
from foldless.core.scoring import Scoring, over_splits
from foldless.errors import BadInput, CannotAnswer


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
    confidence : float, optional
        Certify the error of the model with this confidence. The scoring is then accuracy on one split, and the model is
        the fit on the labels that were not held out.
    """

    test_size: float = 0.3
    repeats: int = 1
    scoring: Scoring = "accuracy"
    confidence: float | None = None

    assumes: ClassVar[tuple[str, ...]] = (
        "labeled rows are independent draws from the population of interest",
        "the score is that of fits on a part of the labels, and the best of many scores is optimistic",
    )

    @property
    def holds_out(self) -> bool:
        """With a confidence: rows held out certify only the model that was tested on them."""
        return self.confidence is not None

    def evaluate(self, task: Task) -> Evaluation:
        if self.confidence is not None:
            return (yield from self._certify(task, self.confidence))
        splits = task.hold_outs(self.test_size, self.repeats)
        estimates = yield from over_splits(task, splits, self.scoring)
        return [
            Choice(c, score, (task.full(c),), each) for c, (score, each) in zip(task.candidates, estimates, strict=True)
        ]

    def _certify(self, task: Task, confidence: float) -> Evaluation:
        self._check(task, confidence)
        (split,) = task.hold_outs(self.test_size, 1)
        # not even as unlabeled training rows: their features must not influence the model
        fits = [Fit(c, split.train, unlabeled=task.unlabeled if len(task.unlabeled) else None) for c in task.candidates]
        answers = yield [Ask(fit, split.test) for fit in fits]
        return [self._choice(task, fit, split, labels, confidence) for fit, labels in zip(fits, answers, strict=True)]

    def _choice(self, task: Task, fit: Fit, split: Fold, labels: Array, confidence: float) -> Choice:
        errors, held, trained = (
            int(np.count_nonzero(labels != task.codes(split.test))),
            len(split.test),
            len(split.train),
        )
        delta = (1 - confidence) / task.n_asked
        upper = float(binomial.upper(errors, held, delta))
        term = Term(
            f"error of the fit on {trained:,} of the labels, tested on the others", upper, errors / held, held, delta
        )
        semi = fit.candidate.semi_supervised
        equal = contents.assumptions(task, pool=semi)
        assumes = (
            self.assumes[0],
            *((APART,) if semi else ()),
            UNTOUCHED,
            FIXED,
            f"the model is the fit on {trained:,} labels, without the {held:,} that certify it",
            *equal.assumes,
        )
        method = replace(self, confidence=None).name  # the certificate states the confidence
        certificate = Certificate("error", upper, confidence, method, assumes, (term,), task.n_asked, equal.notes)
        return Choice(fit.candidate, 1 - errors / held, (fit,), certificate=certificate)

    def _check(self, task: Task, confidence: float) -> None:
        check_share("confidence", confidence)
        if self.repeats != 1 or self.scoring != "accuracy":
            raise BadInput(
                f"with a confidence hold_out bounds the error on a single split: leave repeats={self.repeats!r} and "
                f"scoring={self.scoring!r} out"
            )
        if task.groups is not None:
            raise CannotAnswer(
                f"{self.name} needs independent rows, and rows of one group (or copies of a row with several labels) "
                f"are not: pass one row per group and one label per row, or leave confidence out"
            )
        if any(c.semi_supervised for c in task.candidates):  # rows held out must not be training rows
            contents.refuse_labeled_rows_as_pool(task, self.name)
