"""FL007: test rows that are rows of the training data, so that a test measures memory."""

import numpy as np

from foldless.checks._check import Diagnosis, DoesNotApply, check
from foldless.checks._checked_data import CheckedData, Variant
from foldless.checks._coincidence import RARE
from foldless.checks._shared_rows import in_test, of_test


@check("FL007", "test rows among the training rows", kind="issue", level=RARE)
def test_copies(data: CheckedData) -> list[Diagnosis]:
    if data.sample.test is None:
        raise DoesNotApply("there are no test rows")
    mask = in_test(data.sample)
    if mask is None:
        return []
    finding = of_test(mask)
    if mask.all():
        return [Diagnosis(finding, untold="no test row is left without them")]
    return [Diagnosis(finding, Variant(test_rows=np.flatnonzero(mask), words="without them, on the test rows"))]
