"""Probabilities from scores: P(k | x) = softmax(s(x) / T), with one temperature T from out-of-fold scores.

T maximizes the likelihood of the labels. It does not change the order of the classes of a row: the most probable class
is the one that the model predicts. Labels are smoothed as in Platt (1999), so that T stays above 0 where all
out-of-fold predictions are right.

References
----------
Platt (1999). Probabilistic outputs for support vector machines. Advances in large margin classifiers.
Guo, Pleiss, Sun & Weinberger (2017). On calibration of modern neural networks. ICML.
"""

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import softmax

from foldless.core import Array

LOG_TEMPERATURES = (-7.0, 7.0)  # beside the spread of the scores


def temperature(scores: Array, y: Array) -> float:
    """The temperature of scores (n, K), −inf for a class that a fit has not seen, with class codes y.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> s = rng.normal(size=4000)
    >>> y = (rng.random(4000) < 1 / (1 + np.exp(-3 * s))).astype(int)  # (−s, s) has the temperature 2 / 3
    >>> round(temperature(np.c_[-s, s], y), 1)
    0.7
    """
    n, n_classes = scores.shape
    known = np.isfinite(scores)
    values = scores if known.all() else scores[known]
    spread = float(np.std(values)) or 1.0
    finite = scores if values is scores else np.where(known, scores, values.min() - spread)
    sure = (n + 1) / (n + 2)
    other = (1 - sure) / max(1, n_classes - 1)
    # − Σ target · log softmax(s / T) is Σ target · log Σ exp(s / T) less what is linear in 1 / T
    highest = finite.max(axis=1)
    linear = other * finite.sum(axis=1) + (sure - other) * finite[np.arange(n), y]
    each = sure + (n_classes - 1) * other
    falling = float(np.sum(each * highest - linear))
    below = (finite - highest[:, None]).astype(np.float32)  # single precision has the digits that T is told by
    room = np.empty_like(below)

    def loss(log_t: float) -> float:
        t = spread * np.exp(log_t)
        np.exp(np.multiply(below, np.float32(1 / t), out=room), out=room)
        return falling / t + each * float(np.log(room.sum(axis=1)).sum(dtype=float))

    return float(spread * np.exp(minimize_scalar(loss, bounds=LOG_TEMPERATURES, method="bounded").x))


def probabilities(scores: Array, temperature: float) -> Array:
    """Probabilities (n, K) from what ``decision_function`` returns, of two classes one number for each row."""
    scores = np.asarray(scores, dtype=float)
    table = np.c_[-scores, scores] if scores.ndim == 1 else scores
    return np.asarray(softmax(table / temperature, axis=1))
