"""Choose the candidate with the smallest error of estimated class shares, over bags of labeled rows.

Each labeled row is answered by a fit that has not seen it. A quantifier learns from these answers on a half of the
labeled rows, and counts bags of the other half, whose class shares are drawn from all shares there are, or around
those of the labels. The score is the mean absolute error of the shares. A bag needs no fit: thousands cost less than
one.

``method="auto"`` uses `MAP`, which is stable with few labels. Adjusted counts take its place where they are
clearly better and sound: each class has ten labels, and the confusion matrix can be inverted reliably. Bags of few
labels repeat the same rows, and cannot show what a pool of other rows does to an ill-conditioned table.

References
----------
Moreo & Sebastiani (2021). Re-assessing the "classify and count" quantification method. ECIR. (choosing for counting)
Moreo, Esuli & Sebastiani (2021). QuaPy: a Python-based framework for quantification. CIKM.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from foldless.core import Choice, Criterion, Evaluation, Task, Traits
from foldless.core._resampling import check_whole
from foldless.core.task import Fold
from foldless.criteria import OPTIMISTIC, register
from foldless.errors import BadInput, CannotAnswer
from foldless.judging._cross_fit import Counted, counted_answers, stratified_folds
from foldless.quantifiers import Held, Quantifier, ill_conditioned, resolve
from foldless.quantifiers.protocols import half_errors
from foldless.quantifiers.quantifier import codes_of

TRIED = ("map", "pacc", "acc")
OF_LABELS = ("map", "acc")
FEWEST, FEW_LABELS = 4, 10
CLEARLY = 0.9  # of the error of the method that is tried first, below which another is taken


@register("prevalence_error")
@dataclass(frozen=True)
class PrevalenceError(Criterion):
    """Rank by the mean absolute error of class shares.

    Parameters
    ----------
    method : "auto", the name of a quantifier, or a Quantifier
        How to count; "auto" takes map, or pacc or acc where they are clearly better and labels are enough.
    k : int
        The number of folds; each has its part of every class.
    bags : int
        How many bags of each half are counted.
    """

    method: str | Quantifier = "auto"
    k: int = 5
    bags: int = 40

    better: ClassVar[Literal["higher", "lower"]] = "lower"
    # adjusted counts of a coin are noise, which a few bags may like
    traits: ClassVar[Traits] = Traits(doubts_luck=True)
    assumes: ClassVar[tuple[str, ...]] = (
        "labels and the rows to be counted differ in their class shares only (prior shift)",
        OPTIMISTIC,
    )

    def evaluate(self, task: Task) -> Evaluation:
        counted = yield from counted_answers(task, self.folds(task), task.candidates, pool=False)
        return self.choices(task, [self.judge(task, answers) for answers in counted])

    def folds(self, task: Task) -> list[Fold]:
        """The folds, once everything is known to be usable."""
        check_whole("k", self.k, 2)
        check_whole("bags", self.bags)
        if self.method != "auto":
            resolve(self.method)
        if len(task.y) < FEWEST:
            raise CannotAnswer(f"quantification needs at least {FEWEST} labeled rows, got {len(task.y)}")
        return stratified_folds(task, self.k)

    def choices(self, task: Task, judged: Sequence[tuple[float, Quantifier]]) -> list[Choice]:
        """A choice for each candidate, with the way it counts best."""
        return [
            Choice(c, score, (task.full(c),), notes=(f"quantified by {way.name}",))
            for c, (score, way) in zip(task.candidates, judged, strict=True)
        ]

    def judge(self, task: Task, counted: Counted) -> tuple[float, Quantifier]:
        """The error of a candidate, and the quantifier that has it."""
        ways = self.ways(counted)
        held = Held(counted.answers, task.y, task.n_classes)
        errors = half_errors(ways, held, task.rng("bags"), n=self.bags)
        means = errors.mean(axis=1)
        best = int(np.argmin(means))
        gained = errors[0] - errors[best]
        if means[best] > CLEARLY * means[0] or gained.min() < 0 or not well_known(held):
            best = 0
        return float(means[best]), ways[best]

    def ways(self, counted: Counted) -> list[Quantifier]:
        """The quantifiers that are tried on answers like these."""
        soft = counted.answers.ndim == 2
        ways = [resolve(way) for way in (TRIED if soft else OF_LABELS)] if self.method == "auto" else [
            resolve(self.method)
        ]  # fmt: skip
        if not soft and ways[0].response == "probabilities":
            raise BadInput(
                f"{ways[0].name} reads probabilities, and the estimator gives labels only",
                value=ways[0].name, place="method", remedy="use acc or cc, or an estimator with predict_proba",
            )  # fmt: skip
        return ways


def well_known(held: Held) -> bool:
    """Whether labels are enough to invert the table of predictions: ten of each class, and all classes told apart."""
    if held.sizes.min() < FEW_LABELS:
        return False
    return not ill_conditioned(held.table(codes_of(held.answers), held.n_classes), np.random.default_rng(0))
