"""An interval for a metric, from the metric without each block of rows: θ ± t s, s² = (G−1)/G Σ (θ₍g₎ − θ̄)².

It holds for metrics that are smooth in the rows, such as R². Blocks are rows, or random sets of rows where there are
many; rows of one group are in one block.

References
----------
Miller, R. (1974). The jackknife: a review. Biometrika 61.
"""

from collections.abc import Callable

import numpy as np

from foldless.accuracy._distributions import normal_quantile, student_quantile
from foldless.accuracy._held_out_accuracy import Interval, wilson
from foldless.core import Array

BLOCKS = 200
FLAT = 1e-12


def jackknife(metric: Callable[[Array], float], units: Array, confidence: float, rng: np.random.Generator) -> Interval:
    """The metric of all rows with its interval.

    Where no block changes the metric, as where all predictions are right, the interval is that of a share of so many
    units, which is not a single point. ``metric`` takes the positions of some rows.

    Examples
    --------
    >>> right = np.arange(100) < 80
    >>> interval = jackknife(lambda rows: right[rows].mean(), np.arange(100), 0.95, np.random.default_rng(0))
    >>> round(interval.value, 2), round(interval.lower, 2), round(interval.upper, 2)
    (0.8, 0.72, 0.88)
    """
    n_units = int(units.max()) + 1
    blocks = min(BLOCKS, n_units)
    block = (rng.permutation(n_units) % blocks)[units]
    rows = np.arange(len(units))
    value = float(metric(rows))
    without = np.array([metric(rows[block != at]) for at in range(blocks)])
    error = np.sqrt((blocks - 1) / blocks * np.sum((without - without.mean()) ** 2))
    if error < FLAT:
        lower, upper = wilson(value, n_units, normal_quantile((1 + confidence) / 2))
        return Interval(value, min(value, lower), max(value, upper))
    reach = float(student_quantile((1 + confidence) / 2, blocks - 1) * error)
    return Interval(value, value - reach, value + reach)
