"""Rows about which the leaders are least sure: 1 − (p₁ − p₂), with the two largest class probabilities.

One model's probabilities are all near ½ and another's near 0 and 1, so that each leader ranks the rows, from 0 to 1,
and the ranks are averaged. Of values, it is the standard deviation of the leaders' answers.

References
----------
Scheffer, Decomain & Wrobel (2001). Active hidden Markov models for information extraction. IDA.
"""

import numpy as np

from foldless.core import Array
from foldless.labeling._pool_view import PoolView


def scores(view: PoolView) -> Array:
    """One number a row, from 0 for certain to 1; in a regression a spread in the unit of the values."""
    return view.unsure


def pick(view: PoolView, n: int, rng: np.random.Generator) -> Array:
    """The n highest; ties in random order."""
    own = scores(view)
    return np.lexsort((rng.random(len(own)), -own))[:n]
