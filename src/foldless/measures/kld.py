"""The Kullback-Leibler divergence of the predicted share from the true one, negated so that larger is better.

−KLD = −p_s ln(p_s / p̂_s) − n_s ln(n_s / n̂_s), where c_s = (c + e) / (1 + 2 e) and p̂ = p P + n (1 − N). As a nested
measure it is Ψ = p_s x + n_s y − p_s ln p_s − n_s ln n_s of x = ln p̂_s and y = ln n̂_s. By itself it says nothing
about which rows are positive: both classes are pulled the same way until the count is right.

A class whose true share is zero has no term. A class that occurs and is never predicted makes the divergence infinite,
unless shares are smoothed.

References
----------
Esuli and Sebastiani (2015). Optimizing text quantifiers for multivariate loss functions. ACM TKDD 9.
Kar et al. (2016). Table 1, where the entropy and the factors (p, −n) of the duals are missing.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import xlogy

from foldless.measures.measure import Triple
from foldless.measures.nested_concave import Composed
from foldless.saving._names import saved
from foldless.solvers.online._duals import Factors


def log_positive(P: Any, N: Any, p: Any, e: Any, a: Any) -> Triple:
    """ln p̂_s."""
    n = 1 - p
    value, slope = _logarithm(p * P + n * (1 - N), e)
    return value, p * slope, -n * slope


def log_negative(P: Any, N: Any, p: Any, e: Any, a: Any) -> Triple:
    """ln n̂_s."""
    n = 1 - p
    value, slope = _logarithm(n * N + p * (1 - P), e)
    return value, -p * slope, n * slope


def _logarithm(predicted: Any, e: Any) -> tuple[Any, Any]:
    """ln ĉ_s and its derivative by ĉ; below zero, which margins may reach, its tangent at zero."""
    kept = np.maximum(predicted, 0.0) + e
    return np.log(kept / (1 + 2 * e)) + np.minimum(predicted, 0.0) / kept, 1 / kept


def cross_entropy(x: Any, y: Any, p: Any, e: Any, a: Any) -> Triple:
    """p_s x + n_s y, and the entropy that makes it zero at the true shares."""
    p_s, n_s = (p + e) / (1 + 2 * e), (1 - p + e) / (1 + 2 * e)
    return p_s * x + n_s * y - xlogy(p_s, p_s) - xlogy(n_s, n_s), p_s, n_s


def negative_kld(P: Any, N: Any, p: Any, e: Any, a: Any) -> Triple:
    """−KLD, of both logarithms at once; without smoothing too, where a share may be zero."""
    n = 1 - p
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        value, by_predicted = _term(p * P + n * (1 - N), p, e)
        other, by_rest = _term(n * N + p * (1 - P), n, e)
        pull = by_predicted - by_rest
        return value + other, np.where(p > 0, p * pull, 0.0)[()], np.where(n > 0, -n * pull, 0.0)[()]


def _term(predicted: Any, true: Any, e: Any) -> tuple[Any, Any]:
    """c_s ln(ĉ_s / c_s) and its derivative by ĉ: nothing where c_s is zero, a line below zero as in `_logarithm`."""
    c_s, kept = (true + e) / (1 + 2 * e), np.maximum(predicted, 0.0) + e
    slope = np.where(c_s > 0, c_s / kept, 0.0)
    beyond = np.where(predicted < 0, slope * predicted, 0.0)
    return xlogy(c_s, kept) - xlogy(c_s, true + e) + beyond, slope


@saved("foldless.measures")
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

    def pieces(self, P: Any, N: Any, p: Any, e: Any) -> Triple:
        return negative_kld(P, N, p, e, self.parameter)

    def factors(self, level: float) -> Factors:
        return Factors(kld=1)

    @property
    def linear(self) -> tuple[float, float]:
        return 0.0, 0.0
