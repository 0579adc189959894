"""FL007: test rows that are rows of the training data, so that a test measures memory."""

import numpy as np

from foldless.checks._check import Diagnosis, DoesNotApply, check
from foldless.checks._checked_data import CheckedData, Variant
from foldless.checks._coincidence import RARE
from foldless.checks._shared_rows import IN_TEST, TAKE_OUT, in_test
from foldless.results.finding import Finding


@check("FL007", "test rows among the training rows", kind="issue", level=RARE)
def test_copies(data: CheckedData) -> list[Diagnosis]:
    if data.sample.test is None:
        raise DoesNotApply("there are no test rows")
    mask = in_test(data.sample)
    if mask is None:
        return []
    problem = IN_TEST.format(n=int(mask.sum()), rows=len(mask))
    rows = np.flatnonzero(mask)
    finding = Finding("FL007", problem, rows=rows, remedy=TAKE_OUT)
    if mask.all():
        return [Diagnosis(finding, untold="no test row is left without them")]
    return [Diagnosis(finding, Variant(test_rows=rows, words="without them, on the test rows"))]
