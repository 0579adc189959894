"""Labels against pool: which rows may be compared, and a kernel of their features.

Some hundred rows of each part are enough. Of rows in a group one is taken. Contents that repeat in one part and are
mostly in the other part too repeat by nature. Otherwise they are copies, which are no independent draws and count once;
then as many rows of each part are compared, because a larger part has more of the rarer contents.
"""

from typing import Any

import numpy as np
from scipy import sparse

from foldless.core import Array, Task
from foldless.data.features import take
from foldless.data.numbers import as_numbers
from foldless.data.opening import Data
from foldless.data.overlap import hashes
from foldless.estimators.shift import FEWEST, Shift, shift

LABELS, BOTH = 300, 600  # rows of the labels, and of both parts, at most
NATURAL = 0.5  # of the repeated contents in both parts, from which on they are no copies


def shift_of(data: Data, task: Task) -> Shift | None:
    """Whether labels and pool differ; None without a pool, or where rows are few or cannot be compared."""
    if data.pool is None:
        return None
    rng = task.rng("shift")
    labeled, pool = _sampled(task, rng)
    try:
        labeled, pool = _distinct(data, labeled, pool)
        if min(len(labeled), len(pool)) < FEWEST:
            return None
        features = as_numbers([take(data.labeled, labeled), take(data.pool, pool)], rng)
    except (TypeError, ValueError):  # rows that are neither numbers nor texts
        return None
    return shift(kernel(features), task.y[labeled], data.classes, rng)


def kernel(features: Any) -> Array:
    """A linear and a Gaussian kernel, half of each; the width is the median distance."""
    linear = np.asarray((features @ features.T).toarray() if sparse.issparse(features) else features @ features.T)
    lengths = linear.diagonal()
    squared = np.maximum(lengths[:, None] + lengths[None, :] - 2 * linear, 0)
    width = float(np.median(squared)) or 1.0
    return np.asarray(linear / (lengths.mean() or 1.0) + np.exp(-squared / width)) / 2


def _sampled(task: Task, rng: np.random.Generator) -> tuple[Array, Array]:
    """Positions of labeled rows, one of each group, and of pool rows, in random order."""
    labeled = rng.permutation(len(task.labeled))
    if task.groups is not None:
        _, first = np.unique(task.groups[labeled], return_index=True)
        labeled = labeled[np.sort(first)]
    labeled = labeled[:LABELS]
    n = len(task.unlabeled)
    return labeled, rng.choice(n, min(n, BOTH - len(labeled)), replace=False)


def _distinct(data: Data, labeled: Array, pool: Array) -> tuple[Array, Array]:
    """The same positions, of copies only one of each."""
    mine, theirs = hashes(take(data.labeled, labeled)), hashes(take(data.pool, pool))
    repeated = np.concatenate([_repeated(mine), _repeated(theirs)])
    if not len(repeated) or (np.isin(repeated, mine) & np.isin(repeated, theirs)).mean() >= NATURAL:
        return labeled, pool
    size = min(len(labeled), len(pool))
    both = np.intersect1d(mine[:size], theirs[:size])
    kept = []
    for content in (mine[:size], theirs[:size]):
        _, first = np.unique(content, return_index=True)
        kept.append(np.sort(first[~np.isin(content[first], both)]))
    return labeled[kept[0]], pool[kept[1]]


def _repeated(contents: Array) -> Array:
    """The contents that occur more than once."""
    distinct, counts = np.unique(contents, return_counts=True)
    return np.asarray(distinct[counts > 1])
