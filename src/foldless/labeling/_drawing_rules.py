"""The rules by which pool rows are drawn, with known probabilities, or picked where these are not asked for.

A pool row weighs u², with u how unsure the leaders are about it, and labels and pool are cut into clusters by these
weights. Half of every probability is alike for all rows: so no label stands for many rows, and labels remain a fair
sample to compare candidates on. Rows that are picked and not drawn teach about as much, and mislead the choice.

References
----------
Zhdanov (2019). Diverse mini-batch active learning. arXiv:1901.05954.
Hacohen, Dekel & Weinshall (2022). Active learning on a budget: opposite strategies suit high and low budgets. ICML.
Grafström & Lundström (2013). Why well spread probability samples are balanced. Open Journal of Statistics 3.
"""

from typing import NamedTuple

import numpy as np

from foldless.core import Array
from foldless.labeling._known_probabilities import Draw
from foldless.labeling._pool_view import PoolView


def draw_needed(view: PoolView, n: int, rng: np.random.Generator) -> Draw:
    """Rows drawn where a label is needed, to train the winner and to choose it.

    *To train*: rows that the leaders are unsure about, in parts of the pool that have few labels. The score of a row is

        u² / (1 + the labels of its cluster)

    *To choose*: rows that different leaders, each trained on all labels, label differently, 1 − Σ v² with the shares v
    of their weighted votes. On all others they are right or wrong together.

    Both scores add up to the same; where no leaders differ the first stands alone. Rows are drawn along a walk from
    cluster to cluster, always to the nearest that is left, which spreads them.
    """
    parts = clusters(view, n, rng)
    scores, disputed = parts.weights / (1 + parts.labels[parts.cluster_of]), disputes(view)
    if disputed.sum() > 0:
        scores = scores / scores.sum() + disputed / disputed.sum()
    order = np.lexsort((parts.squared_distances, walk(parts.centers)[parts.cluster_of]))
    return Draw(np.asarray(scores), order)


UNIFORM_OF_AVERAGE = 0.25  # ε: with .5, .003 less at 100 labels, within chance (benchmarks.league.label_proxy)


def draw_for_average(view: PoolView, n: int, rng: np.random.Generator) -> Draw:
    """Rows drawn where a label is needed to train an average of models, of which none is to be chosen.

    The score of a row is

        u² Σ p / √(1 + the labels of the class) / (1 + the labels of its cluster) · exp(−d² / the mean d² there)

    with u the rank of the average's margin, the sum over its probabilities p of the classes, and d the distance to the
    center: classes with few labels come first, and rows that are typical of their part of the pool. Three quarters of a
    probability go by the scores: a label stands for at most four times as many rows as one that was drawn at random.
    """
    rare = view.shares @ (1 / np.sqrt(1 + np.bincount(view.ground.task.y, minlength=view.shares.shape[1])))
    parts = clusters(view, n, rng, rare)
    at, squared = parts.cluster_of, parts.squared_distances
    means = np.bincount(at, squared, len(parts.labels)) / np.maximum(1, np.bincount(at, minlength=len(parts.labels)))
    typical = np.exp(-squared / np.maximum(means[at], np.finfo(float).tiny))
    order = np.lexsort((squared, walk(parts.centers)[at]))
    return Draw(np.asarray(typical * parts.weights / (1 + parts.labels[at])), order, UNIFORM_OF_AVERAGE)


def disputes(view: PoolView) -> Array:
    """How far the leaders, each trained on all labels, differ about a row; of values the spread."""
    if view.full.sum() < 2:
        return np.zeros(view.votes.shape[1])
    votes, weights = view.votes[view.full], view.weights[view.full] / view.weights[view.full].sum()
    if view.regression:
        return np.asarray(np.sqrt(weights @ np.square(votes - weights @ votes)))
    return np.asarray(1 - sum(np.square(weights @ (votes == code)) for code in np.unique(votes)))


def walk(centers: Array) -> Array:
    """The place of each center on a walk that begins with the first and goes on to the nearest that is left.

    Examples
    --------
    >>> walk(np.array([[0.0], [5.0], [1.0], [2.0]])).tolist()
    [0, 3, 1, 2]
    """
    places, at = np.full(len(centers), -1), 0
    for place in range(len(centers)):
        places[at] = place
        squared_distances = np.square(centers - centers[at]).sum(axis=1)
        squared_distances[places >= 0] = np.inf
        at = int(squared_distances.argmin())
    return places


def draw_unsure(view: PoolView, _: int, rng: np.random.Generator) -> Draw:
    """Rows by how unsure the leaders are, in the order of what they say of the rows."""
    return Draw(view.unsure, np.lexsort((rng.random(len(view.unsure)), view.unsure, view.labels)))


def pick_diverse(view: PoolView, n: int, rng: np.random.Generator) -> Array:
    """Rows that the leaders dispute, each in another part of the pool, and first where there are no labels.

    One after the other, the cluster with the largest

        Σ over its pool rows of u² / (1 + its labels and rows taken so far)

    gives the row nearest to its center. Uncertainty alone asks for noise and outliers where labels are few; clusters
    alone ask where all is known.
    """
    parts = clusters(view, n, rng)
    members: list[list[int]] = [[] for _ in parts.labels]
    for row in np.argsort(parts.squared_distances, kind="stable")[::-1].tolist():  # the last of each is the nearest
        members[parts.cluster_of[row]].append(row)
    mass, n_seen = np.bincount(parts.cluster_of, parts.weights, len(members)), 1.0 + parts.labels
    picked: list[int] = []
    while len(picked) < n:
        best = int(np.argmax(mass / n_seen))
        if not members[best]:
            mass[best] = -1.0
            continue
        picked.append(members[best].pop())
        n_seen[best] += 1
    return np.array(picked)


def draw_at_random(view: PoolView, _: int, rng: np.random.Generator) -> Draw:
    """All rows alike, in random order: what every other rule must beat."""
    return Draw(np.ones(len(view.read)), rng.permutation(len(view.read)))


POWER = 2  # of ranks: the less sure half of the rows has seven eighths of the weight
MIN_WEIGHT = 0.02  # of a row about which all leaders are certain
MAX_ROWS, MAX_CLUSTERS = 3000, 300  # pool rows that place the centers, and clusters


class Clusters(NamedTuple):
    """What k-means makes of labels and pool.

    cluster_of : the cluster of each pool row
    squared_distances : of each pool row to its center
    labels : the labels in each cluster
    centers : one row for each cluster
    weights : u² of each pool row, with u how unsure the leaders are about it, times what else it is weighed by
    """

    cluster_of: Array
    squared_distances: Array
    labels: Array
    centers: Array
    weights: Array


def clusters(view: PoolView, n: int, rng: np.random.Generator, factors: Array | float = 1.0) -> Clusters:
    """As many clusters as there are labels and wanted rows together; a label weighs as much as the mean row.

    ``factors`` multiply the weights of the pool rows.
    """
    from sklearn.cluster import KMeans

    labeled, pool = view.features
    weights = ((view.unsure / (view.unsure.max() or 1.0)) ** POWER + MIN_WEIGHT) * factors
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
