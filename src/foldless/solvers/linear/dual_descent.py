"""Dual coordinate descent on several classes at once, for any loss that can update one coordinate.

The weights are w = Σ_i α_i y_i x_i. A visit to row i computes its scores s in all lanes, lets the loss move α_i to
its best value with all others fixed, and adds the change to w. Rows that are at their bound in every lane, by more
than the largest violation of the pass before, are left out until the others have converged. Rows that hold up the
others are visited more often: where C is large, a few copies in different classes would else cost thousands of passes.
Lanes past the last class have 0 in ``live``: they stay at zero and hold up nobody.

References
----------
Hsieh et al. (2008). A dual coordinate descent method for large-scale linear SVM. ICML. Algorithm 3.
"""

from typing import Any

import numpy as np
from numba import njit

from foldless.solvers.lanes import (
    KERNEL,
    add,
    highest,
    larger,
    load,
    multiply,
    plus_times,
    same,
    size,
    store,
    with_lane,
)

ROUNDING = np.float32(1.2e-7)  # one unit in the last place
FIRST_GOAL, NEXT_GOAL = np.float32(0.03), np.float32(0.03)  # all rows are looked at again on the way to a small tol
HOT = np.float32(0.03)  # of the worst violation: rows above it hold up the others
FEW, VISITS = 4, 4  # where only each fourth active row is hot, four visits to hot rows for each active one


def update(loss: Any, state: Any, score: Any, sign: Any, limit: Any, row: Any) -> Any:
    """Move one coordinate in all lanes: its new state, the change of α, the violation, and 0 where it may be left out.

    Each loss brings an overload. ``sign`` is +1 in the lane of the row's class and −1 elsewhere; a coordinate at its
    bound may be left out where the gradient keeps it there by more than ``limit``.
    """
    raise TypeError(f"no update for {type(loss).__name__} outside of a kernel")


@njit(**KERNEL, inline="always")
def rounding_of(terms):
    """What a violation may owe to single precision, where it is the difference of such terms: no pass can lower it."""
    return multiply(terms, same(terms, ROUNDING))


@njit(**KERNEL)
def solve(rows, own, live, loss, W, intercept, scaling, states, worst, limits, active, hot, order, tol, passes, seed):
    """Descend until no lane is violated by more than ``tol``: the passes it took, negative where they did not do.

    A pass is as many visits as there are rows.
    """
    n = own.shape[0]
    n_active = n
    for at in range(n):
        active[at] = at
    zero = same(load(limits, 0), np.float32(0))
    store(limits, 0, same(zero, np.float32(np.inf)))
    goal = max(tol, FIRST_GOAL)
    warm = np.float32(np.inf)
    left = np.int64(passes) * n
    while left > 0:
        left -= n_active
        seed = _shuffle(active, order, n_active, seed)
        n_next, n_hot = _visit(
            rows, own, live, loss, W, intercept, scaling, states, worst, limits, order, n_active, active, hot, warm
        )
        most = highest(load(worst, 0))
        warm = HOT * max(most, goal)
        if most <= goal:
            if n_active == n:
                if goal <= tol:
                    return passes - left // n
                goal = max(tol, goal * NEXT_GOAL)
            n_active = n
            for at in range(n):
                active[at] = at
            store(limits, 0, same(zero, np.float32(np.inf)))
        else:
            n_active = n_next
            store(limits, 0, load(worst, 0))
            # rows that pull against each other, such as copies in different classes
            few, spare = n_active // FEW, min(VISITS * n_active, left - n)
            while 0 < n_hot <= min(few, spare):
                spare, left = spare - n_hot, left - n_hot
                seed = _shuffle(hot, order, n_hot, seed)
                _, n_hot = _visit(
                    rows, own, live, loss, W, intercept, scaling, states, worst, limits, order, n_hot, order, hot, warm
                )
    return -passes


@njit(**KERNEL)
def _visit(rows, own, live, loss, W, intercept, scaling, states, worst, limits, order, n, active, hot, warm):
    """One pass over the rows in order: those that stay active, those violated by more than ``warm``, their numbers.

    ``active`` may be ``order`` itself: what is written there has been read.
    """
    b, limit, real = load(intercept, 0), load(limits, 0), load(live, 0)
    zero = same(b, np.float32(0))
    negative = same(b, np.float32(-1))
    most, left, n_hot = zero, 0, 0
    for at in range(n):
        i = order[at]
        s = plus_times(scores_of(rows, i, W, zero), scaling, b)
        sign = negative
        if own[i] >= 0:
            sign = with_lane(negative, own[i], np.float32(1))
        state, change, violation, busy = update(loss, load(states, i), s, sign, limit, i)
        change, violation = multiply(change, real), multiply(violation, real)
        most = larger(most, violation)
        if highest(violation) > warm:
            hot[n_hot] = i
            n_hot += 1
        if highest(multiply(busy, real)) > 0:
            active[left] = i
            left += 1
        if highest(size(change)) > 0:
            store(states, i, state)
            step = multiply(sign, change)
            for k in range(rows.starts[i], rows.starts[i + 1]):
                store(W, rows.columns[k], plus_times(load(W, rows.columns[k]), rows.values[k], step))
            b = plus_times(b, scaling, step)
    store(intercept, 0, b)
    store(worst, 0, most)
    return left, n_hot


@njit(**KERNEL, inline="always")
def scores_of(rows, i, W, zero):
    """The products of a row with the weights of all lanes, in four sums: a single one would wait for each addition."""
    k, stop = rows.starts[i], rows.starts[i + 1]
    s0, s1, s2, s3 = zero, zero, zero, zero
    while k + 3 < stop:
        s0 = plus_times(s0, rows.values[k], load(W, rows.columns[k]))
        s1 = plus_times(s1, rows.values[k + 1], load(W, rows.columns[k + 1]))
        s2 = plus_times(s2, rows.values[k + 2], load(W, rows.columns[k + 2]))
        s3 = plus_times(s3, rows.values[k + 3], load(W, rows.columns[k + 3]))
        k += 4
    while k < stop:
        s0 = plus_times(s0, rows.values[k], load(W, rows.columns[k]))
        k += 1
    return add(add(s0, s1), add(s2, s3))


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
