"""Histograms of probabilities: with two classes of the second one's, with more of the probability of each class."""

import numpy as np

from foldless.core import Array
from foldless.quantifiers.bags import Bags
from foldless.quantifiers.quantifier import Held


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


def class_histograms(held: Held, codes: Array, bins: int) -> Array:
    """Histograms (K, J) of the rows of each class, side by side; each class sums to 1, or to 0 without rows."""
    tables = [held.table(codes[:, at], bins) for at in range(codes.shape[1])]
    return np.asarray(np.hstack(tables) / np.maximum(held.sizes * codes.shape[1], 1e-300)[:, None])


def bag_histograms(codes: Array, bags: Bags, bins: int) -> Array:
    """Histograms (B, J) of the rows of each bag, side by side; each bag sums to 1."""
    width = codes.shape[1]
    return np.hstack([bags.counted(codes[:, at], bins) for at in range(width)]) / width
