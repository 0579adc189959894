"""The G-mean: √(P N), the geometric mean of the two rates.

References
----------
Narasimhan, Kar and Jain (2015). Optimizing non-decomposable performance measures: a tale of two classes. ICML.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numba.extending import register_jitable

from foldless.measures.balanced_accuracy import first
from foldless.measures.measure import Triple
from foldless.measures.nested_concave import Composed, follow
from foldless.saving._names import saved
from foldless.solvers.online._stream_state import at_address

LEAST = 1e-6  # of both rates: the slope at zero is infinite


def negative_rate(P: Any, N: Any, p: Any, e: Any, a: Any) -> Triple:
    """N."""
    return N, 0 * P, 1.0 + 0 * N


@register_jitable
def geometric_mean(x: Any, y: Any, p: Any, e: Any, a: Any) -> Triple:
    """√(x y)."""
    x, y = np.maximum(x, LEAST), np.maximum(y, LEAST)
    root = np.sqrt(x * y)
    return root, root / (2 * x), root / (2 * y)


def dual(state: Any) -> None:
    """The pulls at the running values of the rates."""
    s = at_address(state)
    follow(s)
    s.zeta1, s.zeta1_P, s.zeta1_N = s.P, 1.0, 0.0
    s.zeta2, s.zeta2_P, s.zeta2_N = s.N, 0.0, 1.0
    _, s.to_P, s.to_N = geometric_mean(s.Q1, s.Q2, 0.0, 0.0, 0.0)


@saved("foldless.measures")
@dataclass(frozen=True)
class GMean(Composed):
    """√(P N).

    Examples
    --------
    >>> from foldless.measures import GMean
    >>> print(round(GMean().value(0.25, 1.0, 0.1), 12))
    0.5
    """

    psi = geometric_mean
    zeta1 = first
    zeta2 = negative_rate
    dual = dual
