"""Hold-out: train on a part of the labels, score on the rest; one split, or the mean over several.

With a confidence it certifies: the model is then the fit on the training part, and with probability 1 − δ over the
rows held out, for all N candidates at once, error ≤ Bin(errors, rows held out, δ/N), where Bin inverts the binomial
tail. The labels held out are not used for training.

References
----------
Balikas et al. (2015). Section 5 compares with ten random splits of 70/30.
Langford (2005). Tutorial on practical prediction theory for classification. JMLR 6. Theorem 3.3.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from foldless.bounds import _binomial as binomial
from foldless.core import Array, Ask, Choice, Classes, Criterion, Evaluation, Fit, Fold, Task, Traits
from foldless.core._resampling import check_share
from foldless.core.certificate import APART, FIXED, UNTOUCHED
from foldless.criteria import INDEPENDENT, OF_PARTS, register
from foldless.errors import BadInput, CannotAnswer
from foldless.judging import _copies as contents
from foldless.judging._counted import CountedLabels, EqualRows, counted_rows, other_groups
from foldless.judging._counted import check as check_counted
from foldless.judging._judge import Scoring
from foldless.judging._split_scores import choices, scored


@register("hold_out", place=5)
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
    equal_rows : "either" or "draws"
        What labeled rows of equal content are to a certificate: with "either" it holds if they are separate draws, and
        if they are copies of one draw.
    """

    test_size: float = 0.3
    repeats: int = 1
    scoring: Scoring = "accuracy"
    confidence: float | None = None
    equal_rows: EqualRows = "either"

    traits: ClassVar[Traits] = Traits(regression=True, asks_metrics=True, doubts_luck=True)
    assumes: ClassVar[tuple[str, ...]] = (INDEPENDENT, OF_PARTS)

    @property
    def holds_out(self) -> bool:
        """With a confidence: rows held out certify only the model that was tested on them."""
        return self.confidence is not None

    def evaluate(self, task: Task) -> Evaluation:
        if self.confidence is not None:
            return (yield from self._certify(task, self.confidence))
        splits = task.hold_outs(self.test_size, self.repeats)
        return choices(task, (yield from scored(task, splits, self.scoring)))

    def _certify(self, task: Task, confidence: float) -> Evaluation:
        self._check(task, confidence)
        task = counted_rows(task, self.equal_rows)
        counted = CountedLabels(task, self.equal_rows)
        (split,) = map(counted.tests, task.hold_outs(self.test_size, 1))
        # not even as unlabeled training rows: their features must not influence the model
        pool = task.unlabeled.at(other_groups(task)) if task.named_groups is not None else task.unlabeled
        fits = [Fit(c, split.train, unlabeled=pool if len(pool) else None) for c in task.candidates]
        answers = yield [Ask(fit, split.test) for fit in fits]
        delta = (1 - confidence) / task.n_asked
        return [
            self._choice(task, fit, split, labels, delta, counted) for fit, labels in zip(fits, answers, strict=True)
        ]

    def _choice(self, task: Task, fit: Fit, split: Fold, labels: Array, delta: float, counted: CountedLabels) -> Choice:
        wrong, trained, semi = labels != task.codes(split.test), len(split.train), fit.candidate.semi_supervised
        what = f"error of the fit on {trained:,} of the labels, tested on the others"
        terms = [
            binomial.term(what, (wrong | known)[counts], delta)
            for counts, known in counted.readings(split.train, split.test, pool_trains=semi)
        ]
        assumes = (
            *contents.grouped(task, self.assumes[:1]),
            *((APART,) if semi else ()),
            UNTOUCHED,
            FIXED,
            f"the model is the fit on {trained:,} labels, without the {len(task.labeled) - trained:,} that certify it",
        )
        largest = max(terms, key=lambda term: term.upper)
        certificate = contents.certificate(task, self, [largest], assumes, pool=semi)
        return Choice(fit.candidate, 1 - float(np.mean(wrong)), (fit,), certificate=certificate)

    def _check(self, task: Task, confidence: float) -> None:
        check_share("confidence", confidence)
        if not isinstance(task.target, Classes):
            raise CannotAnswer(
                "hold_out certifies errors of classes, and regressors predict numbers: leave confidence out"
            )
        if self.repeats != 1 or self.scoring != "accuracy":
            raise BadInput(
                f"with a confidence hold_out bounds the error on a single split: leave repeats={self.repeats!r} and "
                f"scoring={self.scoring!r} out"
            )
        semi = any(c.semi_supervised for c in task.candidates)
        check_counted(task, self.equal_rows, self.name, pool=semi and len(task.unlabeled) > 0)
        if semi:  # rows held out must not be training rows
            contents.refuse_labeled_rows_as_pool(task, self.name)
