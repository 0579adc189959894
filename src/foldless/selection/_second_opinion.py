"""What the estimate reads of the pool: which rows, and a second opinion on each, by a kernel of their features.

Pool rows with the content of a labeled row are left out, unless labels repeat by themselves: the model has seen them.
Numbers have a Laplace kernel of their distance over its median, texts and sparse rows the cosine.
"""

from typing import Any

import numpy as np
from scipy import sparse

from foldless.core import Array, Task
from foldless.data.features import n_rows, take
from foldless.data.numbers import as_numbers
from foldless.data.opening import Data
from foldless.data.overlap import hashes
from foldless.estimators.second_opinion import second_opinion

LEAST_POOL, POOL_PER_LABEL, MOST_POOL = 1000, 20, 10_000  # pool rows that are read: 20 for each label, within limits
MOST_LABELS = 1000  # labels that the second opinion is made of
RIDGE, RIDGE_OF_COSINES = 0.03, 0.3


def read_pool(data: Data, task: Task) -> Array:
    """Positions of the pool rows that are read, in order."""
    n, rng = len(task.unlabeled), task.rng("pool of the estimate")
    most = min(max(LEAST_POOL, POOL_PER_LABEL * len(task.labeled)), MOST_POOL)
    read = np.arange(n) if n <= most else np.sort(rng.choice(n, most, replace=False))
    try:
        labeled = hashes(data.labeled)
        if len(np.unique(labeled)) < len(labeled):
            return read
        return np.asarray(read[~np.isin(hashes(take(data.pool, read)), labeled)])
    except (TypeError, ValueError):  # rows without a content that can be compared
        return read


def opinions(data: Data, task: Task, read: Array) -> tuple[Array, Array] | None:
    """Scores of the classes at labeled rows and at pool rows; None where rows are neither numbers nor texts."""
    rng = task.rng("second opinion")
    units = np.arange(len(task.y)) if task.groups is None else np.unique(task.groups, return_inverse=True)[1]
    used = _used(units, rng)
    rest = np.setdiff1d(np.arange(len(units)), used)
    try:
        features = as_numbers([data.labeled, take(data.pool, read)], rng)
    except (TypeError, ValueError):
        return None
    rows = np.concatenate([used, rest, np.arange(len(units), n_rows(features))])
    gram, ridge = _gram(features[rows], len(used))
    scores = np.empty((len(rows), task.n_classes))
    scores[rows] = second_opinion(gram, task.y[used], task.n_classes, ridge, units[used])
    return scores[: len(units)], scores[len(units) :]


def _used(units: Array, rng: np.random.Generator) -> Array:
    """Positions of labels, MOST_LABELS at most, and of no unit only a part."""
    if len(units) <= MOST_LABELS:
        return np.arange(len(units))
    order = np.argsort(rng.permutation(units.max() + 1)[units], kind="stable")
    cut = units[order[MOST_LABELS]]
    used = order[:MOST_LABELS]
    whole = used[units[used] != cut]
    return np.asarray(whole if len(whole) else used)


def _gram(features: Any, n: int) -> tuple[Array, float]:
    """The kernel of all rows with the first n, and the ridge that goes with it."""
    products = features @ features[:n].T
    if sparse.issparse(features):
        return np.asarray(products.toarray()), RIDGE_OF_COSINES
    lengths = np.einsum("ij,ij->i", features, features)
    gram = products  # in place: it is the largest array of the estimate
    gram *= -2
    gram += lengths[:, None]
    gram += lengths[None, :n]
    np.sqrt(np.maximum(gram, 0, out=gram), out=gram)
    apart = gram[:n][gram[:n] > 0]
    gram /= -(float(np.median(apart)) if len(apart) else 1.0)
    return np.asarray(np.exp(gram, out=gram)), RIDGE
