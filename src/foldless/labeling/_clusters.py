"""Labels and pool in clusters, smaller ones where the leaders are less sure."""

from typing import NamedTuple

import numpy as np

from foldless.core import Array
from foldless.labeling._pool_view import PoolView

POWER = 2  # of ranks: the less sure half of the rows has seven eighths of the weight
MIN_WEIGHT = 0.02  # of a row about which all leaders are certain
MAX_ROWS, MAX_CLUSTERS = 3000, 300  # pool rows that place the centers, and clusters


class Clusters(NamedTuple):
    """What k-means makes of labels and pool.

    cluster_of : the cluster of each pool row
    squared_distances : of each pool row to its center
    labels : the labels in each cluster
    centers : one row for each cluster
    weights : u² of each pool row, with u how unsure the leaders are about it
    """

    cluster_of: Array
    squared_distances: Array
    labels: Array
    centers: Array
    weights: Array


def clusters(view: PoolView, n: int, rng: np.random.Generator) -> Clusters:
    """As many clusters as there are labels and wanted rows together; a label weighs as much as the mean row."""
    from sklearn.cluster import KMeans

    labeled, pool = view.features
    weights = (view.unsure / (view.unsure.max() or 1.0)) ** POWER + MIN_WEIGHT
    seen = np.arange(len(pool)) if len(pool) <= MAX_ROWS else rng.choice(len(pool), MAX_ROWS, replace=False)
    both = np.vstack([labeled, pool[seen]])
    k = min(n + len(labeled), MAX_CLUSTERS, len(np.unique(both, axis=0)))  # no more centers than distinct rows
    k_means = KMeans(k, n_init=1, random_state=int(rng.integers(2**31))).fit(
        both, sample_weight=np.concatenate([np.full(len(labeled), weights.mean()), weights[seen]])
    )
    cluster_of = k_means.predict(pool)
    squared_distances = np.square(pool - k_means.cluster_centers_[cluster_of]).sum(axis=1)
    labels = np.bincount(k_means.labels_[: len(labeled)], minlength=k)
    return Clusters(cluster_of, squared_distances, labels, k_means.cluster_centers_, weights)
