"""Quantiles and tails of the normal and of Student's distribution, and ranks.

Quantiles and tails are what ``scipy.stats`` computes, to the bit, from the same functions of ``scipy.special``: its
distributions check their arguments for longer than they compute.
"""

from typing import Any

import numpy as np
from scipy.special import ndtri, stdtr, stdtrit
from scipy.stats import rankdata

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
    return np.asarray(rankdata(values, axis=0))
