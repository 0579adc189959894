"""Rank by the sum of the ranks of several criteria.

The best candidate of a criterion has rank 1. Ties have the mean of their ranks; scores that are not a number share the
last ranks.

SDS+ADA of Quanz & Huan is ``RankSum(SimilarData(answers="probabilities"), ADA())``, on the command line
``similar-data:answers=probabilities+ada``. The name ``similar_data+ada`` is their SDS-L+ADA, which draws from predicted
labels.

References
----------
Quanz & Huan (2012). Section 4.3. Sums of ranks go back to Borda (1781).
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from foldless.core import Candidate, Choice, Criterion, Evaluation, Task, Traits, ranked, ranks_of, together
from foldless.core._joined_criteria import JoinedCriteria
from foldless.criteria import register


@register("rank_sum", joined_by="+")
@dataclass(frozen=True, init=False, repr=False)
class RankSum(JoinedCriteria):
    """Rank by the sum of ranks.

    Parameters
    ----------
    *criteria : Criterion
        At least two. They run together, so that fits they share are trained once; the model is that of the first.
    """

    sign: ClassVar[str] = "+"
    verb: ClassVar[str] = "adds up"
    example: ClassVar[tuple[str, str]] = ("RankSum(SimilarData(), ADA())", "similar_data+ada")
    better: ClassVar[Literal["higher", "lower"]] = "lower"
    traits: ClassVar[Traits] = Traits(compares=True)
    assumes: ClassVar[tuple[str, ...]] = (
        "a difference of one rank counts the same everywhere: the size of score differences is not used",
        "the assumptions of its criteria",
    )

    @property
    def holds_out(self) -> bool:
        """Whether the first criterion, whose models it offers, holds labels out."""
        return bool(self.criteria) and self.criteria[0].holds_out

    def evaluate(self, task: Task) -> Evaluation:
        self.check_two()
        results = yield from together(task, self.criteria)
        ranks = [average_ranks(c, choices) for c, choices in zip(self.criteria, results, strict=True)]
        return [
            replace(
                choice, score=sum(own_ranks), notes=(self._note(own_ranks), *choice.notes), splits=(), certificate=None
            )
            for choice in best_of_each(self.criteria[0], results[0])
            if all(choice.candidate in of for of in ranks)
            for own_ranks in [[of[choice.candidate] for of in ranks]]
        ]

    def _note(self, ranks: list[float]) -> str:
        each = ", ".join(f"{rank:g} by {c.name}" for c, rank in zip(self.criteria, ranks, strict=True))
        return f"rank {each}"


def average_ranks(criterion: Criterion, choices: Sequence[Choice]) -> dict[Candidate, float]:
    """Ranks from 1 for the best; ties have the mean of the ranks they occupy."""
    first = ranks_of(criterion, ranked(criterion, best_of_each(criterion, choices)))
    tied = Counter(first.values())
    return {choice.candidate: rank + (tied[rank] - 1) / 2 for choice, rank in first.items()}


def best_of_each(criterion: Criterion, choices: Sequence[Choice]) -> list[Choice]:
    """One choice per candidate, in their order: the best if a criterion offers several."""
    best = {choice.candidate: choice for choice in reversed(ranked(criterion, choices))}
    return [choice for choice in choices if best[choice.candidate] is choice]
