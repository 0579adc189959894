"""Rank the choices of several criteria together, by their estimates; ties are broken at random.

``BestOf(KFold(10), Dagging())`` is the meta-selection of Pfahringer et al.: every candidate takes part twice, trained
on the labels with its cross-validated score, and as its dagging ensemble with the score of the ensemble.

References
----------
Pfahringer, Reutemann & Mayo. A novel two stage scheme utilizing the test set for model selection in text
classification. Section 3, question 3.
"""

from dataclasses import dataclass, replace
from typing import ClassVar

from foldless.core import Choice, Evaluation, Task, together
from foldless.core._joined_criteria import JoinedCriteria
from foldless.criteria import register
from foldless.errors import CannotAnswer


@register("best_of", joined_by="|")
@dataclass(frozen=True, init=False, repr=False)
class BestOf(JoinedCriteria):
    """Rank all choices of several criteria by their own estimates.

    Parameters
    ----------
    *criteria : Criterion
        At least two that estimate the same metric: they have the same ``scoring``, such as `KFold` and `Dagging`. They
        run together, so that fits they share are trained once.
    """

    sign: ClassVar[str] = "|"
    verb: ClassVar[str] = "compares"
    example: ClassVar[tuple[str, str]] = ("BestOf(KFold(10), Dagging())", "k_fold|dagging")
    assumes: ClassVar[tuple[str, ...]] = (
        "the estimates of its criteria are comparable: a criterion that is more optimistic wins more often",
        "the assumptions of its criteria",
    )

    def evaluate(self, task: Task) -> Evaluation:
        self._check()
        results = yield from together(task, self.criteria)
        lots = iter(task.rng("best of").permutation(sum(map(len, results))).tolist())
        return [
            replace(
                choice,
                notes=(f"by {criterion.name}", *choice.notes),
                certificate=None,  # the best of several certificates does not hold at their confidence
                rank=choice.rank._replace(lot=float(next(lots))),
            )
            for criterion, choices in zip(self.criteria, results, strict=True)
            for choice in choices
        ]

    def order_ties(self, tied: list[Choice]) -> list[Choice]:
        """In random order, drawn with the seed of the task."""
        return sorted(tied, key=lambda choice: choice.rank.lot)

    def _check(self) -> None:
        self.check_two()
        for certifying in (c for c in self.criteria if c.holds_out):
            raise CannotAnswer(
                f"{certifying!r} holds out labels for a certificate, and the best of several choices has none: "
                f"leave its confidence out"
            )
        # None: the scores of a criterion estimate no metric
        measured = {c.name: None if c.better == "lower" else getattr(c, "scoring", None) for c in self.criteria}
        if None in measured.values() or len(set(measured.values())) > 1:
            got = ", ".join(f"{name}: {metric}" for name, metric in measured.items())
            raise CannotAnswer(
                f"best_of compares estimates of one metric, got {got}: use criteria with the same scoring, such as "
                f"BestOf(KFold(10), Dagging())"
            )
