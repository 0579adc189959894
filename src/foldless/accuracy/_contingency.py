"""The pool's table of true and predicted classes, by least squares: its trace is the accuracy.

Three kinds of equations on cells C_jk ≥ 0 (true j, predicted k): the rates of a row are those seen out of fold,
C_jk = r_jk Σ_l C_jl; the columns add up to the predicted shares of the pool; the rows to the shares of a quantifier.
Where only the class shares differ between labels and pool (prior shift), the rates carry over.

References
----------
Volpi, Moreo & Sebastiani (2024). A simple method for classifier accuracy prediction under prior probability shift. DS.
"""

import numpy as np

from foldless.core import Array
from foldless.errors import BadInput

WORST = 1e6  # condition of the rates, above which shares cannot be adjusted
MAX_CLASSES = 20  # classes: beyond, K² unknowns take seconds, and the table follows from rates and shares alone


def contingency(table: Array, pool_shares: Array) -> Array:
    """The table (K, K) of the pool as shares of its rows, true classes in rows.

    It is made of the same ``table`` of the labeled rows, out of fold, and the shares of the predicted classes on the
    pool.

    Examples
    --------
    >>> contingency(np.array([[90, 10], [20, 80]]), np.array([0.34, 0.66])).round(2).tolist()
    [[0.18, 0.02], [0.16, 0.64]]
    """
    from scipy.optimize import lsq_linear, nnls  # large imports, for one of many estimates

    from foldless.quantifiers import adjusted_count

    table = np.asarray(table, dtype=float)
    k, sizes = len(table), table.sum(axis=1)
    if not sizes.all():
        raise BadInput(f"class {int(np.argmin(sizes))} has no row in the table, so its rates are unknown")
    rates = table / sizes[:, None]
    separable = np.linalg.cond(rates) < WORST  # else predictions say nothing about the shares: those of the labels stay
    shares = adjusted_count(pool_shares, table) if separable else sizes / sizes.sum()
    if k > MAX_CLASSES:
        return np.asarray(rates * shares[:, None])
    cells = np.eye(k * k).reshape(k, k, k * k)
    rows, columns = cells.sum(axis=1), cells.sum(axis=0)
    by_rates = (cells - rates[:, :, None] * rows[:, None, :]).reshape(k * k, k * k)
    left = np.vstack([by_rates, columns, rows])
    right = np.concatenate([np.zeros(k * k), pool_shares, shares])
    try:
        solution, _ = nnls(left, right)
    except RuntimeError:  # that of SciPy 1.12 may go round in circles
        solution = lsq_linear(left, right, bounds=(0, np.inf)).x
    return np.asarray((solution / solution.sum()).reshape(k, k))
