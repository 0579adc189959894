"""Difference of confidences: accuracy on the labels, moved by how much confidence moves from labels to pool.

acc(U) = mean z + mean_U c − mean_L c, with c the probability of the predicted class and z whether it is right.

References
----------
Guillory et al. (2021). Predicting with confidence on unseen distributions. ICCV.
"""

import numpy as np

from foldless.core import Array


def confidence_difference(confidence: Array, right: Array, pool_confidence: Array) -> float:
    """The accuracy on the pool, between 0 and 1.

    Examples
    --------
    >>> round(confidence_difference(np.array([0.9, 0.7]), np.array([True, False]), np.array([0.9, 0.9])), 3)
    0.6
    """
    moved = float(np.mean(right) + np.mean(pool_confidence) - np.mean(confidence))
    return min(1.0, max(0.0, moved))
