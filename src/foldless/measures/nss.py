"""The normalized squared score: 1 − (D / c)², with D the true share minus the predicted one.

c = 1, or c = max(p, n), the largest that |D| can be.

References
----------
Barranquero, Díez and del Coz (2015). Quantification-oriented learning based on reliable classifiers. Pattern
Recognition 48.
Kar et al. (2016). c = 1 in Table 1, c = max(p, n) in Section 3.1.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numba.extending import register_jitable

from foldless.measures.balanced_accuracy import first
from foldless.measures.measure import Triple
from foldless.measures.nested_concave import Composed
from foldless.saving._names import saved
from foldless.solvers.online._duals import Factors
from foldless.solvers.online._stream_state import at_address


@register_jitable
def squared_score(P: Any, N: Any, p: Any, e: Any, a: Any) -> Triple:
    """1 − D²."""
    n = 1 - p
    D = p * (1 - P) - n * (1 - N)
    return 1 - D * D, 2 * p * D, -2 * n * D


@register_jitable
def normalized_score(P: Any, N: Any, p: Any, e: Any, a: Any) -> Triple:
    """1 − (D / c)² with c = 1 where the parameter is zero, and max(p, n) where it is one."""
    c = 1 + a * (np.maximum(p, 1 - p) - 1)
    value, by_P, by_N = squared_score(P, N, p, e, a)
    return 1 - (1 - value) / (c * c), by_P / (c * c), by_N / (c * c)


def dual(state: Any) -> None:
    """Of the normalized one; Ψ is the identity."""
    s = at_address(state)
    _, s.to_P, s.to_N = normalized_score(s.P, s.N, s.share, s.smoothing, s.parameter)


@saved("foldless.measures")
@dataclass(frozen=True)
class NSS(Composed):
    """1 minus the squared difference between true and predicted share.

    Parameters
    ----------
    normalize : bool
        Whether the difference is divided by the largest that it can be, max(p, n).

    Examples
    --------
    >>> from foldless.measures import NSS
    >>> print(round(NSS().value(0.5, 1.0, 0.4), 4))
    0.96
    """

    normalize: bool = False

    psi = first
    zeta1 = zeta2 = normalized_score
    dual = dual

    def factors(self, level: float) -> Factors | None:
        return None if self.normalize else Factors(nss=1)

    @property
    def parameter(self) -> float:
        return float(self.normalize)

    @property
    def linear(self) -> tuple[float, float]:
        return 0.0, 0.0
