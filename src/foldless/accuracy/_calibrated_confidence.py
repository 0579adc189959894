"""Calibrated confidence: the mean over the pool of q(c), where q(c) is the probability that a prediction is right.

q is fitted on out-of-fold confidences c of labeled rows and whether they are right: one temperature, logit q = logit c
/ T (the default); Platt's line, logit q = a + b logit c; or any increasing q (isotonic regression).

References
----------
Guo et al. (2017). On calibration of modern neural networks. ICML.
Platt, J. (1999). Probabilistic outputs for support vector machines.
"""

from typing import Literal, get_args

import numpy as np
from scipy.special import expit, logit

from foldless.core import Array
from foldless.errors import BadInput

Method = Literal["temperature", "platt", "isotonic"]
EDGE = 1e-6  # confidences of 0 and 1 have no logit
WIDEST = 3.0  # |log T|: beyond it all predictions are certain, or none is


def calibrated_confidence(
    confidence: Array, right: Array, pool_confidence: Array, method: Method = "temperature"
) -> float:
    """The accuracy on the pool.

    Examples
    --------
    >>> overconfident = np.full(100, 0.99), np.arange(100) < 80
    >>> round(calibrated_confidence(*overconfident, np.full(50, 0.99)), 3)
    0.8
    """
    return float(np.mean(chance_right(np.asarray(confidence), np.asarray(right), np.asarray(pool_confidence), method)))


def chance_right(confidence: Array, right: Array, new: Array, method: Method = "temperature") -> Array:
    """The probability that predictions of ``new`` confidences are right."""
    if method not in get_args(Method):
        raise BadInput(f"method must be one of {', '.join(map(repr, get_args(Method)))}, got {method!r}")
    if not len(confidence):
        raise BadInput("calibration needs labeled rows with their confidence, got none")
    if method == "isotonic":
        from scipy.optimize import isotonic_regression  # a large import, for this file only

        order = np.argsort(confidence, kind="stable")
        steps = isotonic_regression(right[order].astype(float)).x
        return np.asarray(np.interp(new, confidence[order], steps))
    intercept, slope = line(confidence, right, method)
    return np.asarray(expit(intercept + slope * _logit(new)))


def line(confidence: Array, right: Array, method: Method) -> tuple[float, float]:
    """Intercept and slope of logit q in logit c, of the highest likelihood."""
    from scipy.optimize import minimize, minimize_scalar

    score, side = _logit(confidence), np.where(right.astype(bool), 1.0, -1.0)

    def loss(intercept: float, slope: float) -> float:
        return float(np.logaddexp(0, -side * (intercept + slope * score)).mean())

    if method == "temperature":
        minimum = minimize_scalar(lambda log_t: loss(0.0, np.exp(-log_t)), bounds=(-WIDEST, WIDEST), method="bounded")
        return 0.0, float(np.exp(-minimum.x))
    ridge = 1.0 / len(score)  # keeps the line finite where one side is always right
    best = minimize(lambda ab: loss(*ab) + ridge * ((ab[1] - 1) ** 2 + ab[0] ** 2) / 2, np.array([0.0, 1.0]))
    return float(best.x[0]), float(best.x[1])


def _logit(confidence: Array) -> Array:
    return np.asarray(logit(np.clip(np.asarray(confidence, dtype=float), EDGE, 1 - EDGE)))
