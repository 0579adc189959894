"""CQReward: balanced accuracy over 1 + D², which is 2 − NSS.

References
----------
Kar et al. (2016). Section 3.1, Table 2.
"""

from dataclasses import dataclass
from typing import Any

from foldless.measures.balanced_accuracy import mean_rate
from foldless.measures.measure import Triple
from foldless.measures.nss import squared_score
from foldless.measures.pseudo_concave import PseudoConcave
from foldless.saving._names import saved
from foldless.solvers.online._duals import Factors


def squared_error(P: Any, N: Any, p: Any, e: Any, a: Any) -> Triple:
    """1 + D²."""
    value, by_P, by_N = squared_score(P, N, p, e, a)
    return 2 - value, -by_P, -by_N


@saved("foldless.measures")
@dataclass(frozen=True)
class CQReward(PseudoConcave):
    """Balanced accuracy over 2 − NSS.

    Examples
    --------
    >>> from foldless.measures import CQReward
    >>> print(round(CQReward().value(0.5, 1.0, 0.4), 4))
    0.7212
    """

    top = mean_rate
    bottom = squared_error

    def factors(self, level: float) -> Factors:
        return Factors(P=0.5, N=0.5, nss=level)
