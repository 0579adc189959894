"""The Kullback-Leibler divergence of the predicted share from the true one, with its sign turned: larger is better.

−KLD = −p_s ln(p_s / p̂_s) − n_s ln(n_s / n̂_s), where c_s = (c + e) / (1 + 2 e) and p̂ = p P + n (1 − N). As a nested
measure it is Ψ = p_s x + n_s y − p_s ln p_s − n_s ln n_s of x = ln p̂_s and y = ln n̂_s. By itself it says nothing
about which rows are positive: both classes are pulled the same way until the count is right.

References
----------
Esuli and Sebastiani (2015). Optimizing text quantifiers for multivariate loss functions. ACM TKDD 9.
Kar et al. (2016). Table 1, where the entropy and the factors (p, −n) of the duals are missing.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numba.extending import register_jitable

from foldless.measures.measure import Triple
from foldless.measures.nested_concave import Composed
from foldless.solvers.duals import Factors


@register_jitable
def log_positive(P: Any, N: Any, p: Any, e: Any, a: Any) -> Triple:
    """ln p̂_s; shares below zero, which a margin may give, count as zero."""
    n = 1 - p
    share = np.maximum(p * P + n * (1 - N), 0.0) + e
    return np.log(share / (1 + 2 * e)), p / share, -n / share


@register_jitable
def log_negative(P: Any, N: Any, p: Any, e: Any, a: Any) -> Triple:
    """ln n̂_s."""
    n = 1 - p
    share = np.maximum(n * N + p * (1 - P), 0.0) + e
    return np.log(share / (1 + 2 * e)), -p / share, n / share


@register_jitable
def cross_entropy(x: Any, y: Any, p: Any, e: Any, a: Any) -> Triple:
    """p_s x + n_s y, and the entropy that makes it zero at the true shares."""
    p_s, n_s = (p + e) / (1 + 2 * e), (1 - p + e) / (1 + 2 * e)
    return p_s * x + n_s * y - p_s * np.log(p_s) - n_s * np.log(n_s), p_s, n_s


@register_jitable
def negative_kld(P: Any, N: Any, p: Any, e: Any, a: Any) -> Triple:
    """−KLD, of both logarithms at once."""
    n = 1 - p
    positive = np.maximum(p * P + n * (1 - N), 0.0) + e
    negative = np.maximum(n * N + p * (1 - P), 0.0) + e
    p_s, n_s = (p + e) / (1 + 2 * e), (n + e) / (1 + 2 * e)
    value = p_s * np.log(positive / (p + e)) + n_s * np.log(negative / (n + e))
    pull = p_s / positive - n_s / negative
    return value, p * pull, -n * pull


@dataclass(frozen=True)
class KLD(Composed):
    """Minus the Kullback-Leibler divergence between true and predicted shares.

    Parameters
    ----------
    smoothing : float or None
        Added to every share; None for half a row, 1 / (2 n).

    Examples
    --------
    >>> from foldless.measures import KLD
    >>> print(round(KLD().value(0.5, 1.0, 0.2), 4))
    -0.0444
    """

    smoothing: float | None = None

    psi = cross_entropy
    zeta1 = log_positive
    zeta2 = log_negative

    def factors(self, level: float) -> Factors:
        return 0, 0, 0, 0, 1, 0

    @property
    def linear(self) -> tuple[float, float]:
        return 0.0, 0.0
