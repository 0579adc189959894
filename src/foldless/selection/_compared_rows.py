"""Labels and pool side by side: which rows may be compared, and kernels of their features.

The test of labels against pool reads some hundred rows of each part for kernels, and some thousand for columns of
numbers, which cost less. Labels that were not drawn at random are unlike the pool, and are not read. Of each group one
row is taken. Contents that repeat in one part are expected to repeat if most of them are in the other part too.
Otherwise they are copies: these are not independent draws, and count once. Then as many rows of each part are compared,
because a larger part has more of the rare contents.

The estimate has a second opinion on each row. The model has seen pool rows with the content of a labeled row: they are
left out, unless labels are expected to repeat. Numbers have a Laplace kernel of their distance over its median, texts
and sparse rows the cosine.
"""

from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

from foldless._log import stage
from foldless.accuracy._column_shift import column_test
from foldless.accuracy._second_opinion import opinion_and_weights
from foldless.accuracy._shift import FEWEST, ModelOutputs, n_columns, shift
from foldless.core import Array, Task
from foldless.core._threads import one_blas_thread
from foldless.data._columns import time_zones
from foldless.data._compared_columns import compared_columns
from foldless.data._features import n_rows, take
from foldless.data._numbers import as_numbers
from foldless.data._sample import Sample
from foldless.results.shift import Shift

LABELS, BOTH = 300, 600  # rows of the labels, and of both parts, that kernels and words are made of, at most
LABELS_OF_COLUMNS, POOL_OF_COLUMNS = 1000, 2000  # the same of columns of numbers and categories
PER_LABEL = 4  # pool rows for each label: more of them make a test hardly better
MIN_POOL_ROWS, MAX_POOL_ROWS = 1000, 10_000  # pool rows that are read
POOL_PER_LABEL = 20
# labels that the second opinion is made of: of 2,000 labels, intervals are 1 to 8 % wider than with 1,000 of them, in a
# quarter of the time
MAX_LABELS = 500
RIDGE, RIDGE_OF_COSINES = 0.03, 0.3
BLOCK, COLUMNS_AT_ONCE = 2**16, 2**22  # numbers: of a kernel that stay in the cache, and of weights of features
NATURAL = 0.5  # of the repeated contents in both parts, from which on they are no copies


@stage("the comparison of labels and pool")
def shift_of(sample: Sample, task: Task, outputs: ModelOutputs | None = None) -> Shift | None:
    """Whether labels and pool differ; None without a pool, or where rows are few or cannot be compared.

    ``outputs`` are what the chosen model says of labeled rows and of pool rows, where it is known.
    """
    if sample.pool is None:
        return None
    rng = task.rng("shift")
    labeled, pool = _sampled(sample, task, rng)
    if sample.draws is not None:
        labeled = labeled[np.isnan(sample.draws.probabilities[labeled])]
    try:
        labeled, pool = _distinct(sample, labeled, pool)
        if min(len(labeled), len(pool)) < FEWEST:
            return None
        few = labeled[:LABELS], pool[: BOTH - min(len(labeled), LABELS)]
        features = as_numbers([take(sample.labeled, few[0]), take(sample.pool, few[1])], rng, date_parts=True)
        rows = few if _of_words(sample.labeled) else (labeled, pool)
        columns = compared_columns([take(sample.labeled, rows[0]), take(sample.pool, rows[1])], rng)
    except (TypeError, ValueError):  # rows that are neither numbers nor texts
        return None
    codes, classes = halves(task.y[few[0]]) if task.regression else (task.y[few[0]], sample.classes)
    with one_blas_thread():  # matrices of some hundred rows
        by_column = column_test(columns, len(rows[0]), rng)
        tested = shift(kernel(features, n_columns(*map(len, few))), codes, classes, rng, by_column, outputs)
    return None if tested is None else tested.with_zones(time_zones(sample.labeled), time_zones(sample.pool))


def _of_words(X: Any) -> bool:
    """Whether rows are texts, or hold some: words take time."""
    if sparse.issparse(X):
        return False
    if isinstance(X, pd.DataFrame):
        return not all(map(pd.api.types.is_numeric_dtype, X.dtypes))
    return hasattr(X, "columns") or np.asarray(take(X, slice(0, 1))).dtype.kind not in "biuf"


def halves(y: Array) -> tuple[Array, Array]:
    """Values as two classes: up to their median, and above it."""
    median = float(np.median(y))
    return (y > median).astype(np.int64), np.array([f"y up to {median:.4g}", f"y above {median:.4g}"])


def kernel(features: Any, columns: int) -> Array:
    """A linear and a Gaussian kernel, half of each, of all rows with the first ones; the width is the median distance.

    The test must cost little beside a search: one array holds the squared distances, then both kernels, and the median
    is that of every second row and column.
    """
    linear = features @ features[:columns].T
    linear = np.asarray(linear.toarray() if sparse.issparse(linear) else linear)
    lengths = _squared_lengths(features)
    both = -2 * linear
    both += lengths[:, None]
    both += lengths[:columns]
    np.maximum(both, 0, out=both)
    both /= -(float(np.median(both[::2, ::2])) or 1.0)
    np.exp(both, out=both)
    linear /= lengths.mean() or 1.0
    both += linear
    both /= 2
    return both


def _squared_lengths(features: Any) -> Array:
    if sparse.issparse(features):
        return np.asarray(features.multiply(features).sum(axis=1)).ravel()
    return np.asarray(np.einsum("ij,ij->i", features, features))


def comparable(sample: Sample) -> Array:
    """Positions of labeled rows that may be compared with the pool: one of each group, and none that was chosen."""
    rows = np.arange(len(sample.y)) if sample.groups is None else np.unique(sample.groups, return_index=True)[1]
    return rows if sample.draws is None else rows[np.isnan(sample.draws.probabilities[rows])]


def picked(sample: Sample) -> bool:
    """Whether some labels were selected non-randomly, not drawn: they have no probability."""
    return sample.draws is not None and bool((sample.draws.probabilities == 0).any())


def stands_for(sample: Sample, drawn: Array | None) -> Array | None:
    """What labels count where some were drawn or selected non-randomly; ``drawn`` are the weights of those drawn.

    Where all were drawn these say it. Labels that were chosen count half by the rows to which they are the nearest
    label, and half alike: few labels that stand for many rows would make scores a matter of chance. None where labels
    count alike, or rows cannot be compared.
    """
    if not picked(sample):
        return drawn
    if sample.pool is None:
        return None
    from sklearn.metrics import pairwise_distances_argmin

    n, rng = n_rows(sample.pool), np.random.default_rng(len(sample.y))
    read = np.arange(n) if n <= MAX_POOL_ROWS // 5 else np.sort(rng.choice(n, MAX_POOL_ROWS // 5, replace=False))
    try:
        both = as_numbers([sample.labeled, take(sample.pool, read)], rng)
    except (TypeError, ValueError):
        return None
    counts = np.bincount(pairwise_distances_argmin(both, both[: len(sample.y)]), minlength=len(sample.y))
    return np.asarray(counts / counts.sum() / 2 + 1 / (2 * len(counts)))


def read_pool(sample: Sample, task: Task) -> Array:
    """Positions of the pool rows that are read, in order."""
    n, rng = len(task.unlabeled), task.rng("pool of the estimate")
    most = min(max(MIN_POOL_ROWS, POOL_PER_LABEL * len(task.labeled)), MAX_POOL_ROWS)
    read = np.arange(n) if n <= most else np.sort(rng.choice(n, most, replace=False))
    try:
        labeled = sample.row_hashes.of(sample.labeled)
        if len(np.unique(labeled)) < len(labeled) and sample.copies is None:
            return read
        return np.asarray(read[~np.isin(sample.row_hashes.at(sample.pool, read), labeled)])
    except (TypeError, ValueError):  # rows without a content that can be compared
        return read


def opinions(sample: Sample, task: Task, read: Array) -> tuple[Array, Array] | None:
    """Scores of the classes at labeled rows and at pool rows; None where rows are neither numbers nor texts."""
    rng = task.rng("second opinion")
    units = task.units
    used = _used(units, rng)
    rest = np.setdiff1d(np.arange(len(units)), used)
    try:
        features = as_numbers([sample.labeled, take(sample.pool, read)], rng)
    except (TypeError, ValueError):
        return None
    others = np.concatenate([rest, np.arange(len(units), n_rows(features))])
    kernel_of = _Cosines if sparse.issparse(features) else _Laplace
    scores = np.empty((n_rows(features), task.n_classes))
    with one_blas_thread():
        compared = kernel_of(features[used])
        own, weights = opinion_and_weights(compared.gram, task.y[used], task.n_classes, compared.ridge, units[used])
        scores[used] = own
        scores[others] = compared.products(features, others, weights) + weights.sum(axis=0)
    return scores[: len(units)], scores[len(units) :]


def _sampled(sample: Sample, task: Task, rng: np.random.Generator) -> tuple[Array, Array]:
    """Positions of labeled rows and of pool rows, one of each group, in random order."""
    labeled = _one_of_each(task.groups, rng.permutation(len(task.labeled)))[:LABELS_OF_COLUMNS]
    n = len(task.unlabeled)
    most = min(n, POOL_OF_COLUMNS, max(PER_LABEL * len(labeled), BOTH))
    if sample.pool_groups is None:
        return labeled, rng.choice(n, most, replace=False)
    return labeled, _one_of_each(sample.pool_groups, rng.permutation(n))[:most]


def _one_of_each(groups: Array | None, order: Array) -> Array:
    if groups is None:
        return order
    _, first = np.unique(groups[order], return_index=True)
    return np.asarray(order[np.sort(first)])


def _distinct(sample: Sample, labeled: Array, pool: Array) -> tuple[Array, Array]:
    """The same positions, of copies only one of each."""
    mine, theirs = sample.row_hashes.at(sample.labeled, labeled), sample.row_hashes.at(sample.pool, pool)
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
    distinct, counts = np.unique(contents, return_counts=True)
    return np.asarray(distinct[counts > 1])


def _used(units: Array, rng: np.random.Generator) -> Array:
    """Positions of labels, MAX_LABELS at most, and of no unit only a part."""
    if len(units) <= MAX_LABELS:
        return np.arange(len(units))
    order = np.argsort(rng.permutation(units.max() + 1)[units], kind="stable")
    cut = units[order[MAX_LABELS]]
    used = order[:MAX_LABELS]
    whole = used[units[used] != cut]
    return np.asarray(whole if len(whole) else used)


class _Laplace:
    """exp(−distance / its median) of rows of numbers; some rows at a time, so that they stay in the cache."""

    ridge = RIDGE

    def __init__(self, labeled: Array):
        self._labeled, self._lengths = labeled, _squared_lengths(labeled)
        distances = self._distances(labeled)
        apart = distances[distances > 0]
        self._median = float(np.median(apart)) if len(apart) else 1.0
        self.gram = self._from(distances)

    def products(self, features: Array, rows: Array, weights: Array) -> Array:
        """The kernel of some rows with the labeled ones, times weights."""
        step = max(1, BLOCK // max(1, len(self._labeled)))
        parts = (features[rows[at : at + step]] for at in range(0, len(rows), step))
        kernels = (self._from(self._distances(part)) for part in parts)
        return np.vstack([np.empty((0, weights.shape[1])), *(of_part @ weights for of_part in kernels)])

    def _distances(self, rows: Array) -> Array:
        distances = rows @ self._labeled.T
        distances *= -2
        distances += _squared_lengths(rows)[:, None]
        distances += self._lengths
        return np.asarray(np.sqrt(np.maximum(distances, 0, out=distances), out=distances))

    def _from(self, distances: Array) -> Array:
        distances /= -self._median
        return np.asarray(np.exp(distances, out=distances))


class _Cosines:
    """Products of sparse rows of length 1: K W is X (XᵀW), so that a kernel is made of the labeled rows only.

    Features that no labeled row has are left out, so that XᵀW is small enough for the cache.
    """

    ridge = RIDGE_OF_COSINES

    def __init__(self, labeled: Any):
        self._used = np.flatnonzero(np.bincount(labeled.indices))  # as np.unique, sooner
        self._transposed = labeled[:, self._used].T.tocsr()
        self.gram = np.asarray((labeled @ labeled.T).toarray())

    def products(self, features: Any, rows: Array, weights: Array) -> Array:
        """The same, for some columns of the weights at a time: those of all features may be many."""
        asked, step = features[rows][:, self._used], max(1, COLUMNS_AT_ONCE // max(1, len(self._used)))
        columns = (slice(at, at + step) for at in range(0, weights.shape[1], step))
        return np.hstack([asked @ (self._transposed @ weights[:, part]) for part in columns])
