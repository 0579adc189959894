"""One pass of primal-dual steps over rows, in time proportional to their entries.

For each row: find its score, move the weights along it by how much the measure gains with the rate of its class, then
move the running rates by what the row counts, and the values of the measure's parts with them.

References
----------
Kar, Li, Narasimhan, Chawla and Sebastiani (2016). Online optimization methods for the quantification problem. KDD.
Algorithm 1.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from numba import njit

from foldless.core import Array
from foldless.solvers.online._duals import Known, call, pull, tangents
from foldless.solvers.online._rewards import slope, worth
from foldless.solvers.online._stream_rows import change, dot, keep, meet, prepare, squares
from foldless.solvers.online._stream_state import factors, known
from foldless.solvers.online._stream_weights import KERNEL, refresh

PERIOD = 65536  # rows between two sums of squares: rounding does not add up
SMALLEST = 1e-3  # of the scale: below it v and u would lose digits
LARGEST = 1e30  # of a score: what is larger, or not a number, comes from features that cannot be used


class Span(NamedTuple):
    """Rows from ``first`` to before ``last`` with the codes of their classes, and the code of the positive class."""

    rows: Any
    codes: Array
    positive: int
    first: int
    last: int


class StreamModel(NamedTuple):
    """One record of the state (`stream_state.STATE`) in an array, and the weights (`stream_weights`)."""

    state: Array
    weights: Array


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


class Objective(NamedTuple):
    """What is learned, and how: the rule, the reward of a margin, and the address of a compiled dual, 0 for none."""

    rule: Rule
    reward: Any
    dual: int


@njit(**KERNEL)
def learn(span, model, objective):
    """Learn from the rows of a span; the number of the first one that cannot be used, or ``span.last``."""
    rows, codes, positive_code, first, last = span
    rule, reward, dual = objective
    s, w, room = model.state[0], model.weights.ctypes.data, model.weights.shape[1]
    before = prepare(rows, model.state, w, room)
    n, time, positives, until = s.rows, s.time, s.positives, s.until
    scale, area, square = s.scale, s.area, s.square
    along, along_area = np.float32(s.along), np.float32(s.along_area)
    at, f = known(s), factors(s)
    share_of_one = 1 / (n + 1)
    for i in range(first, last):
        positive = codes[i] == positive_code
        sign = 1.0 if positive else -1.0
        n += 1
        time += 1
        until -= 1
        positives += positive
        share_before, share_of_one = share_of_one, 1 / (n + 1)
        p = rule.share if rule.share > 0 else (positives + 0.5) * share_of_one
        weight = 1 / (p if positive else 1 - p)  # turns means over the stream into means within the class
        kept = share_of_one if time == n else 1 / (time + 1)

        product, overlap = meet(rows, i, w, before, along, along_area)
        score = scale * (product + along * overlap)
        if not abs(score) < LARGEST:
            return i
        if until <= 0 or scale < SMALLEST:  # here no change of the weights is still to be made
            square = refresh(w, room, np.float32(scale), np.float32(area))
            scale, area, until = 1.0, 0.0, PERIOD

        margin = sign * score
        by = 0.0
        if margin < reward.cap:
            gain = pull(f, at, positive) if dual == 0 else (s.to_P if positive else s.to_N)
            by = sign * weight * rule.step / (math.sqrt(time) * scale) * gain * slope(reward, margin)
        along, along_area, before = change(rows, i, w, by, by * area, before)
        if rule.radius < np.inf:
            scale, square = project(scale, square, rule.radius, by * scale, score, squares(rows, i))
        area += scale

        value = worth(reward, margin)
        news_P = (value * weight if positive else 0.0) - at.P
        news_N = (0.0 if positive else value * weight) - at.N
        next_P, next_N = at.P + kept * news_P, at.N + kept * news_N
        if rule.by_class:
            next_P, next_N = count(s, at, positive, value)
        more_1, more_2 = tangents(f, at, news_P, news_N) if f.beta > 0 else (0.0, 0.0)
        smoothing = rule.smoothing if rule.smoothing >= 0 else 0.5 * share_before
        at = Known(next_P, next_N, at.Q1 + kept * more_1, at.Q2 + kept * more_2, target_share(p, rule), smoothing)
        if dual != 0:
            s.kept, s.news_P, s.news_N = kept, news_P, news_N
            s.P, s.N, s.share, s.smoothing = at.P, at.N, at.share, at.smoothing
            call(dual, model.state)
    s.averaged += last - first
    s.rows, s.time, s.positives, s.until = n, time, positives, until
    s.scale, s.area, s.square, s.along, s.along_area = scale, area, square, along, along_area
    s.P, s.N, s.share, s.smoothing = at.P, at.N, at.share, at.smoothing
    if dual == 0:
        s.Q1, s.Q2 = at.Q1, at.Q2
    keep(rows, last, w, room)
    return last


@njit(**KERNEL, forceinline=True)
def project(scale, square, radius, moved, score, length):
    """Shorten the weights to the radius, after a change by so much along a row of some squared length."""
    square += moved * (2 * score + moved * length)
    if square > radius * radius:
        return scale * radius / math.sqrt(square), radius * radius
    return scale, square


@njit(**KERNEL, forceinline=True)
def count(s, at, positive, value):
    """Rates as means within the classes."""
    if positive:
        s.seen_P += 1
        return at.P + (value - at.P) / (s.seen_P + 1), at.N
    s.seen_N += 1
    return at.P, at.N + (value - at.N) / (s.seen_N + 1)


@njit(**KERNEL, forceinline=True)
def target_share(p, rule):
    """The share at which the measure is wanted."""
    if rule.target > 0:
        return rule.target
    return p if rule.odds == 1 else rule.odds * p / (rule.odds * p + 1 - p)


@njit(**KERNEL)
def judge(span, state, weights, reward):
    """Add up the rewards of fixed weights on a span; the first row that cannot be used, or ``span.last``."""
    rows, codes, positive_code, first, last = span
    s, w = state[0], weights.ctypes.data
    reward_P, reward_N = s.reward_P, s.reward_N
    positives = 0
    for i in range(first, last):
        score = dot(rows, i, w)
        if not abs(score) < LARGEST:
            return i
        if codes[i] == positive_code:
            positives += 1
            reward_P += worth(reward, score)
        else:
            reward_N += worth(reward, -score)
    s.rows += last - first
    s.positives += positives
    s.seen_P += positives
    s.seen_N += last - first - positives
    s.reward_P, s.reward_N = reward_P, reward_N
    return last
