"""FL026: the best of a grid is at its edge, so that a value beyond may be better."""

import operator
from collections.abc import Mapping
from typing import Any

from foldless.checks._check import Diagnosis, DoesNotApply, check
from foldless.checks._checked_data import CheckedData
from foldless.checks._no_skill import UNTOLD
from foldless.results import Selection
from foldless.results.finding import Finding

FEWEST = 3  # values that make an edge


@check("FL026", "a grid whose best value is at its edge", kind="tip")
def grid_edges(data: CheckedData) -> list[Diagnosis]:
    if data.selection is None:
        raise DoesNotApply("no search is given")
    return [Diagnosis(finding, untold=UNTOLD) for finding in edges(data.selection)]


def edges(selection: Selection) -> list[Finding]:
    """A finding for each parameter of the chosen candidate at an edge, where the next value inside is not as good."""
    params = selection.best.candidate.params
    model = params.get("estimator")
    same_model = [choice for choice in selection.ranking if choice.candidate.params.get("estimator") == model]
    findings = []
    for name, value in params.items():
        if not _is_number(value):
            continue
        along = {
            choice.candidate.params[name]: choice.score
            for choice in same_model
            if _is_number(choice.candidate.params.get(name))
            and _others(choice.candidate.params, name) == _others(params, name)
        }
        values = sorted(along)
        if len(values) < FEWEST or value not in (values[0], values[-1]):
            continue
        inside = values[1] if value == values[0] else values[-2]
        better = operator.gt if selection.criterion.better == "higher" else operator.lt
        if better(along[value], along[inside]):
            which, way = ("smallest", "smaller") if value == values[0] else ("largest", "larger")
            short = name.rpartition("__")[2]
            problem = f"the best {short} is {value:g}, the {which} of its grid"
            findings.append(Finding("FL026", problem, remedy=f"try {way} values of {short}"))
    return findings


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _others(params: Mapping[str, Any], name: str) -> list[tuple[str, str]]:
    return sorted((key, repr(value)) for key, value in params.items() if key != name)
