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

import numpy as np

from foldless.core import Array
from foldless.labeling._clusters import clusters
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
