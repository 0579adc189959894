"""Values that another part has and the labels never had: is that chance? Functions of counts.

If n labels and m other rows are independent draws of one population, a value with c rows among all of them has none
among the labels with probability C(n + m − c, n) / C(n + m, n).
"""

import numpy as np
from scipy.special import gammaln

from foldless.core import Array


def never_labeled(counts: Array, n: int, m: int) -> Array:
    """The probability that values with so many rows among m others have none among n labels.

    Examples
    --------
    >>> never_labeled(np.array([1, 20]), 60, 240).round(4).tolist()
    [0.8, 0.0098]
    """
    counts = np.asarray(counts, dtype=float)
    left = np.maximum(n + m - counts, n)
    logs = gammaln(left + 1) - gammaln(left - n + 1) - gammaln(n + m + 1) + gammaln(m + 1)
    return np.asarray(np.exp(logs))
