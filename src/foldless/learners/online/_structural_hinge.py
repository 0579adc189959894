"""The most violating labels of a structural hinge: argmax over ȳ of Δ(ȳ) + (1/n) Σ (ȳ_i − y_i) s_i.

Δ is what the measure of ȳ lacks of the measure of the truth. Within a class the best ȳ takes the highest scores, so ȳ
is given by two counts, and n⁺ n⁻ pairs are compared. Where the measure is linear in the rates but for its dependence on
the predicted share, a count k suffices: rows are sorted once by what each gains, O(n log n).

References
----------
Joachims (2005). A support vector method for multivariate performance measures. ICML. Algorithm 2.
"""

from typing import Any

import numpy as np

from foldless.core import Array
from foldless.errors import BadInput
from foldless.measures import resolve
from foldless.measures.measure import Measure, rates

BLOCK = 2**20  # pairs compared at a time
MAX_PAIRS = 10**9  # pairs compared in all; past it counts are compared on a grid


def learnable(measure: Any) -> Measure:
    """The measure, which must not be one that only evaluates."""
    resolved = resolve(measure)
    if resolved.kind == "neither":
        raise BadInput(f"{resolved} is for evaluation, not for learning: choose another measure")
    return resolved


def most_violating(measure: Measure, scores: Array, positive: Array) -> tuple[Array, float]:
    """ȳ as truth values, and its Δ."""
    n, n_positive = len(scores), int(positive.sum())
    best = float(measure.value(1.0, 1.0, n_positive / n, n))
    if measure.linear is not None:
        predicted = _by_count(measure, scores, positive, measure.linear)
    else:
        predicted = _by_pairs(measure, scores, positive)
    P, N = rates(positive, predicted)
    return predicted, best - float(measure.value(P, N, n_positive / n, n))


def _by_count(measure: Measure, scores: Array, positive: Array, linear: tuple[float, float]) -> Array:
    n, n_positive = len(scores), int(positive.sum())
    gains = 2 * scores / n + np.where(positive, -linear[0] / n_positive, linear[1] / (n - n_positive))
    order = np.argsort(-gains, kind="stable")
    counts = np.arange(n + 1)
    P = counts / n_positive  # the rates at which so many are predicted with N = 1: only the share counts here
    rest = measure.value(P, 1.0, n_positive / n, n) - linear[0] * P - linear[1]
    total = np.concatenate([[0.0], np.cumsum(gains[order])]) - rest
    predicted = np.zeros(n, dtype=bool)
    predicted[order[: int(total.argmax())]] = True
    return predicted


def _by_pairs(measure: Measure, scores: Array, positive: Array) -> Array:
    n = len(scores)
    p, q = np.flatnonzero(positive), np.flatnonzero(~positive)
    p, q = p[np.argsort(-scores[p], kind="stable")], q[np.argsort(scores[q], kind="stable")]
    gained = np.concatenate([[0.0], np.cumsum(scores[p])]) * 2 / n
    spared = np.concatenate([[0.0], np.cumsum(scores[q])]) * -2 / n
    stride = max(1, int(np.ceil(np.sqrt(len(gained) * len(spared) / MAX_PAIRS))))
    a, d = _grid(len(gained), stride), _grid(len(spared), stride)
    height = max(1, BLOCK // len(d))
    top: tuple[float, Any, Any] = (-np.inf, 0, 0)
    for first in range(0, len(a), height):
        some = a[first : first + height, None]
        total = gained[some] + spared[d] - measure.value(some / len(p), d / len(q), len(p) / n, n)
        at = int(total.argmax())
        if total.flat[at] > top[0]:
            top = float(total.flat[at]), some[at // len(d), 0], d[at % len(d)]
    predicted = np.zeros(n, dtype=bool)
    predicted[p[: top[1]]] = True
    predicted[q[top[2] :]] = True
    return predicted


def _grid(n: int, stride: int) -> Array:
    """Every so many counts below n, and the last one, where all rows of a class are right."""
    return np.union1d(np.arange(0, n, stride), [n - 1])
