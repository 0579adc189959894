"""Weights of labels that were drawn with known, unequal probabilities, so that weighted means are those of the pool.

Of M rows, labels and pool together, a round t draws labels S_t with probabilities πᵢ from those without a label yet.
With L_t the labels of earlier rounds,

    Σ over L_t of z + Σ over S_t of z / π

is unbiased for the sum of z over all M rows, given all that came before. Rounds count as many times as they have
labels: c_t = n_t / Σ n. So a label of round s weighs c_s / πᵢ + Σ_{t > s} c_t. The first labels, drawn at random like
the pool, are a round in which πᵢ is their share of the M rows. A label that someone chose has no probability: it counts
in later rounds only.

References
----------
Horvitz & Thompson (1952). A generalization of sampling without replacement from a finite universe. JASA 47.
Farquhar, Gal & Rainforth (2021). On statistical bias in active learning: how and when to fix it. ICLR.
"""

import numpy as np

from foldless.core import Array


def drawn_weights(probabilities: Array, rounds: Array, n_pool: int | None) -> Array | None:
    """The weight of each label, adding up to 1; None where all count alike, or nothing is known of any.

    Parameters
    ----------
    probabilities : with which each label was drawn; NaN for those drawn at random like the pool, 0 for chosen ones
    rounds : numbers of the rounds in which labels were drawn; those of rows without a probability are not read
    n_pool : rows that have no label yet; None where it is not known, and guessed from the first round

    Examples
    --------
    >>> drawn_weights(np.array([0.5, 0.25, 0.25]), np.ones(3), 7).tolist()
    [0.2, 0.4, 0.4]
    """
    first = np.isnan(probabilities)
    if first.all():
        return None
    order = np.where(first, -np.inf, rounds)
    drawn = ~first & (probabilities > 0)
    total, terms = np.zeros(len(order)), int(first.sum())
    for at in np.unique(order[drawn]):
        in_round, before = drawn & (order == at), (order < at) | (~first & ~drawn & (order == at))
        size = int(in_round.sum())
        total[before] += size
        total[in_round] += size / probabilities[in_round]
        if n_pool is None:
            n_pool = max(0, round(float((1 / probabilities[in_round]).sum())) + int(before.sum()) - len(order))
        terms += size
    if not terms:
        return None
    total[first] += len(order) + (n_pool or 0)  # M / n₀ for each of n₀ labels, n₀ times
    return np.asarray(total / total.sum())
