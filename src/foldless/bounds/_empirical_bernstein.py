"""The empirical Bernstein bound on a mean of values in [0, 1]: mean + √(2 V ln(2/δ) / m) + 7 ln(2/δ) / (3 (m − 1)).

V is the sample variance, so values that vary little pay little. Holds for independent, identically distributed values
in [0, 1], at least two of them. Good for large m only: at δ = .05 the last term alone exceeds Hoeffding's slack below
m ≈ 50.

References
----------
Maurer & Pontil (2009). Empirical Bernstein bounds and sample variance penalization. COLT. Theorem 4.
"""

from math import log, sqrt

from foldless.core import Array


def upper(counts: Array, of: int, delta: float) -> float:
    """The bound on the mean of the values ``counts / of``."""
    m = len(counts)
    if m < 2:
        return 1.0
    mean, variance = int(counts.sum()) / (m * of), float(counts.var(ddof=1)) / of**2
    return min(1.0, mean + sqrt(2 * variance * log(2 / delta) / m) + 7 * log(2 / delta) / (3 * (m - 1)))
