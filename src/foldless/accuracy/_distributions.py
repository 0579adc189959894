"""Quantiles and tails of the normal and of Student's distribution, and ranks.

They are what ``scipy.stats`` computes, to the bit, from the same functions of ``scipy.special``: importing the former
takes longer than most searches.
"""

from math import prod
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
    columns = np.ascontiguousarray(values.reshape(len(values), prod(values.shape[1:])).T)
    n = columns.shape[1]
    order = np.argsort(columns, axis=1)  # among equal values any order will do
    order += n * np.arange(len(columns))[:, None]  # positions in all columns, one behind the other
    ordered = columns.ravel()[order]
    place = np.arange(n)
    rises = ordered[:, 1:] != ordered[:, :-1]
    ranks = np.empty(columns.size)
    if rises.all():
        ranks[order] = place + 1.0
    else:
        edge = np.ones((len(columns), 1), dtype=bool)
        first = np.maximum.accumulate(np.where(np.hstack([edge, rises]), place, 0), axis=1)
        last = np.minimum.accumulate(np.where(np.hstack([rises, edge]), place, n - 1)[:, ::-1], axis=1)[:, ::-1]
        ranks[order] = (first + last) / 2 + 1
    ranks = np.where(np.isnan(columns).any(axis=1)[:, None], np.nan, ranks.reshape(columns.shape))
    return np.ascontiguousarray(ranks.T).reshape(values.shape)
