"""One pass of primal-dual steps over rows, in time proportional to their entries.

References
----------
Kar, Li, Narasimhan, Chawla and Sebastiani (2016). Online optimization methods for the quantification problem. KDD.
Algorithm 1.
"""

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from foldless.solvers.duals import (
    ALONG,
    ALONG_AREA,
    AREA,
    AVERAGED,
    KEPT,
    NEWS_N,
    NEWS_P,
    POSITIVES,
    REWARD_N,
    REWARD_P,
    ROWS,
    SCALE,
    SEEN_N,
    SEEN_P,
    SHARE,
    SMOOTHING,
    SQUARE,
    TIME,
    TO_N,
    TO_P,
    UNTIL,
    N,
    P,
    call,
    pull,
)
from foldless.solvers.rewards import slope, worth
from foldless.solvers.stream_rows import change, dot, keep, meet, prepare, squares
from foldless.solvers.stream_weights import KERNEL, refresh

PERIOD = 65536  # rows between two sums of squares: rounding does not add up
SMALLEST = 1e-3  # of the scale: below it v and u would lose digits
LARGEST = 1e30  # of a score: what is larger, or not a number, comes from features that cannot be used


class Rule(NamedTuple):
    """What stays the same from row to row.

    Step size and radius; the stream's share of the positive class, or 0 where it is not known; the share at which the
    measure is wanted, or 0 where that is the stream's with the odds of the positive class multiplied; the smoothing,
    or −1 for half a row; whether rates are means within the classes.
    """

    step: float
    radius: float
    share: float
    target: float
    odds: float
    smoothing: float
    by_class: bool


@njit(**KERNEL)
def learn(rows, codes, own, first, last, s, weights, rule, reward, dual):
    """Learn from some rows; the number of the first one that cannot be used, or ``last``."""
    w = weights.ctypes.data
    before = prepare(rows, s, w, weights.shape[1])
    n, time, positives, until, area = s[ROWS], s[TIME], s[POSITIVES], s[UNTIL], s[AREA]
    share_of_one = 1 / (n + 1)
    for i in range(first, last):
        positive = codes[i] == own
        sign = 1.0 if positive else -1.0
        n += 1
        time += 1
        until -= 1
        positives += positive
        share_before, share_of_one = share_of_one, 1 / (n + 1)
        p = rule.share if rule.share > 0 else (positives + 0.5) * share_of_one
        weight = 1 / (p if positive else 1 - p)  # turns means over the stream into means within the class
        kept = share_of_one if time == n else 1 / (time + 1)
        product, overlap = meet(rows, i, w, before, np.float32(s[ALONG]), np.float32(s[ALONG_AREA]))
        score = s[SCALE] * (product + s[ALONG] * overlap)
        if not abs(score) < LARGEST:
            return i
        if until <= 0 or s[SCALE] < SMALLEST:  # here no change of the weights is still to be made
            s[SQUARE] = refresh(w, weights.shape[1], np.float32(s[SCALE]), np.float32(area))
            s[SCALE], area, until = 1.0, 0.0, PERIOD
        margin = sign * score
        along = 0.0
        if margin < reward.cap:
            told = pull(s, positive) if dual == 0 else (s[TO_P] if positive else s[TO_N])
            along = sign * weight * rule.step / (math.sqrt(time) * s[SCALE]) * told * slope(reward, margin)
        before = change(rows, i, w, along, along * area, s, before)
        if rule.radius < np.inf:
            project(s, rule.radius, along * s[SCALE], score, squares(rows, i))
        area += s[SCALE]
        value = worth(reward, margin)
        news_P = (value * weight if positive else 0.0) - s[P]
        news_N = (0.0 if positive else value * weight) - s[N]
        if rule.by_class:
            count(s, positive, value)
        else:
            s[P] += kept * news_P
            s[N] += kept * news_N
        s[SHARE] = target_share(p, rule)
        s[SMOOTHING] = rule.smoothing if rule.smoothing >= 0 else 0.5 * share_before
        if dual != 0:
            s[KEPT], s[NEWS_P], s[NEWS_N] = kept, news_P, news_N
            call(dual, s)
    s[AVERAGED] += last - first
    s[ROWS], s[TIME], s[POSITIVES], s[UNTIL], s[AREA] = n, time, positives, until, area
    keep(rows, last, w, weights.shape[1])
    return last


@njit(**KERNEL, forceinline=True)
def project(s, radius, moved, score, square):
    """Shorten the weights to the radius, after a change along a row by so much."""
    s[SQUARE] += moved * (2 * score + moved * square)
    if s[SQUARE] > radius * radius:
        s[SCALE] *= radius / math.sqrt(s[SQUARE])
        s[SQUARE] = radius * radius


@njit(**KERNEL, forceinline=True)
def count(s, positive, value):
    """Rates as means within the classes."""
    if positive:
        s[SEEN_P] += 1
        s[P] += (value - s[P]) / (s[SEEN_P] + 1)
    else:
        s[SEEN_N] += 1
        s[N] += (value - s[N]) / (s[SEEN_N] + 1)


@njit(**KERNEL, forceinline=True)
def target_share(p, rule):
    """The share at which the measure is wanted."""
    if rule.target > 0:
        return rule.target
    return p if rule.odds == 1 else rule.odds * p / (rule.odds * p + 1 - p)


@njit(**KERNEL)
def judge(rows, codes, own, first, last, s, weights, reward):
    """Add up the rewards of fixed weights on some rows; the first row that cannot be used, or ``last``."""
    w = weights.ctypes.data
    for i in range(first, last):
        score = dot(rows, i, w)
        if not abs(score) < LARGEST:
            return i
        positive = codes[i] == own
        s[ROWS] += 1
        s[POSITIVES] += positive
        if positive:
            s[SEEN_P] += 1
            s[REWARD_P] += worth(reward, score)
        else:
            s[SEEN_N] += 1
            s[REWARD_N] += worth(reward, -score)
    return last
