"""The relative entropy (Chernoff) bound on a mean of values in [0, 1]: sup{q : kl(mean ‖ q) ≤ ln(1/δ) / m}.

Holds for independent values of any distribution in [0, 1]. It is never above Hoeffding's, and for 0/1 values never
below the exact binomial one.

References
----------
Hoeffding (1963). Probability inequalities for sums of bounded random variables. JASA 58. Theorem 1, equation 2.1.
"""

from math import expm1, log

from scipy.special import rel_entr

from foldless.bounds._inverting import smallest_rejected
from foldless.core import Array


def upper(counts: Array, of: int, delta: float) -> float:
    """The bound on the mean of the values ``counts / of``."""
    m, total = len(counts), int(counts.sum())
    if not m or total >= m * of:
        return 1.0
    if not total:
        return -expm1(log(delta) / m)
    mean, most = total / (m * of), log(1 / delta) / m
    return smallest_rejected(lambda q: rel_entr(mean, q) + rel_entr(1 - mean, 1 - q) > most, mean)
