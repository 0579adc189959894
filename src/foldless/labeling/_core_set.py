"""Rows that cover the pool: each is the one farthest from all labeled and chosen rows (greedy k-center).

References
----------
Sener & Savarese (2018). Active learning for convolutional neural networks: a core-set approach. ICLR.
"""

import numpy as np

from foldless.core import Array
from foldless.labeling._pool_view import PoolView


def pick(view: PoolView, n: int, rng: np.random.Generator) -> Array:  # noqa: ARG001 (all strategies have it)
    """n rows, one after the other."""
    labeled, pool = view.features
    nearest = np.full(len(pool), np.inf)
    for row in labeled:
        nearest = np.minimum(nearest, squared(pool, row))
    chosen: list[int] = []
    for _ in range(n):
        at = int(nearest.argmax())
        chosen.append(at)
        nearest = np.minimum(nearest, squared(pool, pool[at]))
        nearest[at] = -1.0
    return np.array(chosen)


def squared(rows: Array, center: Array) -> Array:
    """Squared distances to one row."""
    apart = rows - center
    return np.asarray(np.einsum("ij,ij->i", apart, apart))
