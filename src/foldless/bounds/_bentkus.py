"""Bentkus' bound on a mean of values in [0, 1]: the exact binomial one for ⌈Σ values⌉ of m, at δ / e.

Among independent values in [0, 1] with a given mean no sum falls low more than e times as often as a binomial one:
P[Σ ≤ t] ≤ e P[Bin(m, q) ≤ ⌈t⌉]. Without the factor e there is no proof.

References
----------
Bentkus (2004). On Hoeffding's inequalities. Annals of Probability 32. Theorem 1.2.
"""

from math import e

from foldless.bounds import _binomial as binomial
from foldless.core import Array


def upper(counts: Array, of: int, delta: float) -> float:
    """The bound on the mean of the values ``counts / of``."""
    rounded_up = -(-int(counts.sum()) // of)  # in whole numbers: a sum of tenths in floats may be one too many
    return float(binomial.upper(rounded_up, len(counts), delta / e))
