"""Test whether only class shares differ between labels and pool: is the pool a mixture of the labeled classes?

Under prior shift the mean of anything over the pool is Σ_k p_k m_k, with m_k its means over the labeled rows of class
k. Two things are averaged. Answers: bins of the probability of each class, cut at quantiles of the labels (or predicted
classes); the shares are those of the nearest mixture, and the statistic is how far it is, in squares over the mean of
the feature. Columns: the scores of `_column_shift`, less the mixture with these shares, each over its standard error;
the statistic is the largest. Only columns that go with the answers are compared: others move no share. Both null
distributions are simulated: a pool of labeled rows with the estimated shares, and labels drawn again with replacement;
where rows belong together, whole groups are drawn. The p-value is that of both by Bonferroni. Large pools find small
differences.

No alarm does not prove that only class shares differ. Where the p-value is small, intervals of shares must also hold
under covariate shift, where rows that look alike keep their classes: `foldless.results.prior_shift.SMALL` is the limit.

References
----------
Vaz, Izbicki & Stern (2019). Quantification under prior probability shift: the ratio estimator and its extensions. JMLR.
"""

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from foldless.accuracy._column_shift import column_scores
from foldless.core import Array
from foldless.data._compared_columns import ComparedColumns
from foldless.quantifiers import Held
from foldless.quantifiers._intervals import drawn_labels, drawn_within_classes
from foldless.quantifiers._simplex import simplex_least_squares
from foldless.results.prior_shift import LEVEL, PriorShift

BINS_OF_TWO, BINS = 10, 4
DRAWS = 399
FEWEST = 30
MOST_NAMED = 6
SMALLEST_ERROR = 0.3  # of the spread of a score: where the few rows of a class are alike, the class may vary still
RELEVANT = 2.0  # standard errors of a correlation with the answers, below which a column is not compared
NOTE = (
    "the pool does not look like a mixture of the classes in the labels (p-value {p:.2g}): more than the class "
    "shares has changed, and these shares should not be trusted; label some rows of the pool"
)


class _Drawn(NamedTuple):
    """Draws: the weights of labeled rows in each pool, and in each mean of a class, and the shares found."""

    pool: Array  # (draws, n), sums to 1
    each: Array  # (draws, n), each class sums to 1
    shares: Array  # (draws, K)
    members: Array  # (n, K), 1 for the class of a row
    codes: Array


def prior_shift(
    held: Held,
    pool: Array,
    rng: np.random.Generator,
    times: int = 1,
    columns: ComparedColumns | None = None,
    group_size: float | None = None,
) -> PriorShift | None:
    """The test of out-of-fold answers of labeled rows against answers on the pool; None where rows are few.

    ``columns`` are those of the labeled rows, then of the pool or a sample of it. Where labeled rows have groups,
    ``group_size`` is how many rows of the pool belong together; by default as many as of the labels.

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
    of_seen = replace(held, y=codes, n_classes=len(seen), weights=None)
    shares, distance = _nearest(of_seen.class_means(mine), bag)
    if held.groups is None:
        counts = np.array([drawn_within_classes(codes, rng.multinomial(n, shares), rng) for _ in range(DRAWS)]) / n
    else:
        size = len(codes) / len(np.unique(held.groups)) if group_size is None else group_size
        counts = np.array([_drawn_groups(codes, held.groups, shares, n / size, rng) for _ in range(DRAWS)])
    weights = np.array([drawn_labels(of_seen, rng) for _ in range(DRAWS)])
    members = np.eye(len(seen))[codes]
    each = weights / (weights @ members)[:, codes]  # each class sums to 1
    means = np.stack([(each * members[:, k]) @ mine for k in range(len(seen))], axis=2)  # (draws, J, K)
    drawn_shares = simplex_least_squares(means, drawn := counts @ mine)
    apart = drawn - np.einsum("rjk,rk->rj", means, drawn_shares)
    distances = (apart**2).sum(axis=1)
    p = (1 + int((distances >= distance).sum())) / (1 + DRAWS)
    names: tuple[Any, ...] = ()
    if columns is not None:
        draws = _Drawn(counts, each, drawn_shares, members, codes)
        largest, names = _of_columns(columns, held, draws, shares, n)
        p = min(1.0, 2 * min(p, 1.0 if largest is None else largest))
    return PriorShift(p <= LEVEL, p, distance, names)


def prior_shift_of_counts(table: Array, counts: Array, rng: np.random.Generator) -> PriorShift:
    """The same of predicted classes alone: held-out rows by true and predicted class, and the counts of a window.

    Examples
    --------
    >>> table = np.array([[80, 20], [10, 90]])
    >>> rng = np.random.default_rng(0)
    >>> [prior_shift_of_counts(table, np.array(seen), rng).alarm for seen in ([500, 500], [50, 950], [999, 1])]
    [False, False, True]
    """
    known = table.sum(axis=1) > 0
    rates, n = table[known] / table[known].sum(axis=1, keepdims=True), int(counts.sum())
    shares, distance = _nearest(rates, counts / n)
    drawn_rates = np.stack([rng.dirichlet(row + 0.5, DRAWS) for row in table[known]], axis=2)
    mixture = shares @ rates
    drawn = rng.multinomial(n, mixture / mixture.sum(), DRAWS) / n
    nearest = simplex_least_squares(drawn_rates, drawn)
    distances = ((drawn - np.einsum("rjk,rk->rj", drawn_rates, nearest)) ** 2).sum(axis=1)
    p = (1 + int((distances >= distance).sum())) / (1 + DRAWS) if distance > 0 else 1.0
    return PriorShift(p <= LEVEL, p, distance)


def _of_columns(
    columns: ComparedColumns, held: Held, drawn: "_Drawn", shares: Array, pool_rows: int
) -> tuple[float | None, tuple[Any, ...]]:
    """The p-value of the largest residual of a column, and the names of columns that are as far as chance never is.

    Residuals are divided by their standard errors, those of each draw by its own: few rows of a class know the error of
    their mean badly.
    """
    n = len(held.y)
    scores, names = column_scores(columns, n)
    kept = _relevant(scores[:, :n], held)
    if not kept.any():
        return None, ()
    labels, pool = scores[kept, :n], scores[kept, n:]
    sizes = drawn.members.sum(axis=0)
    even = drawn.members / sizes
    floor = SMALLEST_ERROR**2 * scores[kept].var(axis=1)
    squares = labels**2

    def variances(weights: Array) -> Array:
        """Of the scores within a class, (..., J), by weights (..., n) that sum to 1."""
        return np.maximum(weights @ squares.T - (weights @ labels.T) ** 2, floor)

    residual = pool.mean(axis=1) - (even @ shares) @ labels.T
    error = np.maximum(pool.var(axis=1), floor) / pool.shape[1]
    drawn_residual = (drawn.pool - drawn.each * drawn.shares[:, drawn.codes]) @ labels.T
    drawn_error = variances(drawn.pool) / pool_rows
    for k, size in enumerate(sizes):
        error += shares[k] ** 2 * variances(even[:, k]) / max(1.0, size - 1)
        drawn_error += drawn.shares[:, [k]] ** 2 * variances(drawn.each * drawn.members[:, k]) / max(1.0, size - 1)
    farthest = np.sort((np.abs(drawn_residual) / np.sqrt(drawn_error)).max(axis=1))
    far = np.abs(residual) / np.sqrt(error)
    order = np.argsort(-far, kind="stable")
    named = np.flatnonzero(kept)
    apart = dict.fromkeys(names[named[at]] for at in order if far[at] > farthest[-1])
    return float((1 + (farthest >= far.max()).sum()) / (1 + len(farthest))), tuple(apart)[:MOST_NAMED]


def _relevant(scores: Array, held: Held) -> Array:
    """Which scores (J, n) go with the answers on labeled rows: a column that no answer depends on moves no share."""
    answers = held.answers if held.answers.ndim == 2 else np.eye(held.n_classes)[held.answers]
    centered = scores - scores.mean(axis=1, keepdims=True)
    soft = answers - answers.mean(axis=0)
    lengths = np.sqrt((centered**2).sum(axis=1))[:, None] * np.sqrt((soft**2).sum(axis=0))
    with np.errstate(invalid="ignore", divide="ignore"):
        correlations = np.abs(centered @ soft) / lengths
    return np.asarray((np.nan_to_num(correlations) >= RELEVANT / np.sqrt(len(held.y))).any(axis=1))


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


def _nearest(means: Array, bag: Array) -> tuple[Array, float]:
    shares = simplex_least_squares(means.T, bag[None, :])[0]
    return shares, float(((shares @ means - bag) ** 2).sum())


def _drawn_groups(codes: Array, groups: Array, shares: Array, n_groups: float, rng: np.random.Generator) -> Array:
    """The weight of each labeled row in a pool of so many groups, each of rows of a class; they sum to 1."""
    drawn = np.zeros(len(codes))
    counts = np.maximum(rng.multinomial(max(1, round(n_groups)), shares), 1e-9)
    for code, count in enumerate(counts):
        rows = np.flatnonzero(codes == code)
        having, at = np.unique(groups[rows], return_inverse=True)
        weights = rng.multinomial(max(1, round(count)), np.full(len(having), 1 / len(having)))[at].astype(float)
        drawn[rows] = weights / weights.sum() * count / counts.sum()
    return drawn
