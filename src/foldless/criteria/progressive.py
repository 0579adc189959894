"""Choose by a bound on the error of the model trained on every label: error of progressive fits + disagreement.

The labels are put in random order. f_b is trained on a growing part of them, such as the first 50, 60, … 90 %, and
tested on the block that follows; f is trained on all. f_rand predicts each row with one of the f_b, drawn with a
probability proportional to its number t_b of test rows, so that its error is the mean p̄ of the errors of the f_b,
weighted by t_b. Then error(f) ≤ error(f_rand) + P(f_rand ≠ f), and with probability 1 − δ over labels, pool and draws,
for all N candidates at once,

    error(f) ≤ Mart(errors of all f_b, Σ_b t_b, δ/2N) + Bin(disagreements of f_rand and f, m, δ/2N)

Given the labels before a block, its rows are new draws. So the errors of all fits together are a martingale around
their means, and one bound at δ/2N covers p̄ (``foldless.bounds._martingale``), where k folds need k bounds at δ/2kN
each. The price is that the labels of the first part test nothing. The pool is independent of all labels: given these,
the number of its rows that f_rand and f predict differently is binomial.

References
----------
Blum, Kalai & Langford (1999). Beating the hold-out: bounds for k-fold and progressive cross-validation. COLT.
Kääriäinen (2005). Semi-supervised model selection based on cross-validation. ICSI TR-05-010. (the second term)
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import ClassVar, Literal

import numpy as np

from foldless.bounds import _binomial as binomial
from foldless.bounds import _martingale as martingale
from foldless.core import Array, Ask, Candidate, Choice, Criterion, Evaluation, Fit, Fold, Task
from foldless.core._resampling import check_share, check_whole
from foldless.core.certificate import APART, FIXED, UNTOUCHED, Certificate, Term
from foldless.criteria import register
from foldless.errors import CannotAnswer
from foldless.judging import _copies as contents
from foldless.judging._counted import CountedLabels, EqualRows, Reading, counted_rows
from foldless.judging._counted import check as check_counted
from foldless.judging._measured_pool import MeasuredPool


@register("progressive", place=8)
@dataclass(frozen=True)
class Progressive(Criterion):
    """Rank by a bound on the error of the model trained on every label, from progressive fits, and certify it.

    All parameters must be fixed before the data is seen.

    Parameters
    ----------
    start : float
        The share of the labels that the first fit is trained on; they test nothing.
    blocks : int
        How many blocks the other labels are cut into: the number of fits of each candidate beside that on all labels.
    confidence : float
        1 − δ, the probability that the bounds of all candidates hold.
    labeled_share : float
        The share of δ for the labels; the pool has the rest.
    equal_rows : "either" or "draws"
        What rows of equal content are. With "either" the bound holds if they are separate draws, and if they are copies
        of one draw; with "draws" it is narrower, and holds only if they are separate draws.
    """

    start: float = 0.5
    blocks: int = 5
    confidence: float = 0.95
    labeled_share: float = 0.5
    equal_rows: EqualRows = "either"

    better: ClassVar[Literal["higher", "lower"]] = "lower"
    needs: ClassVar[frozenset[str]] = frozenset({"pool"})
    assumes: ClassVar[tuple[str, ...]] = (
        "labeled and pool rows are independent draws from the population of interest",
        APART,
        UNTOUCHED,
        FIXED,
    )

    def evaluate(self, task: Task) -> Evaluation:
        self._check(task)
        task = counted_rows(task, self.equal_rows)
        labels = CountedLabels(task, self.equal_rows)
        parts = [labels.tests(part) for part in self._parts(task)]
        worlds = {  # what counts of the labels decides how often a fit is drawn; supervised candidates may count more
            semi: [_Counted(self, task, readings) for readings in zip(*of_parts, strict=True)]
            for semi in {c.semi_supervised for c in task.candidates}
            for of_parts in [[labels.readings(*part, pool_trains=semi) for part in parts]]
        }
        fits = {c: [worlds[c.semi_supervised][0].pool.fit(c, part.train) for part in parts] for c in task.candidates}
        on_labels = {c: [Ask(fit, part.test) for fit, part in zip(fits[c], parts, strict=True)] for c in fits}
        on_pool = {c: [world.asks(c, fits[c]) for world in worlds[c.semi_supervised]] for c in fits}
        about_model = {c: world.about_model(task, c) for c in fits for world in worlds[c.semi_supervised][:1]}
        asked = [
            ask for c in fits for ask in (about_model[c], *on_labels[c], *(ask for asks in on_pool[c] for ask in asks))
        ]
        asks = list(dict.fromkeys(ask for ask in asked if len(ask.rows)))
        answers = yield asks
        answer_to = dict(zip(asks, answers, strict=True))
        choices = []
        for c in fits:
            wrong = [answer_to[ask] != task.codes(ask.rows) for ask in on_labels[c]]
            mine = answer_to.get(about_model[c], np.zeros(0, dtype=np.int32))
            bounds = [
                (world.error(wrong), world.disagreement(c, mine, [answer_to.get(ask) for ask in asks_of_fits]))
                for world, asks_of_fits in zip(worlds[c.semi_supervised], on_pool[c], strict=True)
            ]
            choices.append(self._choice(task, about_model[c].fit, max(bounds, key=_sum)))
        return choices

    def order_ties(self, tied: list[Choice]) -> list[Choice]:
        """The smaller error of the progressive fits first."""
        return sorted(tied, key=lambda c: c.certificate.terms[0].observed if c.certificate else np.inf)

    def _parts(self, task: Task) -> list[Fold]:
        """Growing parts of the labels in random order, each with the block that follows; groups are whole."""
        n, rng = len(task.labeled), task.rng("order of the labels")
        units = np.arange(n) if task.groups is None else np.unique(task.groups, return_inverse=True)[1]
        size = int(units.max()) + 1
        if size < 2:
            raise CannotAnswer(f"{self.name} needs at least 2 labeled rows or groups, got {size}")
        place = np.empty(size, dtype=np.intp)
        place[rng.permutation(size)] = np.arange(size)
        first = min(size - 1, max(1, round(self.start * size)))
        cuts = np.unique(np.linspace(first, size, min(self.blocks, size - first) + 1).round().astype(int))
        at = place[units]
        return [
            Fold(task.labeled.at(np.flatnonzero(at < a)), task.labeled.at(np.flatnonzero((at >= a) & (at < b))))
            for a, b in pairwise(cuts)
        ]

    def _choice(self, task: Task, model: Fit, terms: tuple[Term, Term]) -> Choice:
        upper = sum(term.upper for term in terms)
        equal = contents.assumptions(task, pool=True, equal_rows=self.equal_rows, upper=upper)
        method = replace(self, confidence=Progressive.confidence).name  # the certificate states the confidence
        certificate = Certificate(
            "error", min(1.0, upper), self.confidence, method, contents.grouped(task, self.assumes) + equal.assumes,
            terms, task.n_asked, equal.notes,
        )  # fmt: skip
        notes = ["the bound is not below 1, so it is vacuous"] if upper >= 1 else []
        if model.candidate.semi_supervised:
            notes.append("trained with one half of the pool and measured on the other")
        return Choice(model.candidate, upper, (model,), notes=tuple(notes), certificate=certificate)

    def _check(self, task: Task) -> None:
        for name in ("start", "confidence", "labeled_share"):
            check_share(name, getattr(self, name))
        check_whole("blocks", self.blocks)
        check_counted(task, self.equal_rows, self.name, pool=True)
        contents.refuse_labeled_rows_as_pool(task, self.name)


class _Counted:
    """The bound by one reading of equal labels: which of them test each fit, and the pool's draws that go with it."""

    def __init__(self, criterion: Progressive, task: Task, readings: Sequence[Reading]):
        self._readings = readings
        tests = np.array([np.count_nonzero(counts) for counts, _ in readings])
        self.pool = MeasuredPool(task, len(tests), True, criterion.equal_rows, tests if tests.any() else tests + 1)
        self._tests, delta = int(tests.sum()), (1 - criterion.confidence) / task.n_asked
        self._deltas = delta * criterion.labeled_share, delta * (1 - criterion.labeled_share)

    def about_model(self, task: Task, c: Candidate) -> Ask:
        """The question to the model."""
        return Ask(self.pool.fit(c, task.labeled), self.pool.rows(c))

    def asks(self, c: Candidate, fits: Sequence[Fit]) -> list[Ask]:
        """The questions to the progressive fits about the pool."""
        return [Ask(fit, rows) for fit, rows in zip(fits, self.pool.asked(c), strict=True)]

    def error(self, wrong: Sequence[Array]) -> Term:
        """The bound on the mean error of the fits, from where their answers are wrong."""
        errors = sum(
            int(np.count_nonzero((wrong_there | known)[counts]))
            for wrong_there, (counts, known) in zip(wrong, self._readings, strict=True)
        )
        upper = martingale.upper(errors, self._tests, self._deltas[0])
        what = f"error of the {len(wrong)} progressive fits on the labels that come next"
        return Term(what, upper, errors / max(self._tests, 1), self._tests, self._deltas[0])

    def disagreement(self, c: Candidate, mine: Array, answers: list[Array | None]) -> Term:
        """The bound on how often the model and the fits disagree: the largest by any reading of equal pool rows."""
        differs, delta = self.pool.differ(c, c, mine, self.pool.assembled(c, answers))[0], self._deltas[1]
        disagreements = [(differs | wrong)[counts] for counts, wrong in self.pool.readings(c, c)]
        uppers = [float(binomial.upper(int(d.sum()), len(d), delta)) for d in disagreements]
        at = int(np.argmax(uppers))
        observed = float(disagreements[at].mean()) if len(disagreements[at]) else 0.0
        return Term(
            "disagreement of the model with these fits on the pool", uppers[at], observed, len(disagreements[at]), delta
        )


def _sum(bound: tuple[Term, Term]) -> float:
    return bound[0].upper + bound[1].upper
