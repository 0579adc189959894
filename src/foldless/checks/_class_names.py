"""FL002: classes whose names differ by case, spaces and Unicode form only, as "stays" and "STAYS "."""

import numpy as np

from foldless.checks._check import Diagnosis, check
from foldless.checks._checked_data import CheckedData, Variant
from foldless.checks._wording import of_classes
from foldless.core import Array
from foldless.data._label_spelling import near_equal, one_spelling, spelling_findings
from foldless.errors import SetArgument


@check("FL002", "classes whose names differ by case and spaces only", kind="tip")
def class_names(data: CheckedData) -> list[Diagnosis]:
    codes, classes = of_classes(data), data.classes
    counts = dict(zip(classes, np.bincount(codes, minlength=len(classes)).tolist(), strict=True))
    alike = near_equal(counts)
    if not alike:
        return []
    merged = merged_codes(data)
    variant = Variant(codes=merged, words="as one class") if merged.max() else None
    remedy = SetArgument("merge_labels", True, "take them as one class")
    return [Diagnosis(finding, variant) for finding in spelling_findings(alike, None, remedy=remedy)]


def merged_codes(data: CheckedData) -> Array:
    """The class codes with such classes as one."""
    codes, classes = of_classes(data), data.classes
    names = one_spelling([classes[code] for code in codes])
    return np.unique([str(names.get(classes[code], classes[code])) for code in codes], return_inverse=True)[1]
