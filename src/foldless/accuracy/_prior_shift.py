"""Whether only class shares differ between labels and pool: is what the pool looks like a mixture of the classes?

Rows are known by their answers: bins of the probability of each class, cut at quantiles of the labels (or predicted
classes). Under prior shift the pool's mean of these features is Σ_k p_k m_k, with m_k the means of the labeled rows of
class k. The statistic is how far the nearest mixture is, in squares over the mean of the feature. Its law is drawn: a
pool of labeled rows with the shares found, and labels drawn again with replacement. Large pools find small differences.

References
----------
Vaz, Izbicki & Stern (2019). Quantification under prior probability shift: the ratio estimator and its extensions. JMLR.
"""

import numpy as np

from foldless.core import Array
from foldless.quantifiers import Held
from foldless.quantifiers._intervals import label_weights
from foldless.quantifiers._simplex import simplex_least_squares
from foldless.results.prior_shift import PriorShift

BINS_OF_TWO, BINS = 10, 4
DRAWS, LEVEL = 199, 0.01
FEWEST = 30
NOTE = (
    "the pool does not look like a mixture of the classes in the labels (p-value {p:.2g}): more than the class "
    "shares has changed, and these shares should not be trusted; label some rows of the pool"
)


def prior_shift(held: Held, pool: Array, rng: np.random.Generator, times: int = 1) -> PriorShift | None:
    """The test of out-of-fold answers of labeled rows against answers on the pool; None where rows are few.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> def answers(n, share, moved=0.0):
    ...     y = (rng.random(n) < share).astype(int)
    ...     p = 1 / (1 + np.exp(-(2 * y - 1 + rng.normal(size=n) + moved)))
    ...     return np.stack([1 - p, p], axis=1), y
    >>> held = Held(*answers(300, 0.3), n_classes=2)
    >>> prior_shift(held, answers(2000, 0.8)[0], rng).alarm, prior_shift(held, answers(2000, 0.8, 2.0)[0], rng).alarm
    (False, True)
    """
    n = len(pool) // times
    seen = np.flatnonzero(held.sizes > 0)
    if min(n, len(held.y)) < FEWEST or len(seen) < 2:
        return None
    mine, theirs = _features(held.answers, pool, held.n_classes)
    mean = mine.mean(axis=0) * 0.5 + theirs.mean(axis=0) * 0.5
    used = mean > 0
    scale = 1 / np.sqrt(mean[used])
    mine, bag = mine[:, used] * scale, theirs[:, used].mean(axis=0) * scale
    codes = np.searchsorted(seen, held.y)
    shares, distance = _nearest(_means(mine, codes, np.ones(len(codes)), len(seen)), bag)
    farther = 0
    for _ in range(DRAWS):
        drawn = _pool_like(mine, codes, rng.multinomial(n, shares), rng)
        means = _means(mine, codes, label_weights(codes, rng), len(seen))
        farther += _nearest(means, drawn)[1] >= distance
    p = (1 + farther) / (1 + DRAWS)
    return PriorShift(p <= LEVEL, p, distance)


def _features(mine: Array, theirs: Array, n_classes: int) -> tuple[Array, Array]:
    """Indicators of bins, (n, J) each."""
    if mine.ndim == 1:
        return np.eye(n_classes)[mine], np.eye(n_classes)[theirs]
    read = range(1, 2) if n_classes == 2 else range(n_classes)
    bins = BINS_OF_TWO if n_classes == 2 else BINS
    parts: tuple[list[Array], list[Array]] = ([], [])
    for at in read:
        cuts = np.unique(np.quantile(mine[:, at], np.arange(1, bins) / bins))
        for part, answers in zip(parts, (mine, theirs), strict=True):
            codes = np.searchsorted(cuts, answers[:, at], side="right")
            part.append(np.eye(len(cuts) + 1)[codes])
    return np.hstack(parts[0]), np.hstack(parts[1])


def _means(features: Array, codes: Array, weights: Array, k: int) -> Array:
    members = np.zeros((k, len(codes)))
    members[codes, np.arange(len(codes))] = weights
    return np.asarray(members @ features) / members.sum(axis=1, keepdims=True)


def _nearest(means: Array, bag: Array) -> tuple[Array, float]:
    shares = simplex_least_squares(means.T, bag[None, :])[0]
    return shares, float(((shares @ means - bag) ** 2).sum())


def _pool_like(features: Array, codes: Array, counts: Array, rng: np.random.Generator) -> Array:
    """The mean of a pool of so many rows of each class, drawn from the labeled ones."""
    total = np.zeros(features.shape[1])
    for code, count in enumerate(counts):
        rows = np.flatnonzero(codes == code)
        total += rng.multinomial(count, np.full(len(rows), 1 / len(rows))) @ features[rows]
    return total / counts.sum()
