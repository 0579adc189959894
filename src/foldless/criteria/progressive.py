"""Choose by a bound on the error of the model trained on every label: error of progressive fits + disagreement.

The labels are put in random order. f_b is trained on a growing part of them, such as the first 50, 60, … 90 %, and
tested on the block that follows; f is trained on all. f_rand predicts each row with one of the f_b, drawn with a
probability proportional to its number t_b of test rows, so that its error is the mean p̄ of the errors of the f_b,
weighted by t_b. Then error(f) ≤ error(f_rand) + P(f_rand ≠ f), and with probability 1 − δ over labels, pool and draws,
for all N candidates at once,

    error(f) ≤ Mart(errors of all f_b, Σ_b t_b, δ/2N) + Bin(disagreements of f_rand and f, m, δ/2N)

Given the labels before a block, its rows are new draws. So the errors of all fits together are a martingale around
their means, and one bound at δ/2N covers p̄ (``foldless.bounds.martingale``), where k folds need k bounds at δ/2kN each.
The price is that the labels of the first part test nothing. The pool is independent of all labels: given these, the
number of its rows that f_rand and f predict differently is binomial.

References
----------
Blum, Kalai & Langford (1999). Beating the hold-out: bounds for k-fold and progressive cross-validation. COLT.
Kääriäinen (2005). Semi-supervised model selection based on cross-validation. ICSI TR-05-010. (the second term)
"""

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import ClassVar, Literal

import numpy as np

from foldless.bounds import binomial, martingale
from foldless.core import Array, Ask, Candidate, Choice, Criterion, Evaluation, Fit, Fold, Task
from foldless.core import copies as contents
from foldless.core.certificate import APART, FIXED, UNTOUCHED, Certificate, Term
from foldless.core.counted import CountedLabels, EqualRows
from foldless.core.counted import check as check_counted
from foldless.core.measured_pool import MeasuredPool
from foldless.core.resampling import check_share, check_whole
from foldless.errors import CannotAnswer


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
    tolerance: ClassVar[float] = 1e-12
    assumes: ClassVar[tuple[str, ...]] = (
        "labeled and pool rows are independent draws from the population of interest",
        APART,
        UNTOUCHED,
        FIXED,
    )

    def evaluate(self, task: Task) -> Evaluation:
        self._check(task)
        labels = CountedLabels(task, self.equal_rows)
        parts = [labels.tests(part) for part in self._parts(task)]
        tests = np.array([len(part.test) for part in parts])
        pool = MeasuredPool(task, len(parts), True, self.equal_rows, tests)
        own = {c: Ask(pool.fit(c, task.labeled), pool.rows(c)) for c in task.candidates}
        on_labels = {c: [Ask(pool.fit(c, part.train), part.test) for part in parts] for c in task.candidates}
        on_pool = {
            c: [Ask(ask.fit, rows) for ask, rows in zip(on_labels[c], pool.asked(c), strict=True)]
            for c in task.candidates
        }
        asks = [ask for c in task.candidates for ask in (own[c], *on_labels[c], *on_pool[c]) if len(ask.rows)]
        answers = yield asks
        answer_to = dict(zip(asks, answers, strict=True))
        choices = []
        for c in task.candidates:
            error = self._error(task, c, [answer_to[ask] for ask in on_labels[c]], parts, labels)
            of_fits = pool.assembled(c, [answer_to.get(ask) for ask in on_pool[c]])
            mine = answer_to.get(own[c], np.zeros(0, dtype=np.int32))
            differs = pool.differ(c, c, mine, of_fits)[0]
            terms = [self._disagreement(task, (differs | wrong)[counts]) for counts, wrong in pool.readings(c, c)]
            choices.append(self._choice(task, own[c].fit, (error, max(terms, key=_upper))))
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

    def _error(self, task: Task, c: Candidate, answers: list[Array], parts: list[Fold], labels: CountedLabels) -> Term:
        """The bound on the mean error of the progressive fits: the largest by any reading of equal rows."""
        delta = (1 - self.confidence) * self.labeled_share / task.n_asked
        errors = [  # a copy that does not count is an error: each fit keeps its number of tests, and so its weight
            [np.count_nonzero((a != task.codes(test)) | wrong | ~counts)
             for counts, wrong in labels.readings(train, test, pool_trains=c.semi_supervised)]
            for a, (train, test) in zip(answers, parts, strict=True)
        ]  # fmt: skip
        most, tests = max(sum(reading) for reading in zip(*errors, strict=True)), sum(len(test) for _, test in parts)
        what = f"error of {len(parts)} fits on a growing part of the labels, each tested on the next ones"
        return Term(what, martingale.upper(most, tests, delta), most / tests, tests, delta)

    def _disagreement(self, task: Task, differs: Array) -> Term:
        """The bound on how often the model and the fits disagree, from one drawn fit for each pool row."""
        delta = (1 - self.confidence) * (1 - self.labeled_share) / task.n_asked
        upper = float(binomial.upper(int(differs.sum()), len(differs), delta))
        what = "disagreement of the model with these fits on the pool"
        return Term(what, upper, float(differs.mean()) if len(differs) else 0.0, len(differs), delta)

    def _choice(self, task: Task, model: Fit, terms: tuple[Term, Term]) -> Choice:
        upper = sum(term.upper for term in terms)
        equal = contents.assumptions(task, pool=True, equal_rows=self.equal_rows)
        method = replace(self, confidence=Progressive.confidence).name  # the certificate states the confidence
        certificate = Certificate(
            "error", min(1.0, upper), self.confidence, method, contents.grouped(task, self.assumes) + equal.assumes,
            terms, task.n_asked, equal.notes,
        )  # fmt: skip
        notes = ["the bound is not below 1, so it has no information"] if upper >= 1 else []
        if model.candidate.semi_supervised:
            notes.append("trained with one half of the pool and measured on the other")
        return Choice(model.candidate, upper, (model,), notes=tuple(notes), certificate=certificate)

    def _check(self, task: Task) -> None:
        for name in ("start", "confidence", "labeled_share"):
            check_share(name, getattr(self, name))
        check_whole("blocks", self.blocks)
        check_counted(task, self.equal_rows, self.name, pool=True)
        contents.refuse_labeled_rows_as_pool(task, self.name)


def _upper(term: Term) -> float:
    return term.upper
