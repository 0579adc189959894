"""Prediction-powered accuracy: confidence on the pool, corrected by what labels say of it, with the best weight.

With z whether a prediction is right and g its confidence: θ = λ mean_U g + mean_L(z − λ g), whose variance is
λ² Var_U g / N + Var_L(z − λ g) / n and is smallest at λ = Cov_L(z, g) / ((1 + n/N) Var g), here kept in [0, 1].

References
----------
Angelopoulos, Duchi & Zrnic (2023). PPI++: efficient prediction-powered inference.
"""

from dataclasses import dataclass

import numpy as np

from foldless.core import Array
from foldless.errors import BadInput


@dataclass(frozen=True)
class PredictionPoweredMean:
    """An estimated mean with its standard error and the weight of the pool in it."""

    value: float
    standard_error: float
    weight: float


def prediction_powered(right: Array, confidence: Array, pool_confidence: Array) -> PredictionPoweredMean:
    """The mean on the pool's population of any number per labeled row, from what predicts it there and on the pool.

    Examples
    --------
    >>> estimate = prediction_powered(np.array([1, 0, 1, 1]), np.array([0.9, 0.5, 0.8, 0.8]), np.full(100, 0.7))
    >>> round(estimate.value, 3), round(estimate.weight, 3)
    (0.7, 1.0)
    """
    z, g, pool = (np.asarray(values, dtype=float) for values in (right, confidence, pool_confidence))
    n, n_pool = len(z), len(pool)
    if n < 2:
        raise BadInput(f"a prediction-powered estimate needs at least 2 labeled rows, got {n}")
    weight = 0.0
    if n_pool and (spread := float(np.var(np.concatenate([g, pool])))) > 0:
        covariance = float(np.cov(z, g, ddof=1)[0, 1])
        weight = min(1.0, max(0.0, covariance / ((1 + n / n_pool) * spread)))
    rest = z - weight * g
    value = float(rest.mean() + (weight * pool.mean() if weight else 0.0))
    variance = rest.var(ddof=1) / n + (weight**2 * pool.var() / n_pool if weight else 0.0)
    return PredictionPoweredMean(value, float(np.sqrt(variance)), weight)
