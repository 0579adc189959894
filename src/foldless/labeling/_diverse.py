"""Rows that the leaders dispute, each in another part of the pool, and first where there are no labels.

A pool row weighs u², with u how unsure the leaders are about it, and labels and pool are cut into clusters by these
weights. One after the other, the cluster with the largest

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
from foldless.labeling._clusters import clusters
from foldless.labeling._known_probabilities import Draw
from foldless.labeling._pool_view import PoolView


def draw(view: PoolView, _: int, rng: np.random.Generator) -> Draw:
    """Where probabilities must be known: by how unsure the leaders are, in the order of what they say of the rows."""
    return Draw(view.unsure, np.lexsort((rng.random(len(view.unsure)), view.unsure, view.labels)))


def pick(view: PoolView, n: int, rng: np.random.Generator) -> Array:
    """n rows, one after the other."""
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
