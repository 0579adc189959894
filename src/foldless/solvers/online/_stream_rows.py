"""Rows of a stream, dense or sparse, by their addresses: products with weights, and changes of weights along them.

A dense row's change of the weights is made when the next row is met: with x the row before, the next score needs only
(v + a x)·x' = v·x' + a (x·x'), whose products are known before a is. The last row of a batch is kept for the next. A
sparse row's change is made at once: two sparse rows have little in common.
"""

from typing import Any, NamedTuple

import numpy as np
from numba.extending import overload

from foldless.solvers._lanes import plus_times
from foldless.solvers.online._sixteen import (
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
from foldless.solvers.online._stream_weights import BYTES, constant_at, room, settle

AHEAD = 12  # rows that are fetched before they are met
LONG = 128  # features from which on a change by nothing is not made: to guess wrong takes as long as a short row
INLINE = {"forceinline": True}


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


class SparseDouble(Sparse):
    """The same with values in double precision."""

    __slots__ = ()


def dot(rows: Any, i: Any, w: Any) -> Any:
    """The product of row i and v."""


def squares(rows: Any, i: Any) -> Any:
    """The squared length of row i."""


def prepare(rows: Any, state: Any, w: Any, room: Any) -> Any:
    """Where the row before the first one is."""


def meet(rows: Any, i: Any, w: Any, before: Any, along: Any, area: Any) -> Any:
    """The products of row i with v and with the row before, whose change of v and u is made now."""


def change(rows: Any, i: Any, w: Any, along: Any, area: Any, before: Any) -> Any:
    """v += along · row i and u += area · row i; what of it is made when the next row is met, and where row i is."""


def keep(rows: Any, last: Any, w: Any, room: Any) -> Any:
    """Keep the last row, where its change is still to be made."""


@overload(dot, jit_options=INLINE)
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
            return np.float64(total(even + odd)) + rows.constant * number(w, constant_at(d))

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
def _prepare(rows, state, w, room):
    if rows.instance_class is Dense:

        def dense(rows, state, w, room):
            return w + 2 * BYTES * room

        return dense

    def sparse(rows, state, w, room):
        if state[0].along != 0:  # rows were dense until now
            settle(state, w, room)
        return w

    return sparse


@overload(meet, jit_options=INLINE)
def _meet(rows, i, w, before, along, area):
    if rows.instance_class is Dense:

        def dense(rows, i, w, before, along, area):
            if along == 0 and rows.n_features > LONG:
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


@overload(change, jit_options=INLINE)
def _change(rows, i, w, along, area, before):
    if rows.instance_class is Dense:

        def dense(rows, i, w, along, area, before):
            return np.float32(along), np.float32(area), rows.values + BYTES * i * rows.n_features

        return dense

    entry = number if rows.instance_class is Sparse else double

    def sparse(rows, i, w, along, area, before):
        if along != 0:
            u, c = w + BYTES * room(rows.n_features), constant_at(rows.n_features)
            for k in range(start(rows.starts, i), start(rows.starts, i + 1)):
                at, x = np.int64(column(rows.columns, k)), np.float32(entry(rows.values, k))
                put(w, at, number(w, at) + np.float32(along) * x)
                put(u, at, number(u, at) + np.float32(area) * x)
            put(w, c, number(w, c) + np.float32(along * rows.constant))
            put(u, c, number(u, c) + np.float32(area * rows.constant))
        return np.float32(0), np.float32(0), before

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
