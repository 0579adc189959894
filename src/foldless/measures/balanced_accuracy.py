"""Balanced accuracy: (P + N) / 2, the mean of the two rates."""

from dataclasses import dataclass
from typing import Any

from foldless.measures.measure import Triple
from foldless.measures.nested_concave import Composed
from foldless.saving._names import saved
from foldless.solvers.online._duals import Factors


def mean_rate(P: Any, N: Any, p: Any, e: Any, a: Any) -> Triple:
    """(P + N) / 2."""
    return (P + N) / 2, 0.5 + 0 * P, 0.5 + 0 * N


def first(x: Any, y: Any, p: Any, e: Any, a: Any) -> Triple:
    """Ψ(x, y) = x."""
    return x, 1.0 + 0 * x, 0 * y


@saved("foldless.measures")
@dataclass(frozen=True)
class BalancedAccuracy(Composed):
    """(P + N) / 2.

    Examples
    --------
    >>> from foldless.measures import BalancedAccuracy
    >>> BalancedAccuracy().value(0.5, 1.0, 0.1)
    0.75
    """

    psi = first
    zeta1 = zeta2 = mean_rate

    def factors(self, level: float) -> Factors:
        return Factors(P=0.5, N=0.5)

    @property
    def linear(self) -> tuple[float, float]:
        return 0.5, 0.5
