"""Choose on the first labels, certify on the others: δ goes to the candidate that cross-validation puts first.

The labels are put in random order. Cross-validation on the first part of them, seven tenths, ranks the candidates, and
g_c is candidate c trained on that part. The other labels test it. Ranks and fits are functions of the first part, and
given it the other labels are new draws. So the number of errors of each g_c is binomial, and with probability 1 − δ,
for all candidates at once,

    error(g_c) ≤ Bin(errors of g_c, tests, w_r δ)   for rank r of c,   w_1 = 9/10,   w_r = 1/10 · 1/((r − 1) r)

because the shares w add up to at most 1. Bin inverts the binomial tail. A plain hold-out chooses by the labels that
certify, so that it divides δ among all N candidates; here the first one has nine tenths of it, whatever N is.

The rank of a candidate must not depend on the labels that certify, and a candidate may fail because of them. If d are
missing, rank r among the others is at most r + d among all, and w_{r+d} is used: the shares never grow.

With ``refit`` the model f_c is trained on every label. Where g_c is right and f_c agrees with it, f_c is right: so
error(f_c) ≤ error(g_c) + P(f_c ≠ g_c). The pool is independent of all labels, so the number of its rows on which they
differ is binomial too, and with the share s of δ for the labels

    error(f_c) ≤ Bin(errors of g_c, tests, s w_r δ) + Bin(disagreements of f_c and g_c, m, (1 − s) δ/N)

References
----------
Langford (2005). Tutorial on practical prediction theory for classification. JMLR 6. Theorem 3.3; section 4 for shares
of δ that are fixed before the tests.
Kääriäinen (2005). Semi-supervised model selection based on cross-validation. ICSI TR-05-010. (the term of the pool)
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from foldless.bounds import _binomial as binomial
from foldless.core import Array, Ask, Candidate, Choice, Criterion, Evaluation, Fit, Fold, Rows, Task
from foldless.core._resampling import check_share, check_whole
from foldless.core.certificate import APART, FIXED, UNTOUCHED, Term
from foldless.criteria import BOTH_INDEPENDENT, INDEPENDENT, register
from foldless.errors import CannotAnswer
from foldless.judging import _copies as contents
from foldless.judging._counted import CountedLabels, EqualRows, Reading, counted_rows, other_groups
from foldless.judging._counted import check as check_counted
from foldless.judging._measured_pool import MeasuredPool

FIRST = 0.9  # of δ for the first rank: benchmarks.coverage.certificates decides on it by settings of its own
COPIES_ONCE, ONE_OF_EACH = " with copies counted once", ", one row of each group"


@register("progressive", place=8)
@dataclass(frozen=True)
class Progressive(Criterion):
    """Rank by a bound on the error, from labels that took no part in training and choosing, and certify it.

    The first labels, in random order, choose and train; the others certify. All parameters must be fixed before the
    data is seen.

    Parameters
    ----------
    start : float
        The share of the labels that choose and train.
    k : int
        The number of folds by which the first labels rank the candidates.
    confidence : float
        1 − δ, the probability that the bounds of all candidates hold.
    refit : bool
        Offer the model that is trained on every label. Its bound has a second term, how often it disagrees with the fit
        that was tested; that needs a pool.
    labeled_share : float
        With ``refit``, the share of δ for the labels; the pool has the rest.
    equal_rows : "either" or "draws"
        What rows of equal content are. With "either" the bound holds if they are separate draws, and if they are copies
        of one draw; with "draws" it is narrower, and holds only if they are separate draws.
    """

    start: float = 0.7
    k: int = 5
    confidence: float = 0.95
    refit: bool = False
    labeled_share: float = 0.9
    equal_rows: EqualRows = "either"

    better: ClassVar[Literal["higher", "lower"]] = "lower"
    assumes: ClassVar[tuple[str, ...]] = (INDEPENDENT, UNTOUCHED, FIXED)

    def __post_init__(self) -> None:
        if self.refit:  # the pool has a part in the bound
            object.__setattr__(self, "needs", frozenset({"pool"}))
            object.__setattr__(self, "assumes", (BOTH_INDEPENDENT, APART, *self.assumes[1:]))

    @property
    def holds_out(self) -> bool:
        """Unless it is trained again: labels certify only the model that was tested on them."""
        return not self.refit

    def evaluate(self, task: Task) -> Evaluation:
        self._check(task)
        task = counted_rows(task, self.equal_rows)
        labels = CountedLabels(task, self.equal_rows)
        pool: MeasuredPool | _TrainingPool = (
            MeasuredPool(task, 1, False, self.equal_rows) if self.refit else _TrainingPool(task)
        )
        split, folds = self._parts(task)
        split = labels.tests(split)
        tested = {c: Ask(pool.fit(c, split.train), split.test, may_win=not self.refit) for c in task.candidates}
        inside = {
            c: [Ask(pool.fit(c, fold.train), fold.test, may_fail=True) for fold in folds] for c in task.candidates
        }
        about_pool = {
            c: (Ask(pool.fit(c, task.labeled), pool.rows(c)), Ask(tested[c].fit, pool.rows(c)))
            for c in task.candidates
            if isinstance(pool, MeasuredPool)
        }
        every = (ask for of in (about_pool, inside) for asks in of.values() for ask in asks)
        asks = [ask for ask in (*tested.values(), *every) if len(ask.rows)]
        answer_to = dict(zip(asks, (yield asks), strict=True))
        ranks = _ranks(task, {c: [answer_to[ask] for ask in inside[c]] for c in inside}, folds)
        choices = []
        for c in task.candidates:
            wrong = answer_to[tested[c]] != task.codes(split.test)
            readings = labels.readings(split.train, split.test, pool_trains=c.semi_supervised)
            terms = [self._error(task, wrong, readings, len(split.train), ranks[c])]
            if isinstance(pool, MeasuredPool):
                model, fit = (answer_to.get(ask, np.zeros(0, dtype=np.int32)) for ask in about_pool[c])
                terms.append(self._disagreement(task, c, pool, model, fit))
            offered = about_pool[c][0].fit if self.refit else tested[c].fit
            choices.append(self._choice(task, offered, len(split.train), tuple(terms)))
        return choices

    def order_ties(self, tied: list[Choice]) -> list[Choice]:
        """The smaller error of the fit that was tested first."""
        return sorted(tied, key=lambda c: c.certificate.terms[0].observed if c.certificate else np.inf)

    def _parts(self, task: Task) -> tuple[Fold, list[Fold]]:
        """The first labels and those that certify, and folds of the first to rank several candidates; groups whole."""
        size, rng = task.n_units, task.rng("order of the labels")
        if size < 2:
            raise CannotAnswer(f"{self.name} needs at least 2 labeled rows or groups, got {size}")
        place = np.empty(size, dtype=np.intp)
        place[rng.permutation(size)] = np.arange(size)
        cut, at = min(size - 1, max(1, round(self.start * size))), place[task.units]
        first, k = at < cut, min(self.k, cut) if len(task.candidates) > 1 and cut > 1 else 0

        def rows(mask: Array) -> Rows:
            return task.labeled.at(np.flatnonzero(mask))

        folds = [Fold(rows(first & (at % k != i)), rows(first & (at % k == i))) for i in range(k)]
        return Fold(rows(first), rows(~first)), folds

    def _error(self, task: Task, wrong: Array, readings: Sequence[Reading], trained: int, rank: int) -> Term:
        """The bound on the error of the fit that was tested: the largest by any reading of equal rows."""
        delta = (1 - self.confidence) * (self.labeled_share if self.refit else 1.0) * _share(task, rank)
        what = f"error of the fit on {trained:,} of the labels, tested on the others"
        others = len(task.labeled) - trained
        once = ONE_OF_EACH if task.named_groups is not None else COPIES_ONCE
        terms = [
            binomial.term(f"{what}{once if np.count_nonzero(counts) < others else ''}", (wrong | known)[counts], delta)
            for counts, known in readings
        ]
        return max(terms, key=lambda term: term.upper)

    def _disagreement(self, task: Task, c: Candidate, pool: MeasuredPool, model: Array, fit: Array) -> Term:
        """The bound on how often model and tested fit disagree: the largest by any reading of equal pool rows."""
        delta = (1 - self.confidence) * (1 - self.labeled_share) / task.n_asked
        differs = pool.differ(c, c, model, pool.assembled(c, [fit]))[0]
        what = "disagreement of the model with this fit on the pool"
        terms = [binomial.term(what, (differs | wrong)[counts], delta) for counts, wrong in pool.readings(c, c)]
        return max(terms, key=lambda term: term.upper)

    def _choice(self, task: Task, model: Fit, trained: int, terms: tuple[Term, ...]) -> Choice:
        upper, semi = sum(term.upper for term in terms), model.candidate.semi_supervised
        assumes = contents.grouped(task, self.assumes)
        if not self.refit:
            certify = len(task.labeled) - trained
            tested = f"the model is the fit on {trained:,} labels, without the {certify:,} that certify it"
            assumes = (assumes[0], *((APART,) if semi else ()), *assumes[1:], tested)
        certificate = contents.certificate(task, self, terms, assumes, pool=self.refit or semi)
        notes = ["the bound is not below 1, so it is vacuous"] if upper >= 1 else []
        if semi and self.refit:
            notes.append("trained with one half of the pool and measured on the other")
        return Choice(model.candidate, upper, (model,), notes=tuple(notes), certificate=certificate)

    def _check(self, task: Task) -> None:
        for name in ("start", "confidence", "labeled_share"):
            check_share(name, getattr(self, name))
        check_whole("k", self.k, least=2)
        semi = any(c.semi_supervised for c in task.candidates) and len(task.unlabeled) > 0
        check_counted(task, self.equal_rows, self.name, pool=self.refit or semi)
        if self.refit or semi:
            contents.refuse_labeled_rows_as_pool(task, self.name)


class _TrainingPool:
    """The pool where it measures nothing: all of it trains semi-supervised candidates, but for the labeled groups."""

    def __init__(self, task: Task):
        pool = task.unlabeled if task.named_groups is None else task.unlabeled.at(other_groups(task))
        self._unlabeled = pool if len(pool) else None

    def fit(self, candidate: Candidate, train: Rows) -> Fit:
        """A fit that never sees the labeled rows left out, not even without their labels."""
        return Fit(candidate, train, unlabeled=self._unlabeled)


def _ranks(task: Task, answers: dict[Candidate, list[Array]], folds: Sequence[Fold]) -> dict[Candidate, int]:
    """The rank of each candidate by its errors on the folds, from 1 on; rows of a fit that failed count as errors."""
    errors = {
        c: sum(
            np.count_nonzero(labels != task.codes(fold.test)) if len(labels) else len(fold.test)
            for labels, fold in zip(of_folds, folds, strict=True)
        )
        for c, of_folds in answers.items()
    }
    return {c: rank for rank, c in enumerate(sorted(task.candidates, key=lambda c: errors[c]), start=1)}


def _share(task: Task, rank: int) -> float:
    """The share of δ for a rank, which missing candidates may have pushed down."""
    at = rank + task.n_asked - len(task.candidates)
    if at == 1:
        return FIRST if task.n_asked > 1 else 1.0
    return (1 - FIRST) / ((at - 1) * at)
