"""Labels and pool in clusters, smaller ones where the leaders are less sure."""

from typing import NamedTuple

import numpy as np

from foldless.core import Array
from foldless.labeling._pool_view import PoolView

STEEP = 2  # the power of ranks: the less sure half of the rows has seven eighths of the weight
LEAST = 0.02  # what a row counts about which all leaders are certain
MOST_ROWS, MOST_CLUSTERS = 3000, 300  # pool rows that place the centers, and clusters


class Clusters(NamedTuple):
    """What k-means makes of labels and pool.

    own : the cluster of each pool row
    apart : the squared distance of each pool row to its center
    labels : the labels in each cluster
    centers : one row for each cluster
    weights : u² of each pool row, with u how unsure the leaders are about it
    """

    own: Array
    apart: Array
    labels: Array
    centers: Array
    weights: Array


def clusters(view: PoolView, n: int, rng: np.random.Generator) -> Clusters:
    """As many clusters as there are labels and wanted rows together; a label weighs as much as the mean row."""
    from sklearn.cluster import KMeans

    labeled, pool = view.features
    weights = (view.unsure / (view.unsure.max() or 1.0)) ** STEEP + LEAST
    seen = np.arange(len(pool)) if len(pool) <= MOST_ROWS else rng.choice(len(pool), MOST_ROWS, replace=False)
    both = np.vstack([labeled, pool[seen]])
    k = min(n + len(labeled), MOST_CLUSTERS, len(np.unique(both, axis=0)))  # no more centers than distinct rows
    found = KMeans(k, n_init=1, random_state=int(rng.integers(2**31))).fit(
        both, sample_weight=np.concatenate([np.full(len(labeled), weights.mean()), weights[seen]])
    )
    own = found.predict(pool)
    apart = np.square(pool - found.cluster_centers_[own]).sum(axis=1)
    labels = np.bincount(found.labels_[: len(labeled)], minlength=k)
    return Clusters(own, apart, labels, found.cluster_centers_, weights)
