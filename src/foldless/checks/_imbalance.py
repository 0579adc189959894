"""FL003: a class so rare that accuracy hardly shows whether a model knows it.

A class counts as rare if its share is below a tenth of 1 / K with confidence .95, for K classes (the upper end of
Clopper and Pearson's interval): with 60 labels no share is known well enough to say so of 5 rows.
"""

import numpy as np
from scipy import stats

from foldless.checks._check import Diagnosis, check
from foldless.checks._checked_data import CheckedData
from foldless.checks._wording import of_classes
from foldless.results.finding import Finding
from foldless.results.findings import share

RARE = 0.1  # of the share that the class would have if all were equally frequent
CONFIDENCE = 0.95


@check("FL003", "a class that accuracy hardly shows", kind="tip")
def imbalance(data: CheckedData) -> list[Diagnosis]:
    codes = of_classes(data)
    counts = np.bincount(codes, minlength=len(data.classes))
    n, rarest, most = len(codes), int(counts.argmin()), int(counts.argmax())
    upper = float(stats.beta.ppf(CONFIDENCE, counts[rarest] + 1, n - counts[rarest]))
    if upper >= RARE / len(counts):
        return []
    problem = (
        f"class {data.classes[rarest]!r} has {counts[rarest]:,} of {n:,} labels: always saying {data.classes[most]!r} "
        f"has accuracy {share(counts[most] / n)}"
    )
    rows = data.numbers(np.flatnonzero(codes == rarest))
    finding = Finding("FL003", problem, rows=rows, remedy="choose by balanced accuracy")
    return [Diagnosis(finding, untold="it is about which number to look at")]
