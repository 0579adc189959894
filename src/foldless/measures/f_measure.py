"""The F₁-measure: 2 TP / (2 TP + FP + FN) = 2 p P / (p + p P + n (1 − N)), a ratio of linear functions.

References
----------
Narasimhan, Kar and Jain (2015). Optimizing non-decomposable performance measures: a tale of two classes. ICML.
"""

from dataclasses import dataclass
from typing import Any

from foldless.measures.measure import Triple
from foldless.measures.pseudo_concave import PseudoConcave
from foldless.saving._names import saved
from foldless.solvers.online._duals import Factors


def twice_found(P: Any, N: Any, p: Any, e: Any, a: Any) -> Triple:
    """2 p P."""
    return 2 * p * P, 2 * p + 0 * P, 0 * N


def true_and_predicted(P: Any, N: Any, p: Any, e: Any, a: Any) -> Triple:
    """p + p̂."""
    return p + p * P + (1 - p) * (1 - N), p + 0 * P, p - 1 + 0 * N


@saved("foldless.measures")
@dataclass(frozen=True)
class FMeasure(PseudoConcave):
    """2 TP / (2 TP + FP + FN).

    Examples
    --------
    >>> from foldless.measures import FMeasure
    >>> print(round(FMeasure().value(0.5, 1.0, 0.4), 4))
    0.6667
    """

    top = twice_found
    bottom = true_and_predicted

    def factors(self, level: float) -> Factors:
        return Factors(P_share=2 - level, N_share=level)
