"""One pass of primal-dual steps over rows, with projection and averaging in time proportional to a row's entries.

The weights are w = s v. A projection changes the scale s only. The sum of all iterates is A v − u, with A the sum of
the scales so far: where v changes by Δ, u changes by A Δ. All of v comes first, then all of u, then a row. The constant
feature of the intercept has a sixteen of its own: a number written into a vector would delay its next reading.

A dense row's change of the weights is made when the next row is met: with x the row before, the next score needs only
(v + a x)·x' = v·x' + a (x·x'), whose products are known before a is. The last row of a batch is kept for the next.

References
----------
Kar, Li, Narasimhan, Chawla and Sebastiani (2016). Online optimization methods for the quantification problem. KDD.
Algorithm 1.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numba.extending import overload
from numpy.typing import NDArray

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
from foldless.solvers.lanes import add as sum_of
from foldless.solvers.lanes import plus_times
from foldless.solvers.rewards import slope, worth
from foldless.solvers.sixteen import (
    WIDTH,
    column,
    double,
    number,
    plus_product,
    prefetch,
    put,
    read,
    read_some,
    start,
    total,
    write,
    zeros,
)

# of fastmath only what leaves NaN and infinity as they are: they must show
KERNEL = {
    "cache": True, "nogil": True, "boundscheck": False, "error_model": "numpy", "fastmath": {"contract", "nsz", "arcp"},
}  # fmt: skip
PERIOD = 65536  # rows between two sums of squares: rounding does not add up
SMALLEST = 1e-3  # of the scale: below it v and u would lose digits
LARGEST = 1e30  # of a score: what is larger, or not a number, comes from features that cannot be used
BYTES = 4
AHEAD = 12  # rows that are fetched before they are met


class Dense(NamedTuple):
    """The address of rows in single precision, one after the other."""

    values: int
    n_features: int
    constant: float


class Sparse(NamedTuple):
    """The addresses of where rows start, of their columns, and of their values in single precision."""

    starts: int
    columns: int
    values: int
    n_features: int
    constant: float


class SparseDouble(NamedTuple):
    """The same with values in double precision."""

    starts: int
    columns: int
    values: int
    n_features: int
    constant: float


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


@njit(**KERNEL, forceinline=True)
def constant_at(n_features):
    """The place of the constant feature."""
    return (n_features + WIDTH - 1) // WIDTH * WIDTH


@njit(**KERNEL, forceinline=True)
def room(n_features):
    """How many numbers v takes: whole sixteens for the features, and one for the constant."""
    return constant_at(n_features) + WIDTH


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


@njit(**KERNEL)
def refresh(w, room, scale, area):
    """Put the scale into v and the area into u: v ← s v, u ← u − A v; the sum of the squares of v."""
    squares = 0.0
    for k in range(0, room, WIDTH):
        at, u = w + BYTES * k, w + BYTES * (room + k)
        v = read(at)
        write(u, plus_times(read(u), -area, v))
        v = plus_times(zeros(), scale, v)
        write(at, v)
        squares += total(plus_product(zeros(), v, v))
    return squares


@njit(**KERNEL)
def settle(s, w, room):
    """Make the change of the weights that the last row of a dense batch has left."""
    for k in range(0, room, WIDTH):
        kept = read(w + BYTES * (2 * room + k))
        for at, along in ((w + BYTES * k, s[ALONG]), (w + BYTES * (room + k), s[ALONG_AREA])):
            write(at, plus_times(read(at), np.float32(along), kept))
    s[ALONG] = s[ALONG_AREA] = 0.0


def averaged(weights: NDArray[np.float32], s: NDArray[np.float64]) -> NDArray[np.float64]:
    """The mean of all iterates since the average was last begun."""
    v, u, kept = weights.astype(np.float64)
    mean: NDArray[np.float64] = s[AREA] * (v + s[ALONG] * kept) - (u + s[ALONG_AREA] * kept)
    return mean / max(s[AVERAGED], 1.0)


def latest(weights: NDArray[np.float32], s: NDArray[np.float64]) -> NDArray[np.float64]:
    """The last iterate."""
    last: NDArray[np.float64] = s[SCALE] * (weights[0] + s[ALONG] * weights[2].astype(np.float64))
    return last


def dot(rows: Any, i: Any, w: Any) -> Any:
    """The product of row i and v."""


def squares(rows: Any, i: Any) -> Any:
    """The squared length of row i."""


def prepare(rows: Any, s: Any, w: Any, room: Any) -> Any:
    """Where the row before the first one is."""


def meet(rows: Any, i: Any, w: Any, before: Any, along: Any, area: Any) -> Any:
    """The products of row i with v and with the row before, whose change of v and u is made now."""


def change(rows: Any, i: Any, w: Any, along: Any, area: Any, s: Any, before: Any) -> Any:
    """v += along · row i and u += area · row i, now or when the next row is met; where the row before the next is."""


def keep(rows: Any, last: Any, w: Any, room: Any) -> Any:
    """Keep the last row, where its change is still to be made."""


@overload(dot, jit_options={"forceinline": True})
def _dot(rows, i, w):
    if rows.instance_class is Dense:

        def dense(rows, i, w):
            x, d = rows.values + BYTES * i * rows.n_features, rows.n_features
            even, odd = zeros(), zeros()
            k = 0
            while k + 2 * WIDTH <= d:
                even = plus_product(even, read(x + BYTES * k), read(w + BYTES * k))
                odd = plus_product(odd, read(x + BYTES * (k + WIDTH)), read(w + BYTES * (k + WIDTH)))
                k += 2 * WIDTH
            while k < d:
                even = plus_product(even, read_some(x + BYTES * k, d - k), read(w + BYTES * k))
                k += WIDTH
            return np.float64(total(sum_of(even, odd))) + rows.constant * number(w, constant_at(d))

        return dense

    entry = number if rows.instance_class is Sparse else double

    def sparse(rows, i, w):
        # four sums, so that one product need not wait for the one before
        k, end = start(rows.starts, i), start(rows.starts, i + 1)
        a = b = c = d = np.float32(0)
        while k + 4 <= end:
            a += np.float32(entry(rows.values, k)) * number(w, np.int64(column(rows.columns, k)))
            b += np.float32(entry(rows.values, k + 1)) * number(w, np.int64(column(rows.columns, k + 1)))
            c += np.float32(entry(rows.values, k + 2)) * number(w, np.int64(column(rows.columns, k + 2)))
            d += np.float32(entry(rows.values, k + 3)) * number(w, np.int64(column(rows.columns, k + 3)))
            k += 4
        while k < end:
            a += np.float32(entry(rows.values, k)) * number(w, np.int64(column(rows.columns, k)))
            k += 1
        return np.float64((a + b) + (c + d)) + rows.constant * number(w, constant_at(rows.n_features))

    return sparse


@overload(squares)
def _squares(rows, i):
    if rows.instance_class is Dense:

        def dense(rows, i):
            x, d = rows.values + BYTES * i * rows.n_features, rows.n_features
            sums = zeros()
            for k in range(0, d, WIDTH):
                part = read_some(x + BYTES * k, d - k)
                sums = plus_product(sums, part, part)
            return np.float64(total(sums)) + rows.constant * rows.constant

        return dense

    entry = number if rows.instance_class is Sparse else double

    def sparse(rows, i):
        sums = rows.constant * rows.constant
        for k in range(start(rows.starts, i), start(rows.starts, i + 1)):
            sums += np.float64(entry(rows.values, k)) * np.float64(entry(rows.values, k))
        return sums

    return sparse


@overload(prepare)
def _prepare(rows, s, w, room):
    if rows.instance_class is Dense:

        def dense(rows, s, w, room):
            return w + 2 * BYTES * room

        return dense

    def sparse(rows, s, w, room):
        if s[ALONG] != 0:  # rows were dense until now
            settle(s, w, room)
        return w

    return sparse


@overload(meet, jit_options={"forceinline": True})
def _meet(rows, i, w, before, along, area):
    if rows.instance_class is Dense:

        def dense(rows, i, w, before, along, area):
            if along == 0:
                return dot(rows, i, w), 0.0
            # the next score waits for one number, the change, and not for the weights that it changes
            x, d = rows.values + BYTES * i * rows.n_features, rows.n_features
            u, c = w + BYTES * room(d), constant_at(d)
            products, overlaps = zeros(), zeros()
            k = 0
            while k < d:
                if k + WIDTH <= d:
                    here, there = read(x + BYTES * k), read(before + BYTES * k)
                else:
                    here, there = read_some(x + BYTES * k, d - k), read_some(before + BYTES * k, d - k)
                prefetch(x + BYTES * (AHEAD * d + k))
                v = read(w + BYTES * k)
                products = plus_product(products, here, v)
                overlaps = plus_product(overlaps, here, there)
                write(w + BYTES * k, plus_times(v, along, there))
                write(u + BYTES * k, plus_times(read(u + BYTES * k), area, there))
                k += WIDTH
            bias, constant = number(w, c), np.float32(rows.constant)
            put(w, c, bias + along * constant)
            put(u, c, number(u, c) + area * constant)
            return (
                np.float64(total(products)) + rows.constant * bias,
                np.float64(total(overlaps)) + rows.constant * rows.constant,
            )

        return dense

    def sparse(rows, i, w, before, along, area):
        return dot(rows, i, w), 0.0

    return sparse


@overload(change, jit_options={"forceinline": True})
def _change(rows, i, w, along, area, s, before):
    if rows.instance_class is Dense:

        def dense(rows, i, w, along, area, s, before):
            s[ALONG], s[ALONG_AREA] = np.float32(along), np.float32(area)
            return rows.values + BYTES * i * rows.n_features

        return dense

    entry = number if rows.instance_class is Sparse else double

    def sparse(rows, i, w, along, area, s, before):
        if along != 0:
            u, c = w + BYTES * room(rows.n_features), constant_at(rows.n_features)
            for k in range(start(rows.starts, i), start(rows.starts, i + 1)):
                at, x = np.int64(column(rows.columns, k)), np.float32(entry(rows.values, k))
                put(w, at, number(w, at) + np.float32(along) * x)
                put(u, at, number(u, at) + np.float32(area) * x)
            put(w, c, number(w, c) + np.float32(along * rows.constant))
            put(u, c, number(u, c) + np.float32(area * rows.constant))
        return before

    return sparse


@overload(keep)
def _keep(rows, last, w, room):
    if rows.instance_class is Dense:

        def dense(rows, last, w, room):
            kept, d = w + 2 * BYTES * room, rows.n_features
            x = rows.values + BYTES * (last - 1) * d
            for k in range(0, d, WIDTH):
                write(kept + BYTES * k, read_some(x + BYTES * k, d - k))
            put(kept, constant_at(d), np.float32(rows.constant))

        return dense

    def sparse(rows, last, w, room):
        pass

    return sparse
