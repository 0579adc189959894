"""FL001: classes with fewer than five labeled rows, so that some of five folds have none of them."""

import numpy as np

from foldless.checks._check import Diagnosis, check
from foldless.checks._checked_data import CheckedData
from foldless.checks._wording import listed, of_classes
from foldless.results.finding import Finding

FEWEST = 5  # the folds of an estimate


@check("FL001", "classes with fewer than five labeled rows", kind="tip")
def rare_classes(data: CheckedData) -> list[Diagnosis]:
    codes = of_classes(data)
    counts = np.bincount(codes, minlength=len(data.classes))
    rare = [(name, int(count)) for name, count in zip(data.classes, counts, strict=True) if count < FEWEST]
    if not rare:
        return []
    named = listed([f"{name!r} ({count})" for name, count in rare])
    subject = f"classes {named} have" if len(rare) > 1 else f"class {named} has"
    problem = f"{subject} fewer than five labeled rows"
    rows = data.numbers(np.flatnonzero(counts[codes] < FEWEST))
    remedy = "label more rows of these classes" if len(rare) > 1 else "label more rows of this class"
    return [Diagnosis(Finding("FL001", problem, rows=rows, remedy=remedy), untold="too few rows to measure by")]
