"""FL028: the model that a search chose is worse than a plain one, beyond what both intervals explain."""

import numpy as np

from foldless.checks._check import Diagnosis, DoesNotApply, check
from foldless.checks._checked_data import CheckedData
from foldless.checks._no_skill import UNTOLD
from foldless.checks._wording import held_out, of_classes
from foldless.results.finding import Finding
from foldless.results.findings import share

SURE = 2.0  # standard errors of the difference


@check("FL028", "a chosen model that is worse than a plain one", kind="tip", fast=False)
def plain_model(data: CheckedData) -> list[Diagnosis]:
    of_classes(data)
    chosen = None if data.selection is None else data.selection.estimate
    if chosen is None or chosen.quantity != "accuracy":
        raise DoesNotApply("no search with an estimate of its accuracy is given")
    answers = held_out(data)
    plain = float(answers.right.mean())
    error = np.hypot((chosen.upper - chosen.lower) / 4, float(answers.right.std()) / np.sqrt(len(answers.right)))
    if plain - chosen.value <= SURE * error:
        return []
    problem = f"a plain {answers.model} has accuracy {share(plain)}, the chosen model {share(chosen.value)}"
    return [Diagnosis(Finding("FL028", problem, remedy="add it to the candidates"), untold=UNTOLD)]
