"""Which candidates are statistically tied with the chosen one: paired differences on the rows that fits left out."""

from collections.abc import Mapping, Sequence

from foldless.accuracy import paired_difference
from foldless.core import Array, Candidate, Choice, Task
from foldless.results.difference import Difference

FIRST = 20  # candidates of a ranking that are compared with the first


def differences(ranking: Sequence[Choice], right: Mapping[Candidate, Array], task: Task) -> dict[Candidate, Difference]:
    """The difference of the first-ranked candidates to the chosen one, where both were judged on held-out labels.

    Labels that were drawn with unequal probabilities weigh as they do in the scores of the race.
    """
    best = ranking[0].candidate
    if best not in right or len({fit.candidate for fit in ranking[0].fits}) > 1:  # the average was not asked itself
        return {}
    units = task.units
    others = dict.fromkeys(choice.candidate for choice in ranking if choice.candidate != best)
    compared = {
        c: paired_difference(right[best], right[c], units, weights=task.draws.comparing)
        for c in list(others)[:FIRST]
        if c in right
    }
    return {c: difference for c, difference in compared.items() if difference is not None}
