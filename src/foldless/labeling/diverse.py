"""Rows that the leaders dispute, each of another part of the pool: k-means weighted by the dispute.

The pool is cut into n clusters by k-means, in which a row weighs as much as the leaders are unsure about it; of each
cluster the row nearest to its center is taken.

References
----------
Zhdanov (2019). Diverse mini-batch active learning. arXiv:1901.05954.
"""

import numpy as np

from foldless.core import Array
from foldless.labeling import uncertainty
from foldless.labeling._pool_view import PoolView

PREFILTER = 10  # times the rows wanted, that are looked at
LEAST = 0.01  # weight of a row about which all leaders are certain


def scores(view: PoolView) -> Array:
    """How unsure the leaders are."""
    return uncertainty.scores(view)


def pick(view: PoolView, n: int, rng: np.random.Generator) -> Array:
    """n rows, one of each cluster."""
    from sklearn.cluster import KMeans

    own, (_, pool) = scores(view), view.features
    likely = np.lexsort((rng.random(len(own)), -own))[: PREFILTER * n]
    if len(likely) <= n:
        return likely
    rows, weights = pool[likely], np.maximum(own[likely] / (own[likely].max() or 1.0), LEAST)
    found = KMeans(n, n_init=1, random_state=int(rng.integers(2**31))).fit(rows, sample_weight=weights)
    apart = ((rows - found.cluster_centers_[found.labels_]) ** 2).sum(axis=1)
    chosen = [likely[i[apart[i].argmin()]] for code in range(n) if len(i := np.flatnonzero(found.labels_ == code))]
    rest = likely[~np.isin(likely, chosen)]  # equal rows leave clusters empty
    return np.array([*chosen, *rest[: n - len(chosen)]])
