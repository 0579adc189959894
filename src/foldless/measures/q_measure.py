"""The Q-measure: a weighted harmonic mean of balanced accuracy and NSS.

Q_β = (1 + β²) x y / (β² x + y), with x = (P + N) / 2 and y = 1 − D². With z = y / (β² x + y) its derivatives are
(1 + β²) z² by x and (1 + β²) (1 − z)² / β² by y.

References
----------
Barranquero, Díez and del Coz (2015). Quantification-oriented learning based on reliable classifiers. Pattern
Recognition 48.
Kar et al. (2016). Table 1; the dual of NSS is corrected to 2 D (p, −n).
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from foldless.errors import BadInput
from foldless.measures.balanced_accuracy import mean_rate
from foldless.measures.measure import Triple
from foldless.measures.nested_concave import Composed
from foldless.measures.nss import squared_score
from foldless.saving._names import saved
from foldless.solvers.online._duals import LEAST, Factors


def harmonic_mean(x: Any, y: Any, p: Any, e: Any, a: Any) -> Triple:
    """The weighted harmonic mean; the parameter is β."""
    x, y = np.maximum(x, LEAST), np.maximum(y, LEAST)
    z = y / (a * a * x + y)
    return (1 + a * a) * x * z, (1 + a * a) * z * z, (1 + a * a) * (1 - z) * (1 - z) / (a * a)


@saved("foldless.measures")
@dataclass(frozen=True)
class QMeasure(Composed):
    """The harmonic mean of balanced accuracy and NSS.

    Parameters
    ----------
    beta : float
        How much more NSS counts than balanced accuracy.

    Examples
    --------
    >>> from foldless.measures import QMeasure
    >>> print(round(QMeasure().value(0.6, 0.9, 0.2), 4))
    0.8571
    """

    beta: float = 1.0

    psi = harmonic_mean
    zeta1 = mean_rate
    zeta2 = squared_score

    def factors(self, level: float) -> Factors:
        return Factors(P=0.5, N=0.5, nss=1, beta=self.beta)

    def __post_init__(self) -> None:
        if not 0 < self.beta < np.inf:
            raise BadInput(f"beta must be above 0 and finite, got {self.beta!r}")

    @property
    def parameter(self) -> float:
        return self.beta
