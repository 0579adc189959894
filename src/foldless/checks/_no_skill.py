"""FL027: no cheap model is shown to be better than always saying the most frequent class; of a search, its choice."""

import numpy as np

from foldless.accuracy import paired_difference
from foldless.checks._check import Diagnosis, check
from foldless.checks._checked_data import CheckedData
from foldless.checks._wording import held_out, of_classes
from foldless.results.finding import Finding
from foldless.results.findings import share

REMEDY = "label more rows, or look for columns that say more"
UNTOLD = "it is about the number itself"


@check("FL027", "a model that is not above a constant prediction", kind="tip", fast=False)
def no_skill(data: CheckedData) -> list[Diagnosis]:
    """Whether the interval of the difference to a constant prediction includes 0."""
    codes = of_classes(data)
    chosen = None if data.selection is None else data.selection.estimate
    if chosen is not None and data.selection is not None and data.selection.baseline is not None:
        baseline = data.selection.baseline
        if chosen.quantity != "accuracy" or chosen.lower > baseline.share:
            return []
        numbers = f"{share(chosen.value)} against {share(baseline.share)}"
        problem = f"the chosen model is not shown to be better than {baseline.name}: {numbers}"
        return [Diagnosis(Finding("FL027", problem, remedy=REMEDY), untold=UNTOLD)]
    answers = held_out(data)
    most = int(np.bincount(codes).argmax())
    constant = (answers.codes == most).astype(float)
    ahead = paired_difference(answers.right, constant, answers.units)
    if ahead is None or ahead.lower > 0:
        return []
    problem = (
        f"no cheap model is shown to be better than always saying {data.classes[most]!r}: {answers.model} has "
        f"accuracy {share(float(answers.right.mean()))}, that has {share(float(constant.mean()))} "
        f"(95 % interval of the difference {share(ahead.lower)} to {share(ahead.upper)})"
    )
    return [Diagnosis(Finding("FL027", problem, remedy=REMEDY), untold=UNTOLD)]
