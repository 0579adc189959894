"""The first rows to label, before any model is trained: typical ones, of all parts of the pool.

The pool is cut into clusters, of which each has the same share of the labels, and in a cluster rows with near neighbors
come first: score = t² / (rows of the cluster · (1 + labels of the cluster)), with t the rank of a row by how near its
neighbors are. Half of every probability is alike for all rows, as in later draws, so that labels remain a sample.

References
----------
Hacohen, Dekel & Weinshall (2022). Active learning on a budget: opposite strategies suit high and low budgets. ICML.
"""

from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from foldless.core import Array
from foldless.core._resampling import check_whole
from foldless.data._features import n_rows, take
from foldless.data._numbers import as_numbers
from foldless.labeling._drawing_rules import walk
from foldless.labeling._known_probabilities import Draw, inclusion, systematic
from foldless.labeling._pool_view import reduced

MAX_READ = 3000  # rows, drawn at random: a page waits for it
NEIGHBORS = 20


class FirstRows(NamedTuple):
    """Pool rows to label first: their positions, in random order, and the probability with which each was drawn."""

    rows: Array
    probabilities: Array


def first_rows(X_pool: Any, n: int = 30, *, X: Any = None, random_state: int = 0) -> FirstRows:
    """Pool rows to label before there is a model, typical of different parts of the pool.

    Parameters
    ----------
    X_pool : data frame, array, sparse matrix or list of texts
        The rows without a label.
    n : int
        How many rows.
    X : like X_pool, optional
        Rows that have labels: parts of the pool in which there are some have fewer of the new ones.
    random_state : int
        The seed.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from foldless.labeling import first_rows
    >>> rows, probabilities = first_rows(load_iris().data, 6)
    >>> len(rows), bool((probabilities >= 0.5 * 6 / 150).all())
    (6, True)
    """
    check_whole("n", n)
    rng, size = np.random.default_rng(random_state), n_rows(X_pool)
    read = np.arange(size) if size <= MAX_READ else np.sort(rng.choice(size, MAX_READ, replace=False))
    pool = take(X_pool, read)
    n_labeled = 0 if X is None else n_rows(X)
    try:
        both = as_numbers([pool] if X is None or not n_labeled else [X, pool], rng)
    except (TypeError, ValueError):  # rows that are neither numbers nor texts: nothing tells them apart
        both = np.zeros((n_labeled + len(read), 1))
    both = reduced(both, rng) if sparse.issparse(both) else both
    both = both if both.shape[1] else np.zeros((len(both), 1))
    scores, order, uniform = draw_typical(both[:n_labeled], both[n_labeled:], n, rng)
    chances = inclusion(scores, n, uniform)
    rows = systematic(chances, order, rng)
    rows = rows[rng.permutation(len(rows))]
    return FirstRows(read[rows], chances[rows] * len(read) / size)


def draw_typical(labeled: Array, pool: Array, n: int, rng: np.random.Generator) -> Draw:
    """Scores and order of the rows, from their features and those of the labeled rows."""
    from sklearn.cluster import KMeans

    both = np.vstack([labeled, pool])
    k = min(n + len(labeled), len(np.unique(both, axis=0)))
    k_means = KMeans(k, n_init=1, random_state=int(rng.integers(2**31))).fit(both)
    cluster_of, centers = k_means.labels_[len(labeled) :], k_means.cluster_centers_
    labels = np.bincount(k_means.labels_[: len(labeled)], minlength=k)
    sizes = np.bincount(cluster_of, minlength=k)
    scores = typicality(pool) ** 2 / (sizes * (1 + labels))[cluster_of]
    squared_distances = np.square(pool - centers[cluster_of]).sum(axis=1)
    return Draw(scores, np.lexsort((squared_distances, walk(centers)[cluster_of])))


def typicality(pool: Array) -> Array:
    """The rank of each row, from 0 to 1, by the mean distance of its nearest neighbors; the nearest have the highest.

    Examples
    --------
    >>> typicality(np.array([[0.0], [0.1], [0.2], [9.0]])).argmin()
    np.int64(3)
    """
    from sklearn.neighbors import NearestNeighbors

    k = min(NEIGHBORS, len(pool) - 1)
    if k < 1:
        return np.ones(len(pool))
    distances, _ = NearestNeighbors(n_neighbors=k).fit(pool).kneighbors()
    return np.asarray((np.argsort(np.argsort(-distances.mean(axis=1), kind="stable")) + 0.5) / len(pool))
