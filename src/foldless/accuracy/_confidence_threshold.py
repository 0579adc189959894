"""Average thresholded confidence: the share of the pool that is more confident than the threshold t.

t is the quantile of the labeled rows' confidence at the level of their error, so that P_L(c ≥ t) is the accuracy on the
labels; the estimate is P_U(c ≥ t). Rows tied at t count by the fraction that makes the first equation exact.

References
----------
Garg et al. (2022). Leveraging unlabeled data to predict out-of-distribution performance. ICLR.
"""

import numpy as np

from foldless.core import Array


def confidence_threshold(confidence: Array, right: Array, pool_confidence: Array) -> float:
    """The accuracy on the pool.

    Examples
    --------
    >>> confidence_threshold(np.array([0.6, 0.7, 0.8, 0.9]), np.array([0, 1, 1, 1]), np.array([0.5, 0.75, 0.8, 0.95]))
    0.75
    """
    n = len(confidence)
    wrong = n - int(np.count_nonzero(right))
    if wrong == n:
        return 0.0
    threshold = np.sort(confidence)[wrong]  # the first row above the `wrong` least confident ones
    below, tied = np.count_nonzero(confidence < threshold), np.count_nonzero(confidence == threshold)
    above_the_line = 1 - (wrong - below) / tied  # of the rows tied at the threshold
    return float(np.mean(pool_confidence > threshold) + above_the_line * np.mean(pool_confidence == threshold))
