"""Rows of numbers that are nearly equal: much nearer to each other than to any other row.

With m the median distance to the nearest *other* row, rows are near copies if their distance is below m / 1,000. The
nearest other row is the first behind the last jump by a factor of 1,000 in the sorted distances of a row, so that
copies do not make m small. Chance puts n / 2 · log 2 · 1,000^−d pairs so near, where d is the dimension that neighbors
show; near copies are those beyond it by a Poisson tail, and each set of them must be 100 times as far from every other
row as its rows are from each other: a dense part of the data is none. Neither is a single set of more than √n rows that
is much larger than all others: that is a value with noise.

Pairs are found along a random direction: rows that are near are near along it. Wide and sparse rows are projected to
few dimensions first (Johnson and Lindenstrauss, 1984).
"""

from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse, stats
from scipy.sparse.csgraph import connected_components
from scipy.spatial.distance import cdist

from foldless.core import Array

FAR_BELOW = 1e-3  # of the distance to the nearest other row
CLEAR = 100  # times as far from others as from each other
RARE = 1e-3  # of data without copies in which near rows may be taken for copies
SAMPLED, NEIGHBORS = 200, 40  # rows whose distances are read, and how many of each: the copies of a row are fewer
WIDE, PROJECTED = 64, 32  # columns above which rows are projected, and to how many
CANDIDATES = 2_000_000  # pairs that are compared: beyond, directions tell too little
ALONE = 5  # times as large as the next set
VERIFIED = 1000  # sets that are compared with all other rows


def near_rows(matrix: Any, others: Array | None = None) -> Array | None:
    """A number for each row, equal for near copies, from numbers or a sparse matrix; None where there are too many.

    Rows must be distinct. Near copies have equal numbers in ``others``.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(50, 3))
    >>> len(np.unique(near_rows(X))), len(np.unique(near_rows(np.vstack([X, X[:5] + 1e-7]))))
    (50, 50)
    """
    n, alone = matrix.shape[0], np.arange(matrix.shape[0])
    if n < 5 or not matrix.shape[1]:
        return alone
    rng = np.random.default_rng(0)
    if sparse.issparse(matrix):
        matrix = matrix[:, np.flatnonzero(np.bincount(matrix.indices))]  # as np.unique, in a twentieth of its time
    if sparse.issparse(matrix) or matrix.shape[1] > WIDE:
        matrix = np.asarray(matrix @ rng.normal(size=(matrix.shape[1], PROJECTED))) / np.sqrt(PROJECTED)
    others = np.zeros(n, dtype=int) if others is None else others
    typical, dimension = _typical(matrix, rng)
    if not typical > 0:
        return alone
    pairs = _near_pairs(matrix, others, FAR_BELOW * typical, rng)
    if pairs is None:
        return None
    sets = joined(pairs, n)
    by_chance = n / 2 * np.log(2) * FAR_BELOW**dimension
    sizes = np.bincount(sets)
    if stats.poisson.sf((sizes > 1).sum() - 1, by_chance) >= RARE:
        return alone
    return _clear(matrix, sets, pairs)


def _typical(matrix: Array, rng: np.random.Generator) -> tuple[float, float]:
    """The median distance to the nearest other row, and the dimension by how fast the number of neighbors grows."""
    n = len(matrix)
    sampled = rng.choice(n, min(n, SAMPLED), replace=False)
    distances = cdist(matrix[sampled], matrix)
    distances[np.arange(len(sampled)), sampled] = np.inf
    nearest = np.sort(distances, axis=1)[:, : min(n - 1, NEIGHBORS)]
    with np.errstate(divide="ignore", invalid="ignore"):
        jumps = nearest[:, 1:] * FAR_BELOW > nearest[:, :-1]
    last = np.where(jumps.any(axis=1), jumps.shape[1] - np.argmax(jumps[:, ::-1], axis=1), 0)
    rows = np.arange(len(nearest))
    other, step = nearest[rows, last], max(1, min(7, (n - 2) // 2))
    further = nearest[rows, np.minimum(last + step, nearest.shape[1] - 1)]
    typical = float(np.median(other))
    with np.errstate(divide="ignore", invalid="ignore"):
        grows = np.log(1 + step) / np.log(further / other)
    grows = grows[np.isfinite(grows) & (grows > 0)]
    dimension = float(np.median(grows)) if len(grows) else 1.0
    return typical, float(np.clip(dimension, 1, matrix.shape[1]))


def _near_pairs(matrix: Array, others: Array, reach: float, rng: np.random.Generator) -> Array | None:
    """Pairs of rows (m, 2) within reach; None where too many are near along every direction."""
    n = len(matrix)
    directions = rng.normal(size=(matrix.shape[1], 8))
    along = matrix @ (directions / np.linalg.norm(directions, axis=0))
    best = int(np.argmax(along.std(axis=0)))
    order = np.argsort(along[:, best], kind="stable")
    ranked = along[order, best]
    ends = np.searchsorted(ranked, ranked + reach, side="right")
    if (ends - np.arange(n) - 1).sum() > CANDIDATES:
        return None
    pairs = []
    for lag in range(1, int((ends - np.arange(n)).max())):
        start = np.flatnonzero(ends - np.arange(n) > lag)
        a, b = order[start], order[start + lag]
        close = (others[a] == others[b]) & (np.abs(along[a] - along[b]) <= reach).all(axis=1)
        a, b = a[close], b[close]
        near = np.linalg.norm(matrix[a] - matrix[b], axis=1) <= reach
        pairs.append(np.stack([a[near], b[near]], axis=1))
    return np.concatenate([np.zeros((0, 2), dtype=int), *pairs])


def _clear(matrix: Array, sets: Array, pairs: Array) -> Array:
    """The same sets, but for those that other rows are not far from."""
    sizes = np.bincount(sets)
    width = np.zeros(len(sizes))
    np.maximum.at(width, sets[pairs[:, 0]], np.linalg.norm(matrix[pairs[:, 0]] - matrix[pairs[:, 1]], axis=1))
    several = np.flatnonzero(sizes > 1)
    checked = several[np.linspace(0, len(several) - 1, min(len(several), VERIFIED)).astype(int)]
    first = np.unique(sets, return_index=True)[1]
    is_clear = np.ones(len(sizes), dtype=bool)
    for start in range(0, len(checked), 100):
        some = checked[start : start + 100]
        distances = cdist(matrix[first[some]], matrix)
        distances[sets == some[:, None]] = np.inf
        is_clear[some] = distances.min(axis=1) >= CLEAR * width[some]
    if len(checked) < len(several) and is_clear[checked].mean() < 0.9:
        return np.arange(len(sets))
    largest = int(sizes.argmax())
    if sizes[largest] > max(np.sqrt(len(sets)), ALONE * np.sort(sizes)[-2:][0]):
        is_clear[largest] = False
    split = ~is_clear[sets]
    return np.asarray(pd.factorize(np.where(split, len(sizes) + np.arange(len(sets)), sets))[0])


def joined(pairs: Array, n: int) -> Array:
    """A number for each of n rows, equal for those that pairs (m, 2) join."""
    graph = sparse.coo_matrix((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(n, n))
    return np.asarray(connected_components(graph, directed=False)[1])
