"""The betting bound on a mean of values in [0, 1]: who bets that the mean is below q gets rich if it is.

For each q a gambler starts with 1 and at row i stakes λ_i, known before the row, on its value being below q:

    K_t(q) = Π_{i ≤ t} (1 + λ_i (q − D_i)),   0 ≤ λ_i ≤ c / (1 − q),   c = 3/4

If q is the mean, K is a nonnegative martingale, and reaches 1/δ at any time with probability at most δ. So all q are
rejected at which it does; K grows with q, hence they are all above one value, the bound. λ_i follows the variance of
the rows before i, which makes the bound narrow where values vary little. Not even independence is needed: it is enough
that each row has mean q given those before it. The order matters and must not be chosen by the values.

References
----------
Waudby-Smith & Ramdas (2024). Estimating means of bounded random variables by betting. JRSS B 86. Of the
hedged capital process one side, at the whole δ, with the predictable plug-in stakes for a fixed m.
"""

from math import log, sqrt

import numpy as np

from foldless.bounds._inverting import smallest_rejected
from foldless.core import Array

MAX_LOSS = 0.75  # the largest share of the capital that one row can cost
TOLERANCE = 1e-5  # of Hoeffding's slack: the price of stopping the bisection early


def upper(counts: Array, of: int, delta: float) -> float:
    """The bound on the mean of the values ``counts / of``, in an order that is independent of them."""
    m = len(counts)
    if not m or int(counts.sum()) >= m * of:
        return 1.0
    values, rich = np.asarray(counts) / of, log(1 / delta)
    seen = np.arange(2, m + 2)
    means = (0.5 + np.cumsum(values)) / seen
    variances = (0.25 + np.cumsum((values - means) ** 2)) / seen
    # the variance is that estimated before each row, from one imagined row at 1/2 with variance 1/4 on
    stakes = np.sqrt(2 * rich / (m * np.concatenate([[0.25], variances[:-1]])))

    def rejects(q: float) -> bool:
        capital = np.minimum(stakes, MAX_LOSS / (1 - q))
        capital *= q - values
        np.log1p(capital, out=capital)
        return bool(np.cumsum(capital, out=capital).max() >= rich)

    slack = sqrt(rich / (2 * m))
    mean = float(values.mean())
    low = 0.0 if rejects(mean) else mean  # narrow the bracket: a step costs a pass over the rows
    high = mean + slack if mean + slack < 1 and rejects(mean + slack) else 1.0
    return smallest_rejected(rejects, low, high, TOLERANCE * slack)
