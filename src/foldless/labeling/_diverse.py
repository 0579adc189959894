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
from foldless.labeling._pool_view import PoolView


def pick(view: PoolView, n: int, rng: np.random.Generator) -> Array:
    """n rows, one after the other."""
    found = clusters(view, n, rng)
    members: list[list[int]] = [[] for _ in found.labels]
    for row in np.argsort(found.apart, kind="stable")[::-1].tolist():  # the last of each cluster is the nearest
        members[found.own[row]].append(row)
    mass, seen, chosen = np.bincount(found.own, found.weights, len(members)), 1.0 + found.labels, list[int]()
    while len(chosen) < n:
        best = int(np.argmax(mass / seen))
        if not members[best]:
            mass[best] = -1.0
            continue
        chosen.append(members[best].pop())
        seen[best] += 1
    return np.array(chosen)
