"""CQB: |FP² − FN²| = |FP − FN| (FP + FN), the error of counting times the error of classifying; smaller is better.

It is neither concave nor convex in the rates, and is for evaluation, not for learning: its value is negated, and counts
are shares of the rows.

References
----------
Milli et al. (2013). Quantification trees. ICDM.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from foldless.measures.measure import Measure, Triple
from foldless.saving._names import saved


@saved("foldless.measures")
@dataclass(frozen=True)
class CQB(Measure):
    """−|FP² − FN²|, in shares of the rows.

    Examples
    --------
    >>> from foldless.measures import CQB
    >>> print(round(CQB().value(0.5, 1.0, 0.4), 4))
    -0.04
    """

    kind: ClassVar[str] = "neither"

    def pieces(self, P: Any, N: Any, p: Any, e: Any) -> Triple:
        fn, fp = p * (1 - P), (1 - p) * (1 - N)
        side = np.sign(fp * fp - fn * fn)
        return -side * (fp * fp - fn * fn), -side * 2 * p * fn, side * 2 * (1 - p) * fp
