"""Weights of members of an average, from what each says out of fold of rows whose labels are known.

Half of the weight is found by log loss. That of an average depends on the probability that each member gives to the
true class, and on nothing else, so that weights are found on a table of members and rows. Greedy selection adds the
member that makes it smallest (Caruana et al. 2004). One greedy path follows the noise of few labels, so that weights
are the mean over random halves of the members.

The other half goes to the most accurate members, w_m ∝ exp(−gap_m / se_m), where gap_m is how far the member is behind
the most accurate one and se_m the standard error of that difference. Where labels are few and classes are many, all
members may be overconfident: then log loss alone prefers members whose scores a high temperature has made flat, however
often they are wrong.

References
----------
Caruana, Niculescu-Mizil, Crew & Ksikes (2004). Ensemble selection from libraries of models. ICML.
"""

import numpy as np

from foldless.core import Array

STEPS, BAGS = 10, 20
LEAST = 1e-3  # a probability of 0 would end every comparison
KEPT, MAX_MEMBERS = 0.95, 8  # members of small weight are dropped: averages of eight lost nothing there
BY_ACCURACY, MOST_ACCURATE = 0.5, 8  # the share of the weight that accuracy has, and the members that it goes to


def log_losses(p_true: Array, row_weights: Array) -> Array:
    """The log loss of each member, from the probability (M, n) of the true class; row weights add up to 1."""
    return np.asarray(-np.log(np.clip(p_true, LEAST, 1.0)) @ row_weights)


def member_weights(
    p_true: Array, right: Array, row_weights: Array, rng: np.random.Generator, best: Array | None = None
) -> Array:
    """The weight of each member; they add up to 1, and most of them are 0.

    Parameters
    ----------
    p_true : (M, n) the probability that each member gives to the true class of each row
    right : (M, n) 1 where the class that a member predicts is the true one
    row_weights : (n,) adding up to 1
    rng : draws the halves
    best : (M,) weights adding up to 1 that take the place of those by accuracy, where another metric counts

    Examples
    --------
    >>> sure, p = np.full(100, 0.01), np.array([[0.9] * 50 + [0.2] * 50, [0.2] * 50 + [0.9] * 50, [0.5] * 100])
    >>> member_weights(p, p > 0.5, sure, np.random.default_rng(0)).round(1)
    array([0.4, 0.4, 0.1])
    """
    n_members = len(p_true)
    if n_members == 1:
        return np.ones(1)
    size = max(min(3, n_members), n_members // 2)
    halves = [rng.choice(n_members, size, replace=False) for _ in range(BAGS)]
    by_loss = np.mean([_greedy(p_true, half, row_weights) for half in halves], axis=0)
    by_accuracy = (
        _soft(np.asarray(right, dtype=float), log_losses(p_true, row_weights), row_weights) if best is None else best
    )
    return _pruned((1 - BY_ACCURACY) * by_loss + BY_ACCURACY * by_accuracy)


def _soft(right: Array, losses: Array, row_weights: Array) -> Array:
    """Weights of the most accurate members, equals by their log loss, that fall with how far behind a member is."""
    accuracy = right @ row_weights
    order = np.lexsort((losses, -accuracy))[:MOST_ACCURATE]
    behind = right[order[0]] - right[order]
    gap = behind @ row_weights
    variance = (behind - gap[:, None]) ** 2 @ row_weights
    one_row = float((row_weights**2).sum())  # 1 / n where all rows count the same: what a single row can change
    errors = np.maximum(np.sqrt(variance * one_row), one_row)
    weights = np.zeros(len(right))
    weights[order] = np.exp(-gap / errors)
    return weights / weights.sum()


def _greedy(p_true: Array, among: Array, row_weights: Array) -> Array:
    """Add the member that makes the log loss of the average the smallest, some more than once."""
    counts, total = np.zeros(len(p_true)), np.zeros(p_true.shape[1])
    best, best_loss = counts, np.inf
    for step in range(1, STEPS + 1):
        losses = log_losses((total + p_true[among]) / step, row_weights)
        at = among[int(losses.argmin())]
        total = total + p_true[at]
        counts = counts.copy()
        counts[at] += 1
        if losses.min() < best_loss - 1e-12:
            best, best_loss = counts, float(losses.min())
    return np.asarray(best / best.sum())


def _pruned(weights: Array) -> Array:
    """The same weights without the smallest, so that a model predicts fast and is small."""
    order = np.argsort(-weights, kind="stable")
    n_kept = min(MAX_MEMBERS, int(np.searchsorted(np.cumsum(weights[order]), KEPT)) + 1)
    kept = np.zeros_like(weights)
    kept[order[:n_kept]] = weights[order[:n_kept]]
    return np.asarray(kept / kept.sum())
