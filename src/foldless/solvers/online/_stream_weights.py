"""Weights that are scaled, projected and averaged without touching more of them than a row does.

The weights are w = s v. A projection changes the scale s only. The sum of all iterates is A v − u, with A the sum of
the scales so far: where v changes by Δ, u changes by A Δ. In memory all of v comes first, then all of u, then a row
whose change is still to be made. The constant feature of the intercept has a sixteen of its own: a number written into
a vector would delay its next reading.
"""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from foldless.solvers._lanes import plus_times
from foldless.solvers.online._sixteen import WIDTH, plus_product, read, total, write, zeros

# of fastmath only what leaves NaN and infinity as they are: they must show
KERNEL = {
    "cache": True, "nogil": True, "boundscheck": False, "error_model": "numpy", "fastmath": {"contract", "nsz", "arcp"},
}  # fmt: skip
BYTES = 4


@njit(**KERNEL, forceinline=True)
def constant_at(n_features):
    """The place of the constant feature."""
    return (n_features + WIDTH - 1) // WIDTH * WIDTH


@njit(**KERNEL, forceinline=True)
def room(n_features):
    """How many numbers v takes: whole sixteens for the features, and one for the constant."""
    return constant_at(n_features) + WIDTH


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
def settle(state, w, room):
    """Make the change of the weights that the last row of a dense batch has left."""
    s = state[0]
    if s.along == 0.0 and s.along_area == 0.0:
        return
    for k in range(0, room, WIDTH):
        kept = read(w + BYTES * (2 * room + k))
        for at, along in ((w + BYTES * k, s.along), (w + BYTES * (room + k), s.along_area)):
            write(at, plus_times(read(at), np.float32(along), kept))
    s.along = s.along_area = 0.0


@njit(cache=True, nogil=True)
def average(weights, state, mean):
    """Put the mean of all iterates since the average was last begun where it is wanted."""
    s = state[0]
    along, along_area, area, n = s.along, s.along_area, s.area, max(s.averaged, 1.0)
    for k in range(mean.shape[0]):
        v, u = np.float64(weights[0, k]), np.float64(weights[1, k])
        if along != 0:
            v += along * weights[2, k]
            u += along_area * weights[2, k]
        mean[k] = (v * area - u) / n


def averaged(weights: NDArray[np.float32], state: NDArray[Any]) -> NDArray[np.float64]:
    """The mean of all iterates since the average was last begun."""
    mean = np.empty(weights.shape[1])
    average(weights, state, mean)
    return mean


def latest(weights: NDArray[np.float32], state: NDArray[Any]) -> NDArray[np.float64]:
    """The last iterate."""
    s = state[0]
    last: NDArray[np.float64] = s["scale"] * (weights[0] + s["along"] * weights[2].astype(np.float64))
    return last
