"""Classify and count: the share of a class is the share of rows given to it, M_y / |S|.

References
----------
Forman, G. (2008). Quantifying counts and costs via classification. Data Mining and Knowledge Discovery 17.
"""

import numpy as np

from foldless.core import Array
from foldless.errors import BadInput


def classify_and_count(labels: Array, n_classes: int) -> Array:
    """Shares of the classes among predicted labels; rows given to no class (code −1) count for none."""
    if not len(labels):
        raise BadInput("shares of no rows are not defined: pass at least one row")
    return np.bincount(labels[labels >= 0], minlength=n_classes) / len(labels)
