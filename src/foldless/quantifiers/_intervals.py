"""Intervals of class shares that count two chances: which rows were labeled, and which rows the pool has.

Both are drawn again many times. Labeled rows are drawn with replacement within their class, because the shares of the
labels are not those of the pool, and a quantifier that corrects for shift does not use them. Where features are
predicted classes, half a row of every kind is added to each class (Jeffreys): draws cannot show a kind that was not
seen. The ends are quantiles of the shares, and never inside the estimate. A bootstrap of few rows varies less than few
rows do, so the distance of an end from the share of a class with n labels is multiplied by √(1 + 20 / n). No theory
gives the 20: a simulation does, with two and five classes and 100 to 1,000 labels (benchmarks/coverage/class_shares.py,
whose table is of other seeds). A quantifier with a prior draws without it: a prior would pull all draws towards itself.
No interval is narrower than Wilson's for the rows of the bag, because draws of a class that was not found do not find
it either.

Rows of one group are not independent: where groups are known, of labels or of the pool, whole groups are drawn, and
every n above is a number of groups.

References
----------
Efron & Tibshirani (1993). An introduction to the bootstrap.
Wilson, E. B. (1927). Probable inference, the law of succession, and statistical inference. JASA 22.
Moreo & Salvati (2025). An efficient method for deriving confidence intervals in aggregative quantification.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.special import ndtri

from foldless.core import Array
from foldless.quantifiers._matching import Matching, OfLabels, known_classes
from foldless.quantifiers._mixture import MANY, mixture_weights
from foldless.quantifiers.acc import drawn_rates
from foldless.quantifiers.bags import Bags
from foldless.quantifiers.quantifier import Held, OfLikelihood, Quantifier, codes_of

DRAWS = 400
MAX_RATES = 2**24  # of classes and features, drawn at once: 128 MB, all draws of up to 204 classes
DRAWS_OF_LIKELIHOOD = 200
MAX_BAG_ROWS = 20_000  # of a bag that are drawn again by methods which read every row
WIDER = 20.0  # labels
CHUNK = 4_000_000


@dataclass(frozen=True, eq=False)
class AnsweredBags:
    """Answers on n pool rows, of which each may have several, at i, i + n, i + 2n, that are drawn together; and bags.

    ``groups`` are codes of the n rows: those of one group are drawn together.
    """

    answers: Array
    bags: Bags
    times: int = 1
    groups: Array | None = None


def shares_with_ends(
    quantifier: Quantifier,
    held: Held,
    answers: Array,
    bags: Any,
    confidence: float,
    rng: np.random.Generator,
    times: int = 1,
    groups: Array | None = None,
) -> tuple[Array, Array, Array]:
    """Shares (bags, K) with the ends of their intervals; each row has ``times`` answers, as in `AnsweredBags`."""
    every = Bags.of(bags, len(answers) // times)
    shares = quantifier.learn(held).aggregate_many(answers, every.repeated(times))
    answered = AnsweredBags(np.asarray(answers), every, times, groups)
    draws = share_draws(quantifier.without_prior(), held, answered, rng)
    lower, upper = interval_of(draws, shares, confidence, held.independent)
    n = every.sizes if groups is None else np.array([len(np.unique(groups[rows])) for rows in every.parts()])
    least, most = binomial_ends(shares, n[:, None], confidence)
    return shares, np.minimum(lower, least), np.maximum(upper, most)


def binomial_ends(shares: Array, rows: Array, confidence: float) -> tuple[Array, Array]:
    """Wilson's interval of shares of so many rows whose classes are known: no interval of a bag is narrower.

    Examples
    --------
    >>> [float(end.round(3)) for end in binomial_ends(np.array(0.0), np.array(43), 0.95)]
    [0.0, 0.082]
    """
    z = ndtri((1 + confidence) / 2)
    middle, weight = shares + z**2 / (2 * rows), 1 + z**2 / rows
    half = z * np.sqrt(shares * (1 - shares) / rows + (z / (2 * rows)) ** 2)
    return np.maximum((middle - half) / weight, 0.0), np.minimum((middle + half) / weight, 1.0)


def ends_under_covariate_shift(
    held: Held, answers: Array, bags: Any, confidence: float, times: int = 1, groups: Array | None = None
) -> tuple[Array, Array]:
    """The ends (bags, K) of shares if rows that look alike have the classes that they have in the labels.

    Then the mean probability of a class, corrected by how far it is from its share in the labels, is its share.

    Examples
    --------
    >>> held = Held(np.array([[0.8, 0.2], [0.4, 0.6]] * 50), np.array([0, 1] * 50), n_classes=2)
    >>> [ends.round(2).tolist() for ends in ends_under_covariate_shift(held, held.answers, [np.arange(100)], 0.95)]
    [[[0.43, 0.43]], [[0.57, 0.57]]]
    """
    every = Bags.of(bags, len(answers) // times)
    soft, mine = (part if part.ndim == 2 else np.eye(held.n_classes)[part] for part in (answers, held.answers))
    each = soft.reshape(times, every.n_rows, held.n_classes).mean(axis=0)
    weights = np.ones(len(held.y)) if held.weights is None else held.weights
    truth = np.eye(held.n_classes)[held.y]
    shares = every.means(each) + np.average(truth - mine, axis=0, weights=weights)
    if groups is None:
        spread = (every.means(each**2) - every.means(each) ** 2) / every.sizes[:, None]
    else:
        spread = np.array([_of_sums(each[rows] - each[rows].mean(axis=0), groups[rows]) for rows in every.parts()])
    if held.groups is None:
        variance = np.average((truth - mine) ** 2, axis=0, weights=weights) / max(1.0, float(weights.sum()))
    else:
        variance = _of_sums(truth - mine, held.groups)
    reach = ndtri((1 + confidence) / 2) * np.sqrt(variance + np.maximum(spread, 0))
    return np.clip(shares - reach, 0, 1), np.clip(shares + reach, 0, 1)


def _of_sums(apart: Array, groups: Array) -> Array:
    """The variance of a mean (K,) from what rows (n, K) are away from it, where rows of a group are not independent."""
    codes = np.unique(groups, return_inverse=True)[1]
    sums = np.zeros((codes.max() + 1, apart.shape[1]))
    np.add.at(sums, codes, apart)
    return np.asarray((sums**2).sum(axis=0)) / len(apart) ** 2


def share_draws(quantifier: Quantifier, held: Held, answered: AnsweredBags, rng: np.random.Generator) -> Array:
    """Shares (draws, bags, K) of drawn labels and drawn rows of each bag."""
    if isinstance(quantifier, Matching):
        return _of_means(quantifier, held, answered, rng)
    return _of_rows(quantifier, held, answered, rng)


def interval_of(draws: Array, shares: Array, confidence: float, labels: Array) -> tuple[Array, Array]:
    """Lower and upper ends from draws (R, ..., K) of shares (..., K), where each class has so many labels."""
    tail = (1 - confidence) / 2
    lower = np.quantile(draws, tail, axis=0, method="lower")
    upper = np.quantile(draws, 1 - tail, axis=0, method="higher")
    factor = np.sqrt(1 + WIDER / np.maximum(labels, 1.0))
    below, above = np.maximum(shares - lower, 0), np.maximum(upper - shares, 0)
    return np.maximum(shares - factor * below, 0.0), np.minimum(shares + factor * above, 1.0)


def label_weights(y: Array, rng: np.random.Generator) -> Array:
    """How often each labeled row is drawn, with replacement within its class."""
    return drawn_within_classes(y, np.bincount(y), rng)


def drawn_within_classes(y: Array, counts: Array, rng: np.random.Generator) -> Array:
    """How often each labeled row is drawn where so many rows of each class are, with replacement."""
    weights = np.empty(len(y))
    for code in np.unique(y):
        rows = np.flatnonzero(y == code)
        weights[rows] = rng.multinomial(counts[code], np.full(len(rows), 1 / len(rows)))
    return weights


def group_weights(y: Array, groups: Array, rng: np.random.Generator) -> Array:
    """How often each labeled row is drawn where whole groups are; a class that no group has brought draws its own."""
    codes = np.unique(groups, return_inverse=True)[1]
    n = codes.max() + 1
    weights = rng.multinomial(n, np.full(n, 1 / n))[codes].astype(float)
    for code in np.unique(y):
        rows = np.flatnonzero(y == code)
        if not weights[rows].any():
            having, at = np.unique(codes[rows], return_inverse=True)
            weights[rows] = rng.multinomial(len(having), np.full(len(having), 1 / len(having)))[at]
    return weights


def drawn_labels(held: Held, rng: np.random.Generator) -> Array:
    return label_weights(held.y, rng) if held.groups is None else group_weights(held.y, held.groups, rng)


def _of_means(quantifier: Matching, held: Held, answered: AnsweredBags, rng: np.random.Generator) -> Array:
    """For quantifiers that know bags by their means: only means are drawn."""
    step = min(DRAWS, max(1, MAX_RATES // held.n_classes**2))
    classes = np.array(_class_means(quantifier, held, rng, step))
    shares = np.empty((DRAWS, len(answered.bags), held.n_classes))
    of_bags = [_bag_means(quantifier, answered, rows, held.n_classes, rng) for rows in answered.bags.parts()]
    for first in range(0, DRAWS, step):
        if first:  # the rates of many classes are drawn in parts
            classes = np.array(_class_means(quantifier, held, rng, min(step, DRAWS - first)))
        for at, means in enumerate(of_bags):
            shares[first : first + step, at] = quantifier.solve(classes, means[first : first + step])
    return shares


def _class_means(quantifier: Matching, held: Held, rng: np.random.Generator, draws: int) -> Sequence[Array]:
    if isinstance(quantifier, OfLabels) and held.groups is None:  # rates of the posterior: none is taken as certain
        table = held.table(codes_of(held.answers), held.n_classes)
        return [known_classes(means, held) for means in drawn_rates(table, draws, rng)]
    return [
        known_classes(quantifier.class_means(resampled), resampled)
        for resampled in (replace(held, weights=drawn_labels(held, rng)) for _ in range(draws))
    ]


def _bag_means(
    quantifier: Matching, answered: AnsweredBags, rows: Array, n_classes: int, rng: np.random.Generator
) -> Array:
    """Means of the features (draws, J) over rows of a bag, or groups of them, that are drawn with replacement."""
    times = answered.times
    alone = Bags(np.arange(len(rows) * times), np.arange(len(rows) + 1) * times, len(rows) * times)
    bag_answers = answered.answers[(rows[:, None] + answered.bags.n_rows * np.arange(times)).ravel()]
    features = quantifier.pool_means(bag_answers, alone, n_classes)  # of each row by itself
    if answered.groups is not None:
        groups = np.unique(answered.groups[rows], return_inverse=True)[1]
        weights = rng.multinomial(m := groups.max() + 1, np.full(m, 1 / m), DRAWS)
        sizes = np.bincount(groups)
        sums = np.stack([np.bincount(groups, column) for column in features.T], axis=1)
        return np.asarray((weights @ sums) / (weights @ sizes)[:, None])
    kinds, counts = np.unique(features, axis=0, return_counts=True)
    if len(kinds) <= len(rows) // 2:
        return rng.multinomial(len(rows), counts / len(rows), DRAWS) @ kinds / len(rows)
    means = np.zeros((DRAWS, features.shape[1]))
    total = np.zeros((DRAWS, 1))
    step = max(1, CHUNK // DRAWS)
    for at in range(0, len(rows), step):
        part = features[at : at + step]
        weights = rng.poisson(1.0, (DRAWS, len(part))).astype(float)
        means += weights @ part
        total += weights.sum(axis=1, keepdims=True)
    empty = total[:, 0] == 0
    means[empty], total[empty] = features.mean(axis=0), 1.0
    return means / total


def _of_rows(quantifier: Quantifier, held: Held, answered: AnsweredBags, rng: np.random.Generator) -> Array:
    """For quantifiers that read every row of a bag; of several answers to a row one is drawn with it."""
    draws, k, answers, bags = DRAWS_OF_LIKELIHOOD, held.n_classes, answered.answers, answered.bags
    drawn_shares = np.empty((draws, len(bags), k))
    parts = [
        rows if len(rows) <= MAX_BAG_ROWS else rng.choice(rows, MAX_BAG_ROWS, replace=False) for rows in bags.parts()
    ]
    members = None if answered.groups is None else [_members(rows, answered.groups) for rows in parts]

    def draw(at: int) -> Array:
        """Rows of a bag, drawn with replacement, each with one of its answers."""
        if members is None:
            rows = rng.choice(parts[at], len(parts[at]))
        else:
            some = rng.integers(len(members[at]), size=len(members[at]))
            rows = np.concatenate([members[at][group] for group in some])
        return rows + bags.n_rows * rng.integers(answered.times, size=len(rows))

    sizes = np.array([len(rows) for rows in parts])
    learned = quantifier.learn_again(held, np.array([drawn_labels(held, rng) for _ in range(draws)]))
    alike = all(isinstance(method, OfLikelihood) and method.prior is None for method in learned)
    # few enough to be held at once, and for plain code
    step = min((MANY - 1) // len(sizes), CHUNK // max(1, k * int(sizes.sum()))) if alike else 1
    for at in range(0, draws, max(1, step)):
        group = learned[at : at + max(1, step)]
        of_bags = [[draw(bag) for bag in range(len(parts))] for _ in group]
        drawn = [np.concatenate(each) for each in of_bags]
        starts = np.concatenate([[0], np.cumsum([len(rows) for each in of_bags for rows in each])])
        if len(group) == 1:
            drawn_bags = Bags(np.arange(starts[-1]), starts, int(starts[-1]))
            drawn_shares[at] = group[0].aggregate_many(answers[drawn[0]], drawn_bags)
            continue
        pairs = zip(group, drawn, strict=True)
        likelihood = np.concatenate([o.likelihood(answers[rows]) for o, rows in pairs if isinstance(o, OfLikelihood)])
        every = Bags(np.arange(len(likelihood)), starts, len(likelihood))
        drawn_shares[at : at + len(group)] = mixture_weights(likelihood, every, held.shares).reshape(len(group), -1, k)
    return drawn_shares


def _members(rows: Array, groups: Array) -> list[Array]:
    codes = np.unique(groups[rows], return_inverse=True)[1]
    return np.split(rows[np.argsort(codes, kind="stable")], np.cumsum(np.bincount(codes))[:-1])
