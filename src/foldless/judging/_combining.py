"""Weights of members of an average, from what each says out of fold of rows whose labels are known.

The log loss of an average depends on the probability that each member gives to the true class, and on nothing else, so
that weights are found on a table of members and rows. Greedy selection adds the member that makes it smallest (Caruana
et al. 2004). One greedy path follows the noise of few labels, so that weights are the mean over random halves of the
members. Of the rules that were tried on one half of the data sets of the league (the most accurate members by soft
weights, mixtures of both, equal weights), none was better in accuracy by more than its error, and none in log loss.

References
----------
Caruana, Niculescu-Mizil, Crew & Ksikes (2004). Ensemble selection from libraries of models. ICML.
"""

import numpy as np

from foldless.core import Array

STEPS, BAGS = 10, 20
LEAST = 1e-3  # a probability of 0 would end every comparison
KEPT, MAX_MEMBERS = 0.95, 8  # members of small weight are dropped: averages of eight lost nothing there


def log_losses(p_true: Array, row_weights: Array) -> Array:
    """The log loss of each member, from the probability (M, n) of the true class; row weights add up to 1."""
    return np.asarray(-np.log(np.clip(p_true, LEAST, 1.0)) @ row_weights)


def member_weights(p_true: Array, row_weights: Array, rng: np.random.Generator) -> Array:
    """The weight of each member; they add up to 1, and most of them are 0.

    Parameters
    ----------
    p_true : (M, n) the probability that each member gives to the true class of each row
    row_weights : (n,) adding up to 1
    rng : draws the halves

    Examples
    --------
    >>> sure, p = np.full(100, 0.01), np.array([[0.9] * 50 + [0.2] * 50, [0.2] * 50 + [0.9] * 50, [0.5] * 100])
    >>> member_weights(p, sure, np.random.default_rng(0)).round(1)
    array([0.4, 0.4, 0.2])
    """
    n_members = len(p_true)
    if n_members == 1:
        return np.ones(1)
    size = max(min(3, n_members), n_members // 2)
    halves = [rng.choice(n_members, size, replace=False) for _ in range(BAGS)]
    return _pruned(np.mean([_greedy(p_true, half, row_weights) for half in halves], axis=0))


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
