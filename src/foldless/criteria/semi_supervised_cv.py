"""Choose by a bound on the error of the model trained on every label: out-of-fold error + disagreement with the folds.

f_i is trained without fold i and f on all labels; f_rand predicts each row with one of f_1 … f_k, drawn at random.
Then error(f) ≤ error(f_rand) + P(f_rand ≠ f). Labels bound the first term, fold by fold, the pool bounds the second,
and with probability 1 − δ over labels, pool and draws, for all N candidates at once,

    error(f) ≤ 1/k Σ_i Bin(errors of f_i on fold i, its rows, δ/2kN) + Bin(disagreements of f_rand and f, m, δ/2N)

where Bin inverts the binomial tail. No label is held out, and the pool shows whether a learner behaves differently with
all labels than with those of k − 1 folds.

Decisions where the paper is silent: semi-supervised candidates are trained with one half of the pool and measured on
the other; a group counts as one row, and copies of a row may count once (``foldless.judging._counted``); equal bounds
go to the smaller error of cross-validation, then to the first candidate; candidates are ranked by the bound before it
is limited to 1; two predictions outside of the known classes count as disagreement.

References
----------
Kääriäinen (2005). Semi-supervised model selection based on cross-validation. ICSI TR-05-010. Theorem 1.
Kääriäinen (2005). Generalization error bounds using unlabeled data. COLT. (the form with a reference)
"""

import reprlib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from operator import attrgetter
from typing import Any, ClassVar, Literal, get_args

import numpy as np

from foldless.bounds import _bentkus as bentkus
from foldless.bounds import _betting as betting
from foldless.bounds import _binomial as binomial
from foldless.bounds import _empirical_bernstein as empirical_bernstein
from foldless.bounds import _hoeffding as hoeffding
from foldless.bounds import _hoeffding_bentkus as hoeffding_bentkus
from foldless.bounds import _relative_entropy as kl
from foldless.core import Array, Ask, Candidate, Choice, Criterion, Evaluation, Fit, Fold, Rows, Task
from foldless.core._resampling import Splitter, check_share
from foldless.core.certificate import APART, FIXED, UNTOUCHED, Term
from foldless.criteria import BOTH_INDEPENDENT, register
from foldless.errors import BadInput, CannotAnswer
from foldless.judging import _copies as contents
from foldless.judging._counted import CountedLabels, EqualRows, counted_rows
from foldless.judging._counted import check as check_counted
from foldless.judging._measured_pool import MeasuredPool

Disagreement = Literal["draw", "per_fold", "betting", "kl", "bentkus", "hb", "hoeffding", "maurer_pontil"]
OF_THE_MEAN: dict[str, Callable[[Array, int, float], float]] = {
    "betting": betting.upper,
    "kl": kl.upper,
    "bentkus": bentkus.upper,
    "hb": hoeffding_bentkus.upper,
    "hoeffding": hoeffding.upper,
    "maurer_pontil": empirical_bernstein.upper,
}
UPPER = attrgetter("upper")
SHUFFLES = 3  # permutations of the labels that must not change the folds of a splitter


@register("semi_supervised_cv", place=7)
@dataclass(frozen=True)
class SemiSupervisedCV(Criterion):
    """Rank by a bound on the error of the model trained on every label, and certify it.

    All parameters must be fixed before the data is seen. The disagreement bound ``"draw"`` is the paper's;
    ``"betting"`` is narrower if the pool is large and folds rarely disagree, one at a time.

    Parameters
    ----------
    k : int or splitter
        The number of random folds; with fewer folds each has more rows. With 1, the model is compared with the fit of a
        single split. A splitter gives the pattern of the folds, and rows are assigned to it at random; a splitter that
        uses the labels is refused.
    confidence : float
        1 − δ, the probability that the bounds of all candidates hold.
    disagreement : "draw", "per_fold", "betting", "kl", "bentkus", "hb", "hoeffding" or "maurer_pontil"
        How disagreement is bounded. "draw" asks one fold about each pool row and bounds the number of disagreements;
        "per_fold" bounds the number of each fold; the others bound the mean share of folds that disagree.
    labeled_share : float
        The share of δ for the labels; the pool has the rest. Use more than 0.5 if the pool is much larger.
    shares : sequence, or mapping from the names of candidates, of float
        The share of δ for each candidate, with a sum of at most 1; equal if None.
    reference : str or tuple of str, optional
        Names of candidates whose folds all candidates are compared with; the smallest bound counts, and the others are
        trained once, on all labels. "any" means all candidates. None compares each with its own folds.
    test_size : float
        The share of labels in the single split of k=1.
    equal_rows : "either" or "draws"
        What rows of equal content are. With "either" the bound holds if they are separate draws, and if they are copies
        of one draw; with "draws" it is narrower, and holds only if they are separate draws.
    """

    k: int | Splitter = 5
    confidence: float = 0.95
    disagreement: Disagreement = "draw"
    labeled_share: float = 0.5
    shares: Sequence[float] | Mapping[str, float] | None = None
    reference: str | tuple[str, ...] | None = None
    test_size: float = 0.2
    equal_rows: EqualRows = "either"

    better: ClassVar[Literal["higher", "lower"]] = "lower"
    needs: ClassVar[frozenset[str]] = frozenset({"pool"})
    assumes: ClassVar[tuple[str, ...]] = (BOTH_INDEPENDENT, APART, UNTOUCHED, FIXED)

    def __post_init__(self) -> None:
        if self.shares is not None and not isinstance(self.shares, Mapping):
            by_value = tuple(np.asarray(self.shares).tolist())  # arrays compare by value as tuples
            object.__setattr__(self, "shares", by_value)

    def evaluate(self, task: Task) -> Evaluation:
        self._check(task)
        task = counted_rows(task, self.equal_rows)
        labels, references = CountedLabels(task, self.equal_rows), self._references(task)
        folds = [labels.tests(fold) for fold in self._folds(task)]
        pool = MeasuredPool(task, len(folds), self.disagreement == "draw", self.equal_rows)
        about_model = {c: Ask(pool.fit(c, task.labeled), pool.rows(c)) for c in task.candidates}
        left_out = {g: [Ask(pool.fit(g, train), test) for train, test in folds] for g in references}
        about_pool = {
            g: [Ask(ask.fit, rows) for ask, rows in zip(left_out[g], pool.asked(g), strict=True)] for g in references
        }
        about_references = (ask for g in references for ask in (*left_out[g], *about_pool[g]) if len(ask.rows))
        asks = [*about_model.values(), *about_references]
        answers = yield asks
        answer_to = dict(zip(asks, answers, strict=True))
        bounds: dict[Candidate, list[tuple[Candidate, Term, Term]]] = {}
        for g in references:
            on_labels = self._error(task, g, [answer_to[ask] for ask in left_out[g]], folds, labels)
            on_pool = pool.assembled(g, [answer_to.get(ask) for ask in about_pool[g]])
            for c in [g] if self.reference is None else task.candidates:
                differs = pool.differ(c, g, answer_to[about_model[c]], on_pool)
                by_readings = [
                    self._disagreement(task, c, (differs | wrong)[:, counts], len(folds))
                    for counts, wrong in pool.readings(c, g)
                ]
                bounds.setdefault(c, []).append((g, on_labels, max(by_readings, key=UPPER)))
        ranked = [c for c in task.candidates if c in bounds]
        least = {c: min(bounds[c], key=lambda bound: bound[1].upper + bound[2].upper) for c in ranked}
        return [self._choice(task, about_model[c].fit, bound) for c, bound in least.items()]

    def order_ties(self, tied: list[Choice]) -> list[Choice]:
        """The smaller error of cross-validation first."""
        return sorted(tied, key=lambda c: c.certificate.terms[0].observed if c.certificate else np.inf)

    def _error(self, task: Task, g: Candidate, answers: list[Array], folds: list[Fold], labels: CountedLabels) -> Term:
        """The bound on the mean out-of-fold error of a candidate: the largest by any reading of equal rows."""
        share = self._share(task, g) if self.reference is None else 1 / self._n_references(task)
        delta = (1 - self.confidence) * self.labeled_share * share
        what = f"out-of-fold error of the {len(folds)} fits"
        if len(folds) == 1:
            what = f"error of the fit on {len(folds[0].train):,} of the labels, tested on the others"
        readings = [
            [(np.count_nonzero(((a != task.codes(test)) | wrong)[counts]), np.count_nonzero(counts))
             for counts, wrong in labels.readings(train, test, pool_trains=g.semi_supervised)]
            for a, (train, test) in zip(answers, folds, strict=True)
        ]  # fmt: skip
        return max((_mean(what, np.array(reading), delta) for reading in zip(*readings, strict=True)), key=UPPER)

    def _disagreement(self, task: Task, c: Candidate, differs: Array, k: int) -> Term:
        """The bound on how often a model and the folds disagree; ``differs`` has a row per fold, or one for a draw."""
        m = differs.shape[1]
        delta = (1 - self.confidence) * (1 - self.labeled_share) * self._share(task, c)
        delta /= 1 if self.reference is None else self._n_references(task)
        if self.disagreement in ("draw", "per_fold"):
            upper = float(np.mean(binomial.upper(differs.sum(axis=1), m, delta / len(differs))))
        else:
            order = task.rng("order of the pool").permutation(m)  # betting depends on the order of the rows
            upper = OF_THE_MEAN[self.disagreement](differs.sum(axis=0)[order], k, delta)
        what = f"disagreement of the model with {'this fit' if k == 1 else 'these fits'} on the pool"
        return Term(what, upper, float(differs.mean()) if m else 0.0, m, delta)

    def _choice(self, task: Task, model: Fit, bound: tuple[Candidate, Term, Term]) -> Choice:
        reference, *terms = bound
        upper = sum(term.upper for term in terms)
        certificate = contents.certificate(task, self, terms, contents.grouped(task, self.assumes), pool=True)
        notes = ["the bound is not below 1, so it is vacuous"] if upper >= 1 else []
        if model.candidate.semi_supervised:
            notes.append("trained with one half of the pool and measured on the other")
        if reference != model.candidate:
            notes.append(f"compared with the folds of {reference.name}")
        return Choice(model.candidate, upper, (model,), notes=tuple(notes), certificate=certificate)

    def _folds(self, task: Task) -> list[Fold]:
        if self.k == 1 and self.k is not True:
            return task.hold_outs(self.test_size, 1)
        folds = task.folds(self.k)
        if not isinstance(self.k, Splitter):
            return folds
        self._check_blind(task, folds)
        shuffled = task.rng("rows for a splitter").permutation(len(task.labeled))  # rows may be sorted by their labels
        return [Fold(Rows(shuffled[train.indices]), Rows(shuffled[test.indices])) for train, test in folds]

    def _check_blind(self, task: Task, folds: list[Fold]) -> None:
        """Refuse a splitter that repeats test rows, tests on training rows or uses the labels."""
        for train, test in folds:
            if len(np.unique(test.indices)) < len(test) or len(np.intersect1d(train.indices, test.indices)):
                raise CannotAnswer(f"{self.k!r} tests on a training row, or on a row twice: use distinct rows")
        rng = task.rng("labels that a splitter must not see")
        for _ in range(SHUFFLES):
            if task.relabeled(rng.permutation(task.y)).folds(self.k) != folds:
                raise CannotAnswer(
                    f"{self.k!r} uses the labels to build folds, and the bound needs folds that do not depend on them: "
                    f"use k={len(folds)} for random folds"
                )

    def _references(self, task: Task) -> list[Candidate]:
        """The candidates that are trained on folds."""
        if self.reference is None or self.reference == "any":
            return list(task.candidates)
        names = (self.reference,) if isinstance(self.reference, str) else tuple(self.reference)
        named = [c for c in task.candidates if c.name in names]
        complete = len(task.candidates) == task.n_asked  # else a candidate may be missing because it failed
        if len(named) > len(names) or (complete and len(named) < len(names)):
            every = ", ".join(repr(c.name) for c in task.candidates[:5])
            raise BadInput(f"reference must be 'any' or names of candidates, each once, such as {every}, got {names!r}")
        return named

    def _n_references(self, task: Task) -> int:
        if self.reference == "any" or self.reference is None:
            return task.n_asked
        return 1 if isinstance(self.reference, str) else len(self.reference)

    def _share(self, task: Task, candidate: Candidate) -> float:
        if self.shares is None:
            return 1 / task.n_asked
        if isinstance(self.shares, Mapping):
            return float(self.shares[candidate.name])
        return float(self.shares[candidate.index])

    def _check(self, task: Task) -> None:
        if self.disagreement not in get_args(Disagreement):
            allowed = ", ".join(map(repr, get_args(Disagreement)))
            raise BadInput(f"disagreement must be one of {allowed}, got {self.disagreement!r}")
        for name in ("confidence", "labeled_share"):
            check_share(name, getattr(self, name))
        if self.shares is not None:
            self._check_shares(task)
        check_counted(task, self.equal_rows, self.name, pool=True)
        if task.named_groups is not None and isinstance(self.k, Splitter):
            raise CannotAnswer(f"{self.k!r} cannot make folds of groups for a certificate: use a number of folds")
        contents.refuse_labeled_rows_as_pool(task, self.name)

    def _check_shares(self, task: Task) -> None:
        assert self.shares is not None
        shares: Collection[Any] = self.shares.values() if isinstance(self.shares, Mapping) else self.shares
        fits = len(self.shares) == task.n_asked
        if isinstance(self.shares, Mapping):
            fits = all(c.name in self.shares for c in task.candidates)
            names = {c.name for c in task.candidates}
            if len(names) < len(task.candidates):  # a name would spend its share several times
                raise BadInput(
                    "candidates have equal names: pass shares as a sequence, with a number for each candidate"
                )
        positive = all(isinstance(share, Real) and float(share) > 0 for share in shares)
        if not fits or not positive or sum(shares) > 1 + 1e-9:
            raise BadInput(
                f"shares must have a positive number for each of the {task.n_asked} candidates and a sum of at most 1, "
                f"got {reprlib.repr(self.shares)}"
            )


def _mean(what: str, counts: Array, delta: float) -> Term:
    """The mean of the bounds of all folds, from the errors and the rows of each."""
    errors, sizes = counts.T
    upper = float(np.mean(binomial.upper(errors, sizes, delta / len(counts))))
    return Term(what, upper, float(np.mean(errors / np.maximum(sizes, 1))), int(sizes.sum()), delta)
