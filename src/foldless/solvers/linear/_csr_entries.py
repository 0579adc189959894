"""Loops over the entries of sparse rows: their squares, the features they use, and the entries at those features."""

import numpy as np
from numba import njit

from foldless.solvers._lanes import KERNEL


@njit(**KERNEL)
def squares(starts, values):
    """The squared length of every row."""
    out = np.empty(starts.shape[0] - 1, np.float32)
    for i in range(out.shape[0]):
        total = 0.0
        for k in range(starts[i], starts[i + 1]):
            total += np.float64(values[k]) ** 2
        out[i] = total
    return out


@njit(**KERNEL)
def meet(indices, data, used, place):
    """Number the features in the order in which they occur."""
    n = 0
    for k in range(indices.shape[0]):
        if place[indices[k]] < 0 and data[k] != 0:
            place[indices[k]] = n
            used[n] = indices[k]
            n += 1
    return n


@njit(**KERNEL)
def squeeze(X, which, place, seen, out):
    """Copy what is at features in use; False where a row has a feature twice, for then its square would be wrong."""
    n = 0
    for i in range(which.shape[0]):
        for k in range(X.starts[which[i]], X.starts[which[i] + 1]):
            column = place[X.columns[k]]
            if column >= 0 and X.values[k] != 0:
                if seen[column] == i:
                    return False
                seen[column] = i
                out.columns[n] = column
                out.values[n] = X.values[k]
                n += 1
        out.starts[i + 1] = n
    return True
