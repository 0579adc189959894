"""The rounds of co-training: two views label the rows of a small pool for each other.

In every round each view offers, of all pairs of a row and a class, those with the highest posterior: a row once, a
class as often as its count says. A row that both views offer under two labels gets that of the surer one, and stays in
the pool where neither is surer. The chosen rows join the training set, the pool is refilled with twice as many rows as
a view may offer, and both views go on from their last weights.

References
----------
Blum and Mitchell (1998). Combining labeled and unlabeled data with co-training. COLT, Table 1.
"""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from foldless.solvers._lanes import KERNEL
from foldless.solvers.linear._l1_logistic import L1Rows, solve
from foldless.solvers.linear._l1_table import score

NONE = -1  # the label of a row that is not chosen
FAR = 1e300  # larger than any score


class RoundPlan(NamedTuple):
    """Rows of each class that a view labels in a round; ``reserve`` has the unlabeled rows in the order of drawing."""

    counts: NDArray[np.int64]
    reserve: NDArray[np.int64]
    pool_size: int
    rounds: int


class CoTrainingSettings(NamedTuple):
    """λ of each view, added to the sum of the losses or to their mean; and when a fit ends."""

    first: float
    second: float
    of_sum: bool
    tol: float
    max_steps: int


class SeedRows(NamedTuple):
    """Numbers and class codes of the rows in training, and the round in which each joined; with room for more."""

    numbers: NDArray[np.int64]
    codes: NDArray[np.int64]
    joined: NDArray[np.int64]


@njit(**KERNEL)
def run(tables, settings, plan, rows, n, weights):
    """Train both views and let them label: the number of labeled rows, of rounds, and of fits that did not converge.

    ``rows`` begin with the n labeled ones, and have room for the unlabeled ones. Tables end with a column of ones;
    weights have a row for each class, but only one row for two classes.
    """
    drawn = min(plan.pool_size, plan.reserve.shape[0])
    pool = plan.reserve[:drawn].copy()
    unfinished, done = 0, 0
    while True:
        scale = 1.0 / n if settings.of_sum else 1.0
        unfinished += fit(tables[0], rows.numbers[:n], rows.codes[:n], scale * settings.first, settings, weights[0])
        unfinished += fit(tables[1], rows.numbers[:n], rows.codes[:n], scale * settings.second, settings, weights[1])
        if done == plan.rounds or pool.shape[0] == 0:
            return n, done, unfinished
        labels = merge(
            *offer(posteriors(tables[0], weights[0], pool), plan.counts),
            *offer(posteriors(tables[1], weights[1], pool), plan.counts),
        )
        for i in range(pool.shape[0]):
            if labels[i] != NONE:
                rows.numbers[n], rows.codes[n], rows.joined[n] = pool[i], labels[i], done + 1
                n += 1
        more = min(2 * plan.counts.sum(), plan.reserve.shape[0] - drawn)
        pool = refill(pool, labels, plan.reserve[drawn : drawn + more])
        drawn += more
        done += 1


@njit(**KERNEL)
def fit(table, numbers, codes, penalty, settings, weights):
    """Train a view from its last weights: how many of its problems did not converge."""
    n = numbers.shape[0]
    rows = L1Rows(numbers, np.empty(n), np.full(n, 1.0 / n))
    penalties = np.full(weights.shape[1], penalty)
    penalties[-1] = 0.0
    unfinished = 0
    for k in range(weights.shape[0]):
        positive = k if weights.shape[0] > 1 else 1
        for i in range(n):
            rows.signs[i] = 1.0 if codes[i] == positive else -1.0
        if solve(table, rows, penalties, settings.tol, settings.max_steps, weights[k]) < 0:
            unfinished += 1
    return unfinished


@njit(**KERNEL)
def posteriors(table, weights, numbers):
    """σ(s) / Σ σ(s) of every class, also where all σ are zero in double precision."""
    n, m = numbers.shape[0], weights.shape[0]
    k = max(m, 2)
    out, scores = np.empty((n, k)), np.empty(n)
    for c in range(m):
        score(table, numbers, weights[c], scores)
        out[:, k - m + c] = scores
    for i in range(n):
        if m == 1:
            out[i, 0] = -out[i, 1]
        highest, total = -FAR, 0.0
        for c in range(k):
            out[i, c] = min(out[i, c], 0.0) - np.log1p(np.exp(-abs(out[i, c])))
            highest = max(highest, out[i, c])
        for c in range(k):
            out[i, c] = np.exp(out[i, c] - highest)
            total += out[i, c]
        for c in range(k):
            out[i, c] /= total
    return out


@njit(**KERNEL)
def offer(posteriors, counts):
    """The labels that a view offers, with their posteriors; ties go to the first row, then to the first class."""
    n, k = posteriors.shape
    labels, sure, left = np.full(n, NONE), np.zeros(n), counts.copy()
    for _ in range(min(n, counts.sum())):
        row, label, best = 0, NONE, -1.0
        for i in range(n):
            if labels[i] == NONE:
                for c in range(k):
                    if left[c] > 0 and posteriors[i, c] > best:
                        row, label, best = i, c, posteriors[i, c]
        if label == NONE:  # no posterior is a number
            break
        labels[row], sure[row] = label, best
        left[label] -= 1
    return labels, sure


@njit(**KERNEL)
def merge(labels, sure, others, surer):
    """A label for each row: of the only view that offers it, or of the surer view."""
    merged = np.full(labels.shape[0], NONE)
    for i in range(labels.shape[0]):
        if labels[i] == NONE or others[i] == NONE or labels[i] == others[i]:
            merged[i] = max(labels[i], others[i])
        elif sure[i] != surer[i]:
            merged[i] = labels[i] if sure[i] > surer[i] else others[i]
    return merged


@njit(**KERNEL)
def refill(pool, labels, fresh):
    """The rows that were not chosen, and fresh ones after them."""
    new = np.empty(pool.shape[0] + fresh.shape[0], np.int64)
    n = 0
    for i in range(pool.shape[0]):
        if labels[i] == NONE:
            new[n] = pool[i]
            n += 1
    new[n : n + fresh.shape[0]] = fresh
    return new[: n + fresh.shape[0]]
