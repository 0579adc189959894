"""What a classifier can reach at best, from class shares alone: accuracy ≤ Σ_y min(p_y, q_y).

Of the rows of class y a classifier that gives q_y of all rows to y gets at most min(p_y, q_y) right, so its accuracy
is at most 1 − TV(p, q); precision divides by q_y, recall by p_y. These bound *quality from above*: a good value
promises nothing, a bad one condemns.

Two forms. ``printed`` is Theorem 1 of the paper without the slack that is the same for all candidates: good for
ranking, not a valid confidence bound (its slack forgets the sampling of the pool and, for precision and recall, the
division by the share). ``valid`` holds with probability 1 − δ for all classifiers at once: s and u cover the class
shares of the labels and of the pool two-sidedly by Hoeffding, half of δ each; accuracy uses the concentration of
total variation.

References
----------
Balikas et al. (2015). Efficient model selection for regularized classification by exploiting unlabeled data. IDA.
Theorem 1; its errata are listed in the documentation of ``foldless.criteria.QuantificationBound``.
"""

from math import log, sqrt
from typing import Literal

import numpy as np

from foldless.core import Array

Measure = Literal["accuracy", "macro_precision", "macro_recall", "macro_f1"]


def printed(measure: Measure, labeled: Array, pool: Array, eps: float = 0.0) -> float:
    """The paper's bound, up to slack that all candidates share; ``eps`` is the error of the pool's shares."""
    least = np.minimum(labeled, pool)
    if measure == "accuracy":
        return float(least.sum() + len(labeled) * eps)
    precision = float(np.mean(_ratio(least + eps, pool + eps)))
    recall = float(np.mean(_ratio(least + eps, labeled + eps)))
    return _macro(measure, precision, recall)


def valid(measure: Measure, labeled: Array, pool: Array, n_labeled: float, n_pool: float, delta: float) -> float:
    """An upper confidence bound at level 1 − δ, also above 1; ``pool`` holds counted shares (CC).

    ``n_pool=0`` says that the pool is the labeled set itself, where nothing is left to chance. For copies of draws the
    numbers are n² / Σ (copies)²: Hoeffding's inequality for a mean in which draw j has the weight of its copies.
    """
    k, same = len(labeled), n_pool == 0
    if measure == "accuracy":
        slack = 0.0 if same else _total_variation(k, n_labeled, delta) + _total_variation(k, n_pool, delta)
        return float(np.minimum(labeled, pool).sum() + slack)
    slack = 0.0 if same else sqrt(log(4 * k / delta) / (2 * n_labeled)) + sqrt(log(4 * k / delta) / (2 * n_pool))
    with np.errstate(divide="ignore", invalid="ignore"):
        precisions = np.where(pool > 0, np.minimum(1, (labeled + slack) / pool), 0)
        recalls = np.where(labeled > slack, np.minimum(1, pool / (labeled - slack)), 1)
    return _macro(measure, float(precisions.mean()), float(recalls.mean()))


def _total_variation(n_classes: int, n: float, delta: float) -> float:
    """TV(p, p̂) ≤ √((K ln 2 + ln(2/δ)) / 2n): a union over the 2^K events."""
    return sqrt((n_classes * log(2) + log(2 / delta)) / (2 * n))


def _macro(measure: Measure, precision: float, recall: float) -> float:
    if measure == "macro_precision":
        return precision
    if measure == "macro_recall":
        return recall
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def _ratio(above: Array, below: Array) -> Array:
    """0/0 is 0, as in scikit-learn's evaluation: never predicting a class must not pay."""
    return np.divide(above, below, out=np.zeros_like(above), where=below > 0)
