"""BAKLD: C · BA + (1 − C) · (−KLD), a weighted mean of balanced accuracy and minus the divergence.

References
----------
Kar et al. (2016). Section 3.1, Table 1.
"""

from dataclasses import dataclass
from typing import Any

from foldless.errors import BadInput
from foldless.measures.balanced_accuracy import mean_rate
from foldless.measures.kld import negative_kld
from foldless.measures.measure import Triple
from foldless.measures.nested_concave import Composed
from foldless.saving._names import saved
from foldless.solvers.online._duals import Factors


def weighted_mean(x: Any, y: Any, p: Any, e: Any, a: Any) -> Triple:
    """C x + (1 − C) y; the parameter is C."""
    return a * x + (1 - a) * y, a + 0 * x, 1 - a + 0 * y


@saved("foldless.measures")
@dataclass(frozen=True)
class BAKLD(Composed):
    """A weighted mean of balanced accuracy and minus the Kullback-Leibler divergence.

    Parameters
    ----------
    C : float
        The weight of balanced accuracy, from 0 to 1.
    smoothing : float or None
        Added to every share; None for half a row, 1 / (2 n).

    Examples
    --------
    >>> from foldless.measures import BAKLD
    >>> print(round(BAKLD(C=0.5).value(0.5, 1.0, 0.2), 4))
    0.3528
    """

    C: float = 0.5
    smoothing: float | None = None

    psi = weighted_mean
    zeta1 = mean_rate
    zeta2 = negative_kld

    def factors(self, level: float) -> Factors:
        return Factors(P=self.C / 2, N=self.C / 2, kld=1 - self.C)

    def __post_init__(self) -> None:
        if not 0 <= self.C <= 1:
            raise BadInput(f"C must be between 0 and 1, got {self.C!r}")
        super().__post_init__()

    @property
    def parameter(self) -> float:
        return self.C

    @property
    def linear(self) -> tuple[float, float]:
        return self.C / 2, self.C / 2
