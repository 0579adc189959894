"""The difference in accuracy of two candidates on the same held-out rows: d̄ ± t s(d) / √n, with d = z − z′.

Rows may have weights. Rows of one group count as one, and the variance is taken 1.5 times as large, because folds share
training rows.
"""

import numpy as np

from foldless.accuracy._distributions import student_quantile
from foldless.core import Array
from foldless.results.difference import Difference

INFLATED = 1.5


def paired_difference(
    best: Array, other: Array, units: Array, confidence: float = 0.95, weights: Array | None = None
) -> Difference | None:
    """From how often each was right about each row, NaN where it is not known; None where too few rows are common.

    Examples
    --------
    >>> best, other = np.ones(40), np.r_[np.zeros(10), np.ones(30)]
    >>> difference = paired_difference(best, other, np.arange(40))
    >>> difference.value, difference.told_apart
    (0.25, True)
    """
    both = ~np.isnan(best) & ~np.isnan(other)
    if weights is not None:
        both &= weights > 0  # a row without weight says nothing
    apart, unit = (best - other)[both], np.unique(units[both], return_inverse=True)[1]
    weight = np.ones(len(apart)) if weights is None else weights[both]
    n_units = int(unit.max(initial=-1)) + 1
    if n_units < 5:
        return None
    total = weight.sum()
    value = float((weight * apart).sum() / total)
    sums = np.bincount(unit, weight * (apart - value), n_units)
    variance = float(sums @ sums) / total**2 * n_units / (n_units - 1)
    rows = total**2 / (weight @ weight)  # of equal weight that have the variance of these
    least = 1 / rows**2  # one row more or less: equal answers are not certain
    reach = float(student_quantile((1 + confidence) / 2, n_units - 1) * np.sqrt(INFLATED * max(variance, least)))
    return Difference(value, value - reach, value + reach, len(apart))
