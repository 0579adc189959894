"""A second opinion on every prediction: how far its class leads in kernel ridge regression on the same labels.

With K a kernel, T the classes as indicator columns less 1/k, and (K + ρI)⁻¹ = B, the scores of new rows are K_new B T.
A labeled row is scored without its own label, and without those of its group, in closed form: T_g − B_gg⁻¹ (B T)_g.
So labeled rows and pool rows are scored alike, and no classifier is trained again for it. The lead of the predicted
class over the best other one says more about whether a prediction is right than its own confidence does.

References
----------
Rifkin & Lippert (2007). Notes on regularized least squares. MIT-CSAIL-TR-2007-025.
"""

import numpy as np

from foldless.accuracy._kernel_inverse import kernel_inverse
from foldless.core import Array

MIN_LEAD, MAX_LEAD = -0.3, 0.6  # leads beyond these say no more


def opinion_and_weights(
    gram: Array, y: Array, n_classes: int, ridge: float, units: Array | None = None
) -> tuple[Array, Array]:
    """The scores of the labeled rows from their kernel (n, n), and the weights by which new rows are scored.

    These have the scores K_new W + Σ W, so that no kernel of many rows has to be held. ``units`` are codes of labeled
    rows that belong together.

    Examples
    --------
    >>> x, y = np.array([0.0, 0.2, 0.4, 2.0, 2.2, 2.4]), np.array([0, 0, 0, 1, 1, 1])
    >>> scores, weights = opinion_and_weights(np.exp(-np.abs(x[:, None] - x)), y, 2, 0.1)
    >>> scores.argmax(axis=1)
    array([0, 0, 0, 1, 1, 1])
    >>> new = np.exp(-np.abs(np.array([[0.1], [2.3]]) - x)) @ weights + weights.sum(axis=0)
    >>> new.argmax(axis=1)
    array([0, 1])
    """
    targets = np.eye(n_classes)[y] - 1 / n_classes
    inverse = kernel_inverse(gram, ridge, 1.0)  # the 1 is a constant that every class may have
    weights = inverse @ targets
    scores = targets - weights / inverse.diagonal()[:, None]
    for rows in _together(units):
        scores[rows] = targets[rows] - np.linalg.solve(inverse[np.ix_(rows, rows)], weights[rows])
    return scores, weights


def lead(scores: Array, labels: Array) -> Array:
    """By how much the score of each predicted class exceeds that of the best other one, cut to [MIN_LEAD, MAX_LEAD].

    A label below 0, a class that no labeled row has, is behind all others.

    Examples
    --------
    >>> lead(np.array([[0.5, 0.25, 0.0], [0.5, 0.25, 0.0]]), np.array([0, 2]))
    array([ 0.25, -0.3 ])
    """
    at = np.arange(len(labels))
    predicted, others = scores[at, labels], scores.copy()
    others[at, labels] = -np.inf
    return np.where(labels < 0, MIN_LEAD, np.clip(predicted - others.max(axis=1), MIN_LEAD, MAX_LEAD))


def _together(units: Array | None) -> list[Array]:
    """The rows of each unit that has more than one."""
    if units is None:
        return []
    order = np.argsort(units, kind="stable")
    starts = np.flatnonzero(np.r_[True, np.diff(units[order]) != 0])
    return [rows for rows in np.split(order, starts[1:]) if len(rows) > 1]
