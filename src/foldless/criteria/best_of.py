"""Put the choices of several criteria side by side and take the best estimate, whoever made it; ties are drawn.

``BestOf(KFold(10), Dagging())`` is the meta-selection of Pfahringer et al.: every candidate stands there twice, trained
on the labels with its cross-validated score, and as the ensemble that it taught with the score of that.

References
----------
Pfahringer, Reutemann & Mayo. A novel two stage scheme utilizing the test set for model selection in text
classification. Section 3, question 3.
"""

from dataclasses import dataclass, replace
from typing import Any, ClassVar

from foldless.core import Choice, Criterion, Evaluation, Task, together
from foldless.errors import BadInput, CannotAnswer


@dataclass(frozen=True, init=False)
class BestOf(Criterion):
    """Rank all choices of several criteria by their own estimates.

    Parameters
    ----------
    *criteria : Criterion
        At least two that estimate the same: they have the same ``scoring``, such as `KFold` and `Dagging`. They run
        together, so what they share is trained once.
    """

    criteria: tuple[Criterion, ...] = ()

    joined_by: ClassVar[str] = "|"
    assumes: ClassVar[tuple[str, ...]] = (
        "the estimates of its criteria can be compared: one that is more optimistic than the others wins more often",
        "what its criteria assume",
    )

    def __init__(self, *criteria: Criterion):
        for criterion in criteria:
            if not isinstance(criterion, Criterion):
                raise BadInput(f"best_of compares criteria, such as BestOf(KFold(10), Dagging()), got {criterion!r}")
        object.__setattr__(self, "criteria", criteria)
        own = BestOf.assumes[:1] if criteria else BestOf.assumes
        object.__setattr__(self, "assumes", (*own, *dict.fromkeys(s for c in criteria for s in c.assumes)))
        object.__setattr__(self, "needs", frozenset().union(*(c.needs for c in criteria)))
        object.__setattr__(self, "trains_on_pool", any(c.trains_on_pool for c in criteria))

    def __repr__(self) -> str:
        return f"BestOf({', '.join(map(repr, self.criteria))})"

    @property
    def name(self) -> str:
        """The names of its criteria with a bar between them, as `resolve` reads it."""
        return self.joined_by.join(criterion.name for criterion in self.criteria) or "best_of"

    def evaluate(self, task: Task) -> Evaluation:
        self._check()
        results = yield from together(task, self.criteria)
        lots = iter(task.rng("best of").permutation(sum(map(len, results))).tolist())
        return [
            # the best of several certificates does not hold at their confidence
            replace(choice, notes=(f"by {criterion.name}", *choice.notes), certificate=None, lot=float(next(lots)))
            for criterion, choices in zip(self.criteria, results, strict=True)
            for choice in choices
        ]

    def order_ties(self, tied: list[Choice]) -> list[Choice]:
        """As the lots fell."""
        return sorted(tied, key=lambda choice: choice.lot)

    def _check(self) -> None:
        if len(self.criteria) < 2:
            raise CannotAnswer(
                f"best_of needs at least two criteria, got {len(self.criteria)}: BestOf(KFold(10), Dagging()), or the "
                f"name 'k_fold|dagging'"
            )
        for certifying in (c for c in self.criteria if c.holds_out):
            raise CannotAnswer(
                f"{certifying!r} trains on fewer labels so that it can certify, and the best of several choices has no "
                f"certificate: leave its confidence out"
            )
        measured = {c.name: _measured(c) for c in self.criteria}
        if None in measured.values() or len(set(measured.values())) > 1:
            told = ", ".join(f"{name}: {what}" for name, what in measured.items())
            raise CannotAnswer(
                f"best_of compares estimates of one quantity, got {told}: take criteria with the same scoring, such as "
                f"BestOf(KFold(10), Dagging())"
            )


def _measured(criterion: Criterion) -> Any:
    """What the scores of a criterion estimate, None where they are not estimates of a metric."""
    scoring = getattr(criterion, "scoring", None)
    return None if scoring is None or criterion.better == "lower" else scoring
