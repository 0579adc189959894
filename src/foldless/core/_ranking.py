"""How choices are ranked: the best first, ties by the criterion's rule."""

from collections.abc import Sequence

import numpy as np

from foldless.core.choice import Choice
from foldless.core.criterion import Criterion


def ranked(criterion: Criterion, choices: Sequence[Choice]) -> list[Choice]:
    """Best first; equal scores by the criterion's rule; a score that is not a number goes last.

    Degenerate candidates are below all others that have a score.
    """
    sign = 1 if criterion.better == "higher" else -1
    numbers = [choice for choice in choices if not np.isnan(choice.score)]
    in_order: list[Choice] = []
    for tied in _ties(
        sorted(numbers, key=lambda choice: (choice.degenerate, -sign * _key(choice))), criterion.traits.tolerance
    ):
        in_order += criterion.order_ties(sorted(tied, key=lambda choice: choice.candidate.index))
    return in_order + [choice for choice in choices if np.isnan(choice.score)]


def ranks_of(criterion: Criterion, ranking: Sequence[Choice]) -> dict[Choice, int]:
    """The rank of each choice of a ranking, 1 for the best; ties have the rank of their first."""
    ranks: dict[Choice, int] = {}
    for tied in _ties(list(ranking), criterion.traits.tolerance):
        first = len(ranks) + 1
        ranks |= dict.fromkeys(tied, first)
    return ranks


def _ties(choices: list[Choice], tolerance: float) -> list[list[Choice]]:
    """Sorted choices, cut into runs whose scores equal the first of the run within the tolerance."""
    runs: list[list[Choice]] = []
    for choice in choices:
        alike = runs and choice.degenerate == runs[-1][0].degenerate
        if alike and _equal(_key(choice), _key(runs[-1][0]), tolerance):
            runs[-1].append(choice)
        else:
            runs.append([choice])
    return runs


def _key(choice: Choice) -> float:
    """The number that ranks a choice; one without a score has no other either."""
    return choice.score if choice.rank.by is None or np.isnan(choice.score) else choice.rank.by


def _equal(score: float, other: float, tolerance: float) -> bool:
    """Whether two scores are ties, relative to scores above 1; infinities and what is not a number equal their like."""
    if np.isfinite(score) and np.isfinite(other):
        return abs(score - other) <= tolerance * max(1.0, abs(score), abs(other))
    return score == other or bool(np.isnan(score) and np.isnan(other))
