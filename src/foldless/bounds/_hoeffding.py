"""Hoeffding's bound on a mean of values in [0, 1]: mean + √(ln(1/δ) / 2m).

Holds for independent values of any distribution in [0, 1]. It knows nothing of their variance, so it is the widest one
where the mean is small.

References
----------
Hoeffding (1963). Probability inequalities for sums of bounded random variables. JASA 58. Theorem 2.
"""

from math import log, sqrt

from foldless.core import Array


def upper(counts: Array, of: int, delta: float) -> float:
    """The bound on the mean of the values ``counts / of``."""
    m = len(counts)
    if not m:
        return 1.0
    return min(1.0, int(counts.sum()) / (m * of) + sqrt(log(1 / delta) / (2 * m)))
