"""Quantiles and tails of the normal and of Student's distribution, and ranks.

They are what ``scipy.stats`` computes, to the bit, from the same functions of ``scipy.special``: importing the former
takes longer than most searches.
"""

from typing import Any

import numpy as np
from scipy.special import ndtri, stdtr, stdtrit

from foldless.core import Array


def normal_quantile(p: float) -> float:
    """The number below which a standard normal one is with probability p."""
    return float(ndtri(p))


def student_quantile(p: float, freedom: float) -> float:
    """The number below which a t-distributed one is with probability p."""
    return float(stdtrit(freedom, p))


def student_tail(values: Any, freedom: float) -> Array:
    """The probability that a t-distributed number is above each value."""
    return np.asarray(stdtr(freedom, -np.asarray(values, dtype=float)))


def average_ranks(values: Any) -> Array:
    """Ranks from 1 within each column; equal values share their mean rank, and a NaN leaves its column none."""
    values = np.asarray(values, dtype=float)
    n = len(values)
    order = np.argsort(values, axis=0)  # among equal values any order will do
    ordered = np.take_along_axis(values, order, axis=0)
    place = np.arange(n).reshape(-1, *[1] * (values.ndim - 1))
    rises = ordered[1:] != ordered[:-1]
    ranks = np.empty(values.shape)
    if rises.all():
        np.put_along_axis(ranks, order, place + 1.0, axis=0)
    else:
        edge = np.ones_like(ordered[:1], dtype=bool)
        first = np.maximum.accumulate(np.where(np.concatenate([edge, rises]), place, 0), axis=0)
        last = np.minimum.accumulate(np.where(np.concatenate([rises, edge]), place, n - 1)[::-1], axis=0)[::-1]
        np.put_along_axis(ranks, order, (first + last) / 2 + 1, axis=0)
    return np.where(np.isnan(values).any(axis=0), np.nan, ranks)
