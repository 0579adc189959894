"""The candidates that may still win, and how much each counts: exp(−behind / chance). Of an average, its members.

How far a candidate is behind the leader, and how far chance alone would put it there, come from the race of ``auto``;
for other criteria from the differences on held-out labels. Where neither is known, the first ranks count alike.
"""

import numpy as np

from foldless.core import Candidate, Choice
from foldless.results.selection import Selection

MAX_LEADERS = 5  # candidates that are asked
MIN_WEIGHT = 0.05  # below which a candidate is left out
STANDARD_ERRORS = 2.0  # in half of a 95 % interval, about


def leaders(selection: Selection, max_leaders: int = MAX_LEADERS) -> dict[Candidate, float]:
    """The chosen candidate and those close to it, the best first, or the heaviest members of an average.

    Their weights add up to 1.
    """
    if is_average(selection):
        weights = dict(list(selection.members.items())[:max_leaders])
    else:
        weights = {selection.best.candidate: 1.0}
        for choice in selection.ranking:
            if choice.candidate in weights or choice.degenerate or np.isnan(choice.score):
                continue
            weight = _weight(selection, choice)
            if weight >= MIN_WEIGHT and len(weights) < max_leaders:
                weights[choice.candidate] = weight
    total = sum(weights.values())
    return {candidate: weight / total for candidate, weight in weights.items()}


def is_average(selection: Selection) -> bool:
    """Whether the model is an average and no race is open; a race says who may still win."""
    return len(selection.members) > 1 and "chance" not in selection.best.parts


def _weight(selection: Selection, choice: Choice) -> float:
    parts = choice.parts
    if "behind" in parts and "chance" in parts:
        if parts["resamples"] < selection.best.parts.get("resamples", 0.0):
            return 0.0  # it left the race, or labels the pool like one that did not
        return float(np.exp(-parts["behind"] / max(parts["chance"], 1e-12)))
    if (difference := selection.differences.get(choice.candidate)) is not None:
        chance = (difference.upper - difference.lower) / 2 / STANDARD_ERRORS
        return float(np.exp(-max(0.0, difference.value) / max(chance, 1e-12)))
    return 1.0 if not selection.differences else 0.0
