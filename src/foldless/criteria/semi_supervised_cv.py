"""Choose by a bound on the error of the model trained on every label: error of the folds + disagreement with them.

f_1 … f_k are trained without one fold each and f on all labels; f_rand answers each row by one f_i drawn at random.
Then error(f) ≤ error(f_rand) + P(f_rand ≠ f). Labels bound the first term, fold by fold, the pool bounds the second,
and with probability 1 − δ over labels, pool and draws, for all N candidates at once,

    error(f) ≤ 1/k Σ_i Bin(errors of f_i on fold i, its rows, δ/2kN) + Bin(disagreements of f_rand and f, m, δ/2N)

where Bin inverts the binomial tail. No label is held out, and a learner that behaves differently with all labels than
with those of k − 1 folds is found out by the pool.

What this file decides where the paper is silent: the unlabeled half given to semi-supervised candidates is not the one
on which they are measured; equal bounds go to the smaller error of cross-validation, then to the first; candidates are
ranked by the bound before it is cut at 1. Of two labels that are none of the classes nobody knows whether they are
equal: they count as disagreement.

References
----------
Kääriäinen (2005). Semi-supervised model selection based on cross-validation. ICSI TR-05-010. Theorem 1.
Kääriäinen (2005). Generalization error bounds using unlabeled data. COLT. (the form with a reference)
"""

import reprlib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any, ClassVar, Literal, get_args

import numpy as np

from foldless.bounds import bentkus, betting, binomial, empirical_bernstein, hoeffding, hoeffding_bentkus
from foldless.bounds import relative_entropy as kl
from foldless.core import Array, Ask, Candidate, Choice, Criterion, Evaluation, Fit, Fold, Rows, Task
from foldless.core import copies as contents
from foldless.core.certificate import APART, FIXED, UNTOUCHED, Certificate, Term
from foldless.core.measured_pool import MeasuredPool
from foldless.core.resampling import Splitter, check_share
from foldless.errors import BadInput, CannotAnswer

Disagreement = Literal["draw", "per_fold", "betting", "kl", "bentkus", "hb", "hoeffding", "maurer_pontil"]
OF_THE_MEAN: dict[str, Callable[[Array, int, float], float]] = {
    "betting": betting.upper,
    "kl": kl.upper,
    "bentkus": bentkus.upper,
    "hb": hoeffding_bentkus.upper,
    "hoeffding": hoeffding.upper,
    "maurer_pontil": empirical_bernstein.upper,
}
SHUFFLES = 3  # permutations of the labels on which a splitter must give the same folds


@dataclass(frozen=True)
class SemiSupervisedCV(Criterion):
    """Rank by a bound on the error of the model trained on every label, and certify it.

    All parameters must be fixed before the data is seen. Of the disagreement bounds ``"draw"`` is the paper's;
    ``"betting"`` is narrower where the pool is large and now and then a single fold disagrees.

    Parameters
    ----------
    k : int or splitter
        The number of random folds; with fewer each has more rows. 1 is a single split, whose fit the model is compared
        with. Of a splitter the pattern is taken and chance decides which rows go where; one that looks at the labels is
        refused.
    confidence : float
        1 − δ, the probability that the bounds of all candidates hold.
    disagreement : "draw", "per_fold", "betting", "kl", "bentkus", "hb", "hoeffding" or "maurer_pontil"
        How the pool is read. "draw" asks one fold for each pool row and bounds the count of disagreements; "per_fold"
        bounds the count of each fold; the others bound the mean share of folds that disagree.
    labeled_share : float
        The share of δ that the labels get, the rest is the pool's. With many more pool rows than labels, give more.
    shares : sequence, or mapping from the names of candidates, of float
        The share of δ of each candidate, at most 1 together; equal if None.
    reference : str or tuple of str, optional
        Names of candidates whose folds all candidates are compared with, at the best of the bounds; the others are
        trained once, on all labels. "any" takes all. None compares each candidate with its own folds.
    test_size : float
        The share of labels in the single split of k=1.
    """

    k: int | Splitter = 5
    confidence: float = 0.95
    disagreement: Disagreement = "draw"
    labeled_share: float = 0.5
    shares: Sequence[float] | Mapping[str, float] | None = None
    reference: str | tuple[str, ...] | None = None
    test_size: float = 0.2

    better: ClassVar[Literal["higher", "lower"]] = "lower"
    needs: ClassVar[frozenset[str]] = frozenset({"pool"})
    tolerance: ClassVar[float] = 1e-12
    assumes: ClassVar[tuple[str, ...]] = (
        "labeled and pool rows are independent draws from one population, the one whose error is meant",
        APART,
        UNTOUCHED,
        FIXED,
    )

    def __post_init__(self) -> None:
        if self.shares is not None and not isinstance(self.shares, Mapping):
            object.__setattr__(self, "shares", tuple(np.asarray(self.shares).tolist()))  # equal, also from an array

    def evaluate(self, task: Task) -> Evaluation:
        self._check(task)
        folds, references = self._folds(task), self._references(task)
        pool = MeasuredPool(task, len(folds), self.disagreement == "draw")
        own = {c: Ask(pool.fit(c, task.labeled), pool.rows(c)) for c in task.candidates}
        left_out = {g: [Ask(pool.fit(g, train), test) for train, test in folds] for g in references}
        about_pool = {
            g: [Ask(ask.fit, rows) for ask, rows in zip(left_out[g], pool.asked(g), strict=True)] for g in references
        }
        asks = [*own.values(), *(ask for g in references for ask in (*left_out[g], *about_pool[g]) if len(ask.rows))]
        answers = yield asks
        told = dict(zip(asks, answers, strict=True))
        bounds: dict[Candidate, list[tuple[Candidate, Term, Term]]] = {}
        for g in references:
            on_labels = self._error(task, g, [told[ask] for ask in left_out[g]], folds)
            said = pool.assembled(g, [told.get(ask) for ask in about_pool[g]])
            for c in [g] if self.reference is None else task.candidates:
                differs = pool.differ(c, g, told[own[c]], said)
                bounds.setdefault(c, []).append((g, on_labels, self._disagreement(task, c, differs, len(folds))))
        return [self._choice(task, own[c].fit, min(bounds[c], key=_sum)) for c in task.candidates if c in bounds]

    def order_ties(self, tied: list[Choice]) -> list[Choice]:
        """The smaller error of cross-validation first."""
        return sorted(tied, key=lambda c: c.certificate.terms[0].observed if c.certificate else np.inf)

    def _error(self, task: Task, g: Candidate, answers: list[Array], folds: list[Fold]) -> Term:
        """The bound on the mean error of a candidate's fits without a fold."""
        k = len(folds)
        errors = np.array(
            [np.count_nonzero(a != task.codes(test)) for a, (_, test) in zip(answers, folds, strict=True)]
        )
        sizes = np.array([len(test) for _, test in folds])
        share = self._share(task, g) if self.reference is None else 1 / self._n_references(task)
        delta = (1 - self.confidence) * self.labeled_share * share
        what = f"error of the {k} fits without a fold, judged on their folds"
        if k == 1:
            what = f"error of the fit on {len(folds[0].train):,} of the labels, judged on the others"
        upper = float(np.mean(binomial.upper(errors, sizes, delta / k)))
        return Term(what, upper, float(np.mean(errors / sizes)), int(sizes.sum()), delta)

    def _disagreement(self, task: Task, c: Candidate, differs: Array, k: int) -> Term:
        """The bound on how often a model and the folds disagree; ``differs`` has a row per fold, or one for a draw."""
        m = differs.shape[1]
        delta = (1 - self.confidence) * (1 - self.labeled_share) * self._share(task, c)
        delta /= 1 if self.reference is None else self._n_references(task)
        if self.disagreement in ("draw", "per_fold"):
            upper = float(np.mean(binomial.upper(differs.sum(axis=1), m, delta / len(differs))))
        else:
            order = task.rng("order of the pool").permutation(m)  # betting reads rows one after another
            upper = OF_THE_MEAN[self.disagreement](differs.sum(axis=0)[order], k, delta)
        what = f"disagreement of the model with {'it' if k == 1 else 'them'}, on the pool"
        return Term(what, upper, float(differs.mean()) if m else 0.0, m, delta)

    def _choice(self, task: Task, model: Fit, bound: tuple[Candidate, Term, Term]) -> Choice:
        reference, *terms = bound
        upper, equal = sum(term.upper for term in terms), contents.assumptions(task, pool=True)
        certificate = Certificate(
            "error", min(1.0, upper), self.confidence, self._method(), self.assumes + equal.assumes, tuple(terms),
            task.n_asked, equal.notes,
        )  # fmt: skip
        notes = ["the bound is not below 1 and says nothing"] if upper >= 1 else []
        if model.candidate.semi_supervised:
            notes.append("trained with one half of the pool, measured on the other")
        if reference != model.candidate:
            notes.append(f"compared with the folds of {reference.name}")
        return Choice(model.candidate, upper, (model,), notes=tuple(notes), certificate=certificate)

    def _method(self) -> str:
        """Its name for a certificate, which tells the confidence itself."""
        return replace(self, confidence=SemiSupervisedCV.confidence).name

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
        """Refuse a splitter whose test rows are not fresh, or not chosen blindly."""
        for train, test in folds:
            if len(np.unique(test.indices)) < len(test) or len(np.intersect1d(train.indices, test.indices)):
                raise CannotAnswer(f"{self.k!r} tests on a row that it trained on or tests twice: use distinct rows")
        rng = task.rng("labels that a splitter must not see")
        for _ in range(SHUFFLES):
            if replace(task, y=rng.permutation(task.y)).folds(self.k) != folds:
                raise CannotAnswer(
                    f"{self.k!r} makes its folds by the labels, and the bound needs folds that are blind to them: "
                    f"use k={len(folds)} for random folds"
                )

    def _references(self, task: Task) -> list[Candidate]:
        """The candidates whose folds are asked for."""
        if self.reference is None or self.reference == "any":
            return list(task.candidates)
        names = (self.reference,) if isinstance(self.reference, str) else tuple(self.reference)
        found = [c for c in task.candidates if c.name in names]
        complete = len(task.candidates) == task.n_asked  # else one may be missing because it failed
        if len(found) > len(names) or (complete and len(found) < len(names)):
            every = ", ".join(repr(c.name) for c in task.candidates[:5])
            raise BadInput(f"reference must name candidates, each once, such as {every}, or be 'any', got {names!r}")
        return found

    def _n_references(self, task: Task) -> int:
        if self.reference == "any" or self.reference is None:
            return task.n_asked
        return 1 if isinstance(self.reference, str) else len(self.reference)

    def _share(self, task: Task, candidate: Candidate) -> float:
        """The share of δ that a candidate has."""
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
        if task.groups is not None:
            raise CannotAnswer(
                f"{self.name} counts independent rows, and rows of one group (or copies of a row with several labels) "
                f"are not: give one row per group and one label per row, or choose by k_fold"
            )
        contents.refuse_labeled_rows_as_pool(task, self.name)

    def _check_shares(self, task: Task) -> None:
        assert self.shares is not None
        given: Collection[Any] = self.shares.values() if isinstance(self.shares, Mapping) else self.shares
        fits = len(self.shares) == task.n_asked
        if isinstance(self.shares, Mapping):
            fits = all(c.name in self.shares for c in task.candidates)
            if len({c.name for c in task.candidates}) < len(task.candidates):  # each would spend the share of its name
                raise BadInput("candidates have equal names: give shares as a sequence, one for each candidate")
        positive = all(isinstance(share, Real) and float(share) > 0 for share in given)
        if not fits or not positive or sum(given) > 1 + 1e-9:
            raise BadInput(
                f"shares must hold a positive number for each of the {task.n_asked} candidates, at most 1 together, "
                f"got {reprlib.repr(self.shares)}"
            )


def _sum(bound: tuple[Candidate, Term, Term]) -> float:
    return bound[1].upper + bound[2].upper
