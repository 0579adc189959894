"""Rows that the leaders dispute, each in another part of the pool, and first where there are no labels.

Labels and pool are cut by k-means into as many clusters as there are labels and wanted rows together. A pool row weighs
u², with u how unsure the leaders are about it, so that clusters are smaller where there is more to learn; a label
weighs as much as the mean row. One after the other, the cluster with the largest

    Σ over its pool rows of u² / (1 + its labels and rows taken so far)

gives the row nearest to its center. Uncertainty alone asks for noise and outliers where labels are few; clusters alone
ask where all is known.

References
----------
Zhdanov (2019). Diverse mini-batch active learning. arXiv:1901.05954.
Hacohen, Dekel & Weinshall (2022). Active learning on a budget: opposite strategies suit high and low budgets. ICML.
"""

import numpy as np

from foldless.core import Array
from foldless.labeling import uncertainty
from foldless.labeling._pool_view import PoolView

STEEP = 2  # the power of ranks: the less sure half of the rows has seven eighths of the weight
LEAST = 0.02  # what a row counts about which all leaders are certain
MOST_ROWS, MOST_CLUSTERS = 3000, 300  # that are clustered, and clusters


def scores(view: PoolView) -> Array:
    """How unsure the leaders are."""
    return uncertainty.scores(view)


def pick(view: PoolView, n: int, rng: np.random.Generator) -> Array:
    """n rows, one after the other."""
    unsure, (labeled, pool) = scores(view), view.features
    unsure = (unsure / (unsure.max() or 1.0)) ** STEEP + LEAST
    seen = np.arange(len(pool)) if len(pool) <= MOST_ROWS else rng.choice(len(pool), max(n, MOST_ROWS), replace=False)
    if n >= len(seen):
        return seen[:n]
    taken = spread(labeled, pool[seen], unsure[seen], n, rng)
    return np.asarray(seen[taken])


def spread(labeled: Array, pool: Array, unsure: Array, n: int, rng: np.random.Generator) -> Array:
    """Positions of n pool rows, by the features of labeled rows and pool rows."""
    own, labels, apart = _clusters(labeled, pool, unsure, min(n + len(labeled), MOST_CLUSTERS), rng)
    nearest = np.argsort(apart, kind="stable")
    members: list[list[int]] = [[] for _ in labels]
    for row in nearest[::-1].tolist():  # the last of each cluster is the nearest
        members[own[row]].append(row)
    mass, seen, chosen = np.bincount(own, unsure, len(labels)), 1.0 + labels, list[int]()
    while len(chosen) < n:
        best = int(np.argmax(mass / seen))
        if not members[best]:
            mass[best] = -1.0
            continue
        chosen.append(members[best].pop())
        seen[best] += 1
    return np.array(chosen)


def _clusters(
    labeled: Array, pool: Array, unsure: Array, k: int, rng: np.random.Generator
) -> tuple[Array, Array, Array]:
    """The cluster of each pool row, the labels in each cluster, and the distance of pool rows to their centers."""
    from sklearn.cluster import KMeans

    both = np.vstack([labeled, pool])
    weights = np.concatenate([np.full(len(labeled), unsure.mean()), unsure])
    k = min(k, len(np.unique(both, axis=0)))  # k-means has no more centers than distinct rows
    found = KMeans(k, n_init=1, random_state=int(rng.integers(2**31))).fit(both, sample_weight=weights)
    own = found.labels_[len(labeled) :]
    labels = np.bincount(found.labels_[: len(labeled)], minlength=k)
    apart = np.square(pool - found.cluster_centers_[own]).sum(axis=1)
    return own, labels, apart
