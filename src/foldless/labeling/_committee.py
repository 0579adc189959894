"""Rows whose labels the leaders dispute: the entropy of their weighted votes, −Σ v log v.

References
----------
Seung, Opper & Sompolinsky (1992). Query by committee. COLT.
Dagan & Engelson (1995). Committee-based sampling for training probabilistic classifiers. ICML.
"""

import numpy as np

from foldless.core import Array
from foldless.labeling import _uncertainty as uncertainty
from foldless.labeling._pool_view import PoolView


def scores(view: PoolView) -> Array:
    """The entropy of the votes on each row; of values their spread."""
    if view.regression:
        return uncertainty.scores(view)
    total = np.zeros(len(view.read))
    for code in range(view.shares.shape[1]):
        share = view.weights @ (view.votes == code)
        total -= share * np.log(np.where(share > 0, share, 1.0))
    return np.maximum(total, 0.0)


def pick(view: PoolView, n: int, rng: np.random.Generator) -> Array:
    """The n highest; ties in random order."""
    own = scores(view)
    return np.lexsort((rng.random(len(own)), -own))[:n]
