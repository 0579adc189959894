"""Choose the candidate whose predicted class shares allow the highest accuracy: Σ_y min(p̂_y, q_y).

Every candidate is trained once, on all labels, and predicts the pool. If it predicts class y for a share q_y of the
pool and a share p̂_y of the labels is y, its accuracy is at most Σ min(p̂_y, q_y). There are no folds and no refit.

The number is an *upper* bound. It ranks candidates that differ in how strongly they are regularized, and does not see
errors that keep the class shares right: it is never a guarantee of quality.

Decisions where the paper errs or is silent: the grid {1e-4..1e3} is C and {1e-3..1e4} is λ = 1/C; by default the error
of PCC is its largest deviation from the count; ``eps_rule="printed"`` is the literal step 5, which bounds no deviation,
and with many classes PCC then falls back to counting unless ``fallback="never"``; equal scores go to the smallest C.

References
----------
Balikas et al. (2015). Efficient model selection for regularized classification by exploiting unlabeled data. IDA.
Algorithm 1 and Theorem 1.
"""

from collections.abc import Generator
from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

import numpy as np

from foldless.bounds import _quantification as quantification
from foldless.bounds._quantification import Measure
from foldless.core import Array, Ask, Candidate, Choice, Criterion, Evaluation, Rank, Rows, Task
from foldless.core._resampling import check_share
from foldless.criteria import register
from foldless.errors import BadInput, CannotAnswer
from foldless.judging._cross_fit import counted_answers, stratified_folds
from foldless.judging._pool_sums import PredictedShares
from foldless.quantifiers import ACC, EM, Held, MeanProbabilities, SigmoidShares, classify_and_count
from foldless.quantifiers.quantifier import PRIOR_SHIFT

INDEPENDENT = (
    "labeled and pool rows are independent draws from one population, or copies of such draws",
    "every class of the population occurs in the labels",
)
FOLDS = 5
STRONGER = "C"  # the parameter whose smaller value regularizes more


@register("quantification_bound", place=2)
@dataclass(frozen=True)
class QuantificationBound(Criterion):
    """Rank by the highest value of a measure that the predicted class shares of the pool allow.

    The other parameters reproduce variants of the paper.

    Parameters
    ----------
    measure : "accuracy", "macro_precision", "macro_recall" or "macro_f1"
    quantifier : "cc" or "pcc"
        Count the predicted labels, or add up probabilities (scores pass through a sigmoid).
    form : "printed" or "valid"
        The paper's expression, or the corrected confidence bound at level 1 − delta (which always counts).
    delta : float
        1 − confidence of the valid form.
    against : "labels" or "pool"
        The class shares that predicted ones are compared with: those of the labels, or those that the pool is
        estimated to have, by EM on five fold fits of one candidate. The second is for pools whose class shares differ.

    Other Parameters
    ----------------
    eps_rule : "max_dev" or "printed"
        How the error of PCC is measured, and with it when PCC falls back to CC.
    fallback : "cc" or "never"
        Whether PCC may fall back at all.
    sigmas : tuple of float
        Slopes of the sigmoid; for each candidate the one with the smallest error on the pool is used.
    normalize : bool
        Whether the sigmoid outputs of a row are divided by their sum.
    """

    measure: Measure = "accuracy"
    quantifier: Literal["cc", "pcc"] = "cc"
    form: Literal["printed", "valid"] = "printed"
    eps_rule: Literal["max_dev", "printed"] = "max_dev"
    fallback: Literal["cc", "never"] = "cc"
    sigmas: tuple[float, ...] = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
    normalize: bool = True
    delta: float = 0.05
    against: Literal["labels", "pool"] = "labels"

    assumes: ClassVar[tuple[str, ...]] = (
        "labels and pool are drawn from the same population",
        "the score is an upper bound on the measure: it ranks candidates and does not guarantee quality",
        "errors that keep the class shares right are not seen",
    )

    def __post_init__(self) -> None:
        if self.form == "valid":
            object.__setattr__(self, "assumes", (*INDEPENDENT, *QuantificationBound.assumes[1:]))
        elif self.against == "pool":
            object.__setattr__(self, "assumes", (PRIOR_SHIFT, *QuantificationBound.assumes[1:]))

    def evaluate(self, task: Task) -> Evaluation:
        self._check()
        if self.form == "valid" and task.named_groups is not None:
            raise CannotAnswer(
                "the valid form counts independent rows, and rows of one group (or copies of a row with several "
                "labels) are not: pass one row per group and one label per row, or use form='printed'"
            )
        pool = task.pool.every if len(task.pool.every) else task.labeled
        counted = PredictedShares(task.n_classes) if task.pool.stored else None
        probabilistic = self.quantifier == "pcc" and self.form == "printed"
        asks = [Ask(task.full(c), pool, reduce=counted) for c in task.candidates]
        if probabilistic:
            asks += [self._ask_shares(task, c, pool) for c in task.candidates]
        answers = yield asks
        n, prior = len(task.candidates), task.class_shares()
        if self.against == "pool" and len(task.unlabeled):
            prior = yield from self._pool_shares(task)
        return [
            self._choice(task, c, prior, labels if counted else classify_and_count(labels, task.n_classes), soft)
            for c, labels, soft in zip(
                task.candidates, answers[:n], answers[n:] if probabilistic else [None] * n, strict=True
            )
        ]

    def _pool_shares(self, task: Task) -> Generator[list[Ask], list[Array], Array]:
        """The shares that the pool is estimated to have, by a candidate in the middle of the others."""
        middle = task.candidates[len(task.candidates) // 2]
        (counted,) = yield from counted_answers(task, stratified_folds(task, FOLDS), [middle], pool=True)
        assert counted.pool is not None
        way = EM() if counted.answers.ndim == 2 else ACC()
        return way.learn(Held(counted.answers, task.y, task.n_classes)).aggregate(counted.pool)

    def order_ties(self, tied: list[Choice]) -> list[Choice]:
        """The stronger regularization first, among candidates that differ in C only."""
        families: dict[str, int] = {}
        for choice in tied:
            families.setdefault(_family(choice.candidate), len(families))
        return sorted(tied, key=lambda choice: (families[_family(choice.candidate)], _strength(choice.candidate)))

    def _choice(self, task: Task, candidate: Candidate, prior: Array, counted: Array, soft: Array | None) -> Choice:
        shares, eps, notes = counted, 0.0, []
        if soft is not None:
            shares, eps, note = self._trusted(prior, counted, np.atleast_2d(soft))
            notes.append(note)
        rank_by = None
        if self.form == "valid":
            rank_by, about = self._valid(task, prior, counted)
            score, notes = min(1.0, rank_by), [*notes, *about]
        else:
            score = quantification.printed(self.measure, prior, shares, eps)
        if not len(task.unlabeled):
            notes.append("no pool: class shares are those predicted for the training rows")
        if missing := int((counted == 0).sum()):
            notes.append(f"predicts {task.n_classes - missing} of {task.n_classes} classes")
        return Choice(candidate, score, (task.full(candidate),), notes=tuple(notes), rank=Rank(rank_by))

    def _valid(self, task: Task, prior: Array, counted: Array) -> tuple[float, list[str]]:
        """The valid bound before it is limited to 1, and notes about it."""
        contents, n, m = task.pool.contents(), len(task.labeled), len(task.unlabeled)
        distinct = _effective(contents.labeled, n), _effective(contents.pool, m)
        if task.pool.stored is not None and contents.pool is None:  # copies are looked for in the sample
            m = len(task.pool.stored)
            distinct = distinct[0], float(m)
        bound = quantification.valid(self.measure, prior, counted, *distinct, self.delta)
        notes = ["the bound is not below 1, so it is vacuous"] if bound >= 1 else []
        if distinct != (n, m):
            draws = " and ".join(f"{number:,.1f}" for number in distinct)
            notes.append(f"with their copies, {n:,} labels and {m:,} pool rows count as {draws} draws")
        return bound, notes

    def _trusted(self, prior: Array, counted: Array, soft: Array) -> tuple[Array, float, str]:
        """The PCC shares with the smallest error and that error, or the counted shares if it is too large."""
        deviations = np.abs(soft - counted)
        at = min(range(len(soft)), key=lambda at: (deviations[at].max(), self.sigmas[at]))
        shares, deviation = soft[at], deviations[at]
        slope = f", sigma {self.sigmas[at]:g}" if len(soft) > 1 else ""
        if self.eps_rule == "printed":
            eps = float(np.max(np.minimum(prior, shares) - deviation))
            trusted = eps >= 0
        else:
            eps = float(deviation.max())
            trusted = eps < np.minimum(prior, shares).min()
        if trusted or self.fallback == "never":
            return shares, max(eps, 0.0), f"PCC{slope}, eps {eps:.3g}"
        return counted, 0.0, f"PCC fell back to CC{slope}, eps {eps:.3g}"

    def _ask_shares(self, task: Task, candidate: Candidate, pool: Rows) -> Ask:
        response = candidate.respond("probabilities", "scores")
        if response is None:
            raise CannotAnswer(
                f"quantifier 'pcc' needs probabilities or scores, which candidate {candidate.name!r} does not give: "
                f"use quantifier='cc'"
            )
        reduce = (
            MeanProbabilities() if response == "probabilities" else SigmoidShares(tuple(self.sigmas), self.normalize)
        )
        return Ask(task.full(candidate), pool, response, reduce)

    def _check(self) -> None:
        options = {
            "measure": get_args(Measure),
            "quantifier": ("cc", "pcc"),
            "form": ("printed", "valid"),
            "eps_rule": ("max_dev", "printed"),
            "fallback": ("cc", "never"),
            "against": ("labels", "pool"),
        }
        for name, allowed in options.items():
            if (value := getattr(self, name)) not in allowed:
                raise BadInput(f"{name} must be one of {', '.join(map(repr, allowed))}, got {value!r}")
        check_share("delta", self.delta)
        if self.form == "valid" and self.against == "pool":
            raise BadInput("the valid form compares with the labels: use against='labels', or form='printed'")
        if not self.sigmas or min(self.sigmas) <= 0:
            raise BadInput(f"sigmas must be positive numbers, got {self.sigmas!r}")


def _effective(contents: Array | None, n: int) -> float:
    """How many independent draws n rows are worth if rows of equal content are copies: n² / Σ (copies)²."""
    if contents is None:
        return n
    _, copies = np.unique(contents, return_counts=True)
    return float(n**2 / np.sum(copies.astype(float) ** 2))


def _family(candidate: Candidate) -> str:
    """The parameters of a candidate without C."""
    return repr({name: value for name, value in candidate.params.items() if name.split("__")[-1] != STRONGER})


def _strength(candidate: Candidate) -> float:
    """The C of a candidate; values that are not finite numbers come last."""
    strengths = [value for name, value in candidate.params.items() if name.split("__")[-1] == STRONGER]
    try:
        return float(strengths[0]) if strengths else 0.0
    except (TypeError, ValueError, OverflowError):
        return np.inf
