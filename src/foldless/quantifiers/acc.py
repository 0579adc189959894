"""Adjusted count: the shares p whose predictions would be counted as they were, Σ_j p_j P(ŷ = i | y = j) = q_i.

The rates P(ŷ | y) come from labeled rows that the classifier has not seen, and are taken to hold for the pool as well
(only the shares differ). Where no shares in [0, 1] solve the equations, those nearest in squared error are taken.

References
----------
Forman, G. (2008). Quantifying counts and costs via classification. Data Mining and Knowledge Discovery 17.
Hopkins and King (2010). A method of automated nonparametric content analysis. American J. of Political Science 54.
"""

import numpy as np
from scipy.optimize import nnls

from foldless.core import Array
from foldless.errors import BadInput

WEIGHT = 1e4  # of the equation Σ p = 1 against the others


def adjusted_count(counted: Array, table: Array) -> Array:
    """Shares of the classes, from the shares that were counted.

    Parameters
    ----------
    counted : shares (K,) of the predicted labels
    table : labeled rows (K, K) by true and predicted class

    Examples
    --------
    >>> adjusted_count(np.array([0.7, 0.3]), np.array([[90, 10], [20, 80]])).round(3).tolist()
    [0.714, 0.286]
    """
    sizes = table.sum(axis=1)
    if not sizes.all():
        raise BadInput(
            f"class {int(np.argmin(sizes))} has no row in the table, so its rates are not known: hold more rows"
        )
    rates = (table / sizes[:, None]).T
    left = np.vstack([rates, np.full(len(sizes), WEIGHT)])
    shares, _ = nnls(left, np.append(counted, WEIGHT))
    return np.asarray(shares / shares.sum())
