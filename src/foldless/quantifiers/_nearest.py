"""The mixture of histograms nearest to that of each bag, by Hellinger's or Topsøe's distance: convex in the shares.

Hellinger: the largest Σ_j √(q_j (M p)_j). Topsøe: the least Σ_j P log(2P / (P + Q)) + Q log(2Q / (P + Q)), P = M p.
Two classes are one unknown, and the slope is increasing: it is searched by Newton's method inside a bracket, for all
bags at once. More classes take steps that never make it worse: p_k ← p_k g_k², over their sum, for Hellinger's, and
exponentiated steps with halving for Topsøe's.

Histograms are those of the second class's probability with two classes, and of each class's with more.
"""

from typing import Literal

import numpy as np

from foldless.core import Array
from foldless.quantifiers.bags import Bags
from foldless.quantifiers.quantifier import Held

Distance = Literal["hellinger", "topsoe"]
TINY = 1e-20
ROUNDS, STEPS, DONE = 60, 400, 1e-7


def nearest_mixture(histograms: Array, bags: Array, distance: Distance) -> Array:
    """Shares (B, K) from histograms (K, J) of the classes and (B, J) of the bags.

    Examples
    --------
    >>> nearest_mixture(np.array([[0.9, 0.1], [0.2, 0.8]]), np.array([[0.55, 0.45]]), "hellinger").round(3)
    array([[0.5, 0.5]])
    """
    if len(histograms) == 1:
        return np.ones((len(bags), 1))
    used = (histograms.sum(axis=0) > 0) | (bags.sum(axis=0) > 0)
    histograms, bags = histograms[:, used], bags[:, used]
    if len(histograms) == 2:
        share = _of_two(histograms[0], histograms[1] - histograms[0], bags, distance)
        return np.stack([1 - share, share], axis=1)
    return _of_many(histograms, bags, distance)


def _of_two(first: Array, difference: Array, bags: Array, distance: Distance) -> Array:
    if not difference.any():
        return np.full(len(bags), 0.5)
    moving = difference != 0
    first, difference, bags = first[moving], difference[moving], bags[:, moving]
    slopes = _hellinger if distance == "hellinger" else _topsoe
    known = np.sqrt(bags) * difference if distance == "hellinger" else bags
    low, high, point = np.zeros(len(bags)), np.ones(len(bags)), np.full(len(bags), 0.5)
    todo = np.arange(len(bags))
    for _ in range(ROUNDS):
        at = point[todo]
        slope, bend = slopes(np.maximum(first + at[:, None] * difference, TINY), difference, known[todo])
        low[todo], high[todo] = np.where(slope < 0, at, low[todo]), np.where(slope > 0, at, high[todo])
        below, above = low[todo], high[todo]
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            step = at - slope / bend
        inside = (step > below) & (step < above)
        edge = np.where(step <= below, below + 0.01 * (at - below), above - 0.01 * (above - at))
        # towards an end by large strides: many bags have none of a class
        after = np.where(inside, step, np.where(np.isfinite(step), edge, (below + above) / 2))
        point[todo] = after
        todo = todo[(np.abs(after - at) > DONE) & (above - below > DONE)]
        if not len(todo):
            break
    return np.where(point < 2 * DONE, 0.0, np.where(point > 1 - 2 * DONE, 1.0, point))


def _hellinger(mixed: Array, difference: Array, known: Array) -> tuple[Array, Array]:
    """First and second derivatives of −Σ √(q P), with ``known`` = √q d."""
    inverse = 1 / np.sqrt(mixed)
    terms = known * inverse
    slope = -terms.sum(axis=1) / 2
    terms *= inverse
    terms *= inverse
    return slope, terms @ difference / 4


def _topsoe(mixed: Array, difference: Array, known: Array) -> tuple[Array, Array]:
    """First and second derivatives of Topsøe's distance in P."""
    both = mixed + known
    return np.log(2 * mixed / both) @ difference, (known / (mixed * both)) @ difference**2


def _of_many(histograms: Array, bags: Array, distance: Distance) -> Array:
    """Steps for all bags at once, until no share of any bag moves; the largest ones are seen to rise."""
    n_classes = len(histograms)
    shares = np.full((len(bags), n_classes), 1 / n_classes)
    pace = np.ones(len(bags))
    todo = np.arange(len(bags))
    for _ in range(STEPS):
        before, q = shares[todo], bags[todo]
        mixed = np.maximum(before @ histograms, TINY)
        if distance == "hellinger":
            after = before * (np.sqrt(q / mixed) @ histograms.T) ** 2
        else:
            slope = np.log(2 * mixed / (mixed + q)) @ histograms.T
            slope -= (before * slope).sum(axis=1, keepdims=True)
            after = before * np.exp(np.clip(-pace[todo][:, None] * slope, -30, 30))
        after /= np.maximum(after.sum(axis=1, keepdims=True), TINY)
        if distance == "topsoe":
            worse = _distances(after @ histograms, q) > _distances(mixed, q) + 1e-15
            after[worse] = before[worse]
            pace[todo] = np.where(worse, pace[todo] / 2, pace[todo] * 1.5)
            moved = (np.abs(after - before).max(axis=1) > DONE * 10) | (worse & (pace[todo] > 1e-6))
        else:
            moved = np.abs(after - before).max(axis=1) > DONE * 10
        shares[todo] = after
        todo = todo[moved]
        if not len(todo):
            break
    return shares


def _distances(mixed: Array, q: Array) -> Array:
    mixed = np.maximum(mixed, TINY)
    both = mixed + q
    return np.asarray((mixed * np.log(2 * mixed / both) + q * np.log(np.maximum(2 * q, TINY) / both)).sum(axis=1))


def bin_codes(probabilities: Array, bins: int) -> Array:
    """The bin of each probability, (n, 1) for two classes and (n, K) otherwise; the last bin holds 1.

    Examples
    --------
    >>> bin_codes(np.array([[0.95, 0.05], [0.0, 1.0]]), 10).ravel()
    array([0, 9])
    """
    read = probabilities[:, 1:] if probabilities.shape[1] == 2 else probabilities
    edges = np.linspace(0, 1, bins + 1)
    codes = np.minimum((read * bins).astype(np.int64), bins - 1)
    codes -= read < edges[codes]  # as the edges round, so that a probability on an edge is in the bin above it
    codes += (read >= edges[codes + 1]) & (codes < bins - 1)
    return codes


def class_histograms(held: Held, probabilities: Array, bins: int) -> Array:
    """Histograms (K, J) of the rows of each class, side by side; each class sums to 1, or to 0 without rows."""
    codes = bin_codes(probabilities, bins)
    tables = [held.table(codes[:, at], bins) for at in range(codes.shape[1])]
    return np.asarray(np.hstack(tables) / np.maximum(held.sizes * codes.shape[1], 1e-300)[:, None])


def bag_histograms(probabilities: Array, bags: Bags, bins: int) -> Array:
    """Histograms (B, J) of the rows of each bag, side by side; each bag sums to 1."""
    codes = bin_codes(probabilities, bins).T
    return np.hstack([bags.counted(of_class, bins) for of_class in codes]) / len(codes)
