"""Dual coordinate descent on several classes at once, for any datafit that can update one coordinate.

Minimizes ½‖w‖² + Σ_i C_i loss(y_i w·x_i) over w = Σ_i α_i y_i x_i. A visit to row i computes its scores in all lanes,
lets the datafit move α_i to its best value with all others fixed, and adds the change to w. Rows that are at their
bound in every lane, by more than the largest violation of the pass before, are left out until the others have
converged. Rows that hold up the others are visited more often: where C is large, a few copies in different classes
would else cost thousands of passes. Exact copies in different classes are settled among themselves at each visit: they
have one score, so their features are not read for that. Lanes past the last class have 0 in ``live``: they stay at zero
and hold up nobody.

Rows that are asked about have their scores from the same weights, all of them or only the best so far: a pool of a
million rows and a thousand classes has a billion scores, of which the labels need one per row: the running arg-max
keeps that one, and no matrix of scores ever exists.

References
----------
Hsieh et al. (2008). A dual coordinate descent method for large-scale linear SVM. ICML. Algorithm 3.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from foldless.solvers._lanes import (
    KERNEL,
    any_above,
    highest,
    lane,
    larger,
    load,
    plus_times,
    same,
    size,
    store,
    with_lane,
)  # fmt: skip

ROUNDING = np.float32(1.2e-7)  # one unit in the last place
FIRST_GOAL, NEXT_GOAL = np.float32(0.03), np.float32(0.03)  # all rows are looked at again on the way to a small tol
HOT = np.float32(0.03)  # of the worst violation: rows above it hold up the others
FEW, VISITS = 4, 4  # where only each fourth active row is hot, four visits to hot rows for each active one


class Model(NamedTuple):
    """Weights of shape (features, lanes), intercepts of shape (1, lanes), and the value of the constant feature."""

    W: Any
    intercept: Any
    scaling: np.float32


class LaneLabels(NamedTuple):
    """The lane of every row's class, −1 where it is in none of them; ``live`` is 1 in lanes with a class, else 0.

    ``copies`` has the next copy of every row, round a circle, where copies are in different classes; else the row.
    """

    lane_of: NDArray[np.int32]
    live: Any
    copies: NDArray[np.int32]


class Descent(NamedTuple):
    """Where a descent stands, and the room that it works in.

    ``dual`` has the coordinate of every row in every lane: α, or what the datafit keeps in its place. ``worst`` has the
    largest violation of the last pass, ``limits`` that of the pass before, in every lane. ``active`` are the rows that
    are not left out, ``hot`` those that hold up the others, ``order`` those of the next pass.
    """

    dual: Any
    worst: Any
    limits: Any
    active: NDArray[np.int32]
    hot: NDArray[np.int32]
    order: NDArray[np.int32]


class Settings(NamedTuple):
    """The largest violation that may be left, the most passes over all rows, and the seed of their order."""

    tol: np.float32
    max_passes: int
    seed: np.uint64


class Datafit(NamedTuple):
    """``positive`` and ``negative`` hold C in every lane: for rows of the lane's class, and for all others."""

    positive: Any
    negative: Any
    weights: NDArray[np.float32]
    squares: NDArray[np.float32]


def update(datafit: Any, state: Any, score: Any, sign: Any, limit: Any, row: Any) -> Any:
    """Move one coordinate in all lanes: its new state, the change of α, the violation, and 0 where it may be left out.

    Each datafit brings an overload. ``sign`` is +1 in the lane of the row's class and −1 elsewhere; a coordinate at its
    bound may be left out where the gradient keeps it there by more than ``limit``.
    """
    raise TypeError(f"no update for {type(datafit).__name__} outside of a kernel")


def settle(datafit: Any, y: Any, dual: Any, score: Any, step: Any, row: Any) -> Any:
    """Move the coordinates of a row and of its copies to their joint best: the step of all of them.

    Each datafit brings an overload. ``score`` is the row's before ``step``, its own one, which is in the dual already.
    """
    raise TypeError(f"no copies of rows for {type(datafit).__name__} outside of a kernel")


@njit(**KERNEL, inline="always")
def cost_of(datafit, sign):
    """C in every lane: that of rows of the lane's class where the sign is +1, that of all others where it is −1."""
    own_cost, other_cost = load(datafit.positive, 0), load(datafit.negative, 0)
    positive = (same(sign, np.float32(1)) + sign) * same(sign, np.float32(0.5))
    return other_cost + positive * (own_cost - other_cost)


@njit(**KERNEL, inline="always")
def rounding_of(terms):
    """What a violation may owe to single precision, where it is the difference of such terms: no pass can lower it."""
    return terms * same(terms, ROUNDING)


@njit(**KERNEL)
def start_at(X, model, dual):
    """Take y α, which the dual holds, into the weights, and leave α in its place."""
    b = load(model.intercept, 0)
    for i in range(X.starts.shape[0] - 1):
        step = load(dual, i)
        if any_above(size(step), np.float32(0)):
            store(dual, i, size(step))
            for k in range(X.starts[i], X.starts[i + 1]):
                store(model.W, X.columns[k], plus_times(load(model.W, X.columns[k]), X.values[k], step))
            b = plus_times(b, model.scaling, step)
    store(model.intercept, 0, b)


@njit(**KERNEL)
def solve(X, y, datafit, model, descent, settings):
    """Descend until no lane is violated by more than ``tol``: the passes it took, negative where they were too few.

    A pass is as many visits as there are rows.
    """
    n = y.lane_of.shape[0]
    active, hot, order = descent.active, descent.hot, descent.order
    tol, passes, seed = settings.tol, settings.max_passes, settings.seed
    n_active = n
    for at in range(n):
        active[at] = at
    zero = same(load(descent.limits, 0), np.float32(0))
    store(descent.limits, 0, same(zero, np.float32(np.inf)))
    goal = max(tol, FIRST_GOAL)
    warm = np.float32(np.inf)
    left = np.int64(passes) * n
    while left > 0:
        left -= n_active
        seed = _shuffle(active, order, n_active, seed)
        n_next, n_hot = _visit(X, y, datafit, model, descent, n_active, active, warm)
        most = highest(load(descent.worst, 0))
        warm = HOT * max(most, goal)
        if most <= goal:
            if n_active == n:
                if goal <= tol:
                    return passes - left // n
                goal = max(tol, goal * NEXT_GOAL)
            n_active = n
            for at in range(n):
                active[at] = at
            store(descent.limits, 0, same(zero, np.float32(np.inf)))
        else:
            n_active = n_next
            store(descent.limits, 0, load(descent.worst, 0))
            # rows that pull against each other, such as copies in different classes
            few, spare = n_active // FEW, min(VISITS * n_active, left - n)
            while 0 < n_hot <= min(few, spare):
                spare, left = spare - n_hot, left - n_hot
                seed = _shuffle(hot, order, n_hot, seed)
                _, n_hot = _visit(X, y, datafit, model, descent, n_hot, order, warm)
    return -passes


@njit(**KERNEL)
def _visit(X, y, datafit, model, descent, n, active, warm):
    """Visit the first n rows of the order: how many stay active, and how many are violated by more than ``warm``.

    The former are written to ``active``, the latter to ``descent.hot``. ``active`` may be the order itself: what is
    written there has been read.
    """
    W, order, hot = model.W, descent.order, descent.hot
    b, limit, live = load(model.intercept, 0), load(descent.limits, 0), load(y.live, 0)
    zero = same(b, np.float32(0))
    negative = same(b, np.float32(-1))
    most, left, n_hot = zero, 0, 0
    for at in range(n):
        i = order[at]
        s = plus_times(scores_of(X, i, W, zero), model.scaling, b)
        sign = sign_of(y, i, negative)
        state, change, violation, busy = update(datafit, load(descent.dual, i), s, sign, limit, i)
        change, violation = change * live, violation * live
        most = larger(most, violation)
        if any_above(violation, warm):
            hot[n_hot] = i
            n_hot += 1
        if any_above(busy * live, np.float32(0)):
            active[left] = i
            left += 1
        if any_above(size(change), np.float32(0)):
            store(descent.dual, i, state)
            step = sign * change
            if y.copies[i] != i:
                step = settle(datafit, y, descent.dual, s, step, i)
            for k in range(X.starts[i], X.starts[i + 1]):
                store(W, X.columns[k], plus_times(load(W, X.columns[k]), X.values[k], step))
            b = plus_times(b, model.scaling, step)
    store(model.intercept, 0, b)
    store(descent.worst, 0, most)
    return left, n_hot


@njit(**KERNEL, inline="always")
def sign_of(y, i, negative):
    """+1 in the lane of a row's class, −1 in all others."""
    if y.lane_of[i] >= 0:
        return with_lane(negative, y.lane_of[i], np.float32(1))
    return negative


@njit(**KERNEL, inline="always")
def scores_of(X, i, W, zero):
    """The products of a row with the weights of all lanes, in four sums: a single one would wait for each addition."""
    k, stop = X.starts[i], X.starts[i + 1]
    s0, s1, s2, s3 = zero, zero, zero, zero
    while k + 3 < stop:
        s0 = plus_times(s0, X.values[k], load(W, X.columns[k]))
        s1 = plus_times(s1, X.values[k + 1], load(W, X.columns[k + 1]))
        s2 = plus_times(s2, X.values[k + 2], load(W, X.columns[k + 2]))
        s3 = plus_times(s3, X.values[k + 3], load(W, X.columns[k + 3]))
        k += 4
    while k < stop:
        s0 = plus_times(s0, X.values[k], load(W, X.columns[k]))
        k += 1
    return (s0 + s1) + (s2 + s3)


@njit(**KERNEL)
def _shuffle(active, order, n, seed):
    """The active rows in a new order; here and not in Python, for a pass over few rows is shorter than a call."""
    for at in range(n):
        order[at] = active[at]
    for at in range(n - 1, 0, -1):
        seed ^= (seed << np.uint64(13)) & np.uint64(0xFFFFFFFFFFFFFFFF)
        seed ^= seed >> np.uint64(7)
        seed ^= (seed << np.uint64(17)) & np.uint64(0xFFFFFFFFFFFFFFFF)
        to = np.int64(seed % np.uint64(at + 1))
        order[at], order[to] = order[to], order[at]
    return seed


@njit(**KERNEL)
def keep_best(X, model, n_lanes, first, best, label):
    """Where one of the block's scores beats the best so far, note it and the class it belongs to."""
    b = load(model.intercept, 0)
    zero = same(b, np.float32(0))
    for i in range(best.shape[0]):
        s = plus_times(scores_of(X, i, model.W, zero), model.scaling, b)
        if any_above(s, best[i]):  # lanes past the last class may win here, but not below
            for at in range(n_lanes):
                score = lane(s, at)
                if score > best[i]:
                    best[i] = score
                    label[i] = first + at


@njit(**KERNEL)
def write_scores(X, model, out):
    """All scores of the block, row by row."""
    b = load(model.intercept, 0)
    zero = same(b, np.float32(0))
    for i in range(X.starts.shape[0] - 1):
        store(out, i, plus_times(scores_of(X, i, model.W, zero), model.scaling, b))
