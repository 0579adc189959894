"""Rows about which the leaders are least sure: 1 − (p₁ − p₂), with the two largest class probabilities.

Of values, the standard deviation of the leaders' answers.

References
----------
Scheffer, Decomain & Wrobel (2001). Active hidden Markov models for information extraction. IDA.
"""

import numpy as np

from foldless.core import Array
from foldless.labeling._pool_view import PoolView


def scores(view: PoolView) -> Array:
    """One number a row, from 0 for certain to 1; in a regression a spread in the unit of the values."""
    if view.regression:
        return np.asarray(view.shares[:, 1])
    first = np.sort(view.shares, axis=1)
    return np.asarray(1 - (first[:, -1] - first[:, -2]))


def pick(view: PoolView, n: int, rng: np.random.Generator) -> Array:
    """The n highest; ties in random order."""
    own = scores(view)
    return np.lexsort((rng.random(len(own)), -own))[:n]
