"""Rows drawn with known probabilities: πᵢ = n (ε / N + (1 − ε) sᵢ / Σ s), at most 1, by systematic sampling.

Every row has a probability above 0, so that weights 1 / πᵢ make a fair sample of the pool of the labels. Rows that are
alike follow each other in the order of drawing, which spreads the rows that are drawn.

References
----------
Horvitz & Thompson (1952). A generalization of sampling without replacement from a finite universe. JASA 47.
Madow (1949). On the theory of systematic sampling. Annals of Mathematical Statistics 20.
"""

from typing import NamedTuple

import numpy as np

from foldless.core import Array

UNIFORM = 0.5  # ε


class Draw(NamedTuple):
    """How rows are drawn: their scores s, the order in which one comes after the other, and ε."""

    scores: Array
    order: Array
    uniform: float = UNIFORM


def inclusion(scores: Array, n: int, uniform: float = UNIFORM) -> Array:
    """The probability of each row to be among n; they add up to n.

    Examples
    --------
    >>> inclusion(np.array([0.0, 0.0, 1.0, 1.0]), 2).tolist()
    [0.25, 0.25, 0.75, 0.75]
    """
    size = len(scores)
    if n >= size:
        return np.ones(size)
    total = scores.sum()
    share = uniform / size + (1 - uniform) * scores / total if total > 0 else np.full(size, 1 / size)
    chances = n * share
    while (chances > 1).any():
        sure = chances >= 1
        rest = (n - sure.sum()) / share[~sure].sum()
        chances = np.where(sure, 1.0, rest * share)
    return np.asarray(chances)


def systematic(chances: Array, order: Array, rng: np.random.Generator) -> Array:
    """Rows drawn with these probabilities, as many as they add up to, one after the other in this order."""
    n = int(np.rint(chances.sum()))
    ends = np.cumsum(chances[order])
    ends *= n / ends[-1]
    return np.asarray(order[np.searchsorted(ends, np.arange(n) + rng.random(), side="left").clip(max=len(order) - 1)])
