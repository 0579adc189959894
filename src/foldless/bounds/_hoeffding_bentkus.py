"""The better of relative entropy and Bentkus: min(kl, bentkus), both at the whole δ.

No union bound is paid: both are bounds on the same tail P[mean ≤ t], and the smaller of two such bounds is one.

References
----------
Bates, Angelopoulos, Lei, Malik & Jordan (2021). Distribution-free, risk-controlling prediction sets. JACM 68.
Section 3.1, the Hoeffding–Bentkus inequality.
"""

from foldless.bounds import _bentkus as bentkus
from foldless.bounds import _relative_entropy as relative_entropy
from foldless.core import Array


def upper(counts: Array, of: int, delta: float) -> float:
    """The bound on the mean of the values ``counts / of``."""
    return min(relative_entropy.upper(counts, of, delta), bentkus.upper(counts, of, delta))
