"""BKReward: balanced accuracy over 1 + KLD.

References
----------
Kar et al. (2016). Section 3.1; in Table 2 the 1 is missing, without which the bottom could be zero.
"""

from dataclasses import dataclass
from typing import Any

from foldless.measures.balanced_accuracy import mean_rate
from foldless.measures.kld import negative_kld
from foldless.measures.measure import Triple
from foldless.measures.pseudo_concave import PseudoConcave
from foldless.saving._names import saved
from foldless.solvers.online._duals import Factors


def divergence(P: Any, N: Any, p: Any, e: Any, a: Any) -> Triple:
    """1 + KLD."""
    value, by_P, by_N = negative_kld(P, N, p, e, a)
    return 1 - value, -by_P, -by_N


@saved("foldless.measures")
@dataclass(frozen=True)
class BKReward(PseudoConcave):
    """Balanced accuracy over 1 plus the Kullback-Leibler divergence.

    Parameters
    ----------
    smoothing : float or None
        Added to every share; None for half a row, 1 / (2 n).

    Examples
    --------
    >>> from foldless.measures import BKReward
    >>> print(round(BKReward().value(0.5, 1.0, 0.2), 4))
    0.7181
    """

    smoothing: float | None = None

    top = mean_rate
    bottom = divergence

    def factors(self, level: float) -> Factors:
        return Factors(P=0.5, N=0.5, kld=level)
