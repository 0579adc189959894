"""Scores of rows under the weights of one block of classes: all of them, or only the best so far.

A pool of a million rows and a thousand classes has a billion scores, of which the labels need one per row: the running
arg-max keeps that one, and no matrix of scores ever exists.
"""

import numpy as np
from numba import njit

from foldless.solvers._lanes import KERNEL, highest, lane, load, plus_times, same, store
from foldless.solvers.linear._dual_descent import scores_of


@njit(**KERNEL)
def keep_best(X, model, n_lanes, first, best, label):
    """Where one of the block's scores beats the best so far, note it and the class it belongs to."""
    b = load(model.intercept, 0)
    zero = same(b, np.float32(0))
    for i in range(best.shape[0]):
        s = plus_times(scores_of(X, i, model.W, zero), model.scaling, b)
        if highest(s) > best[i]:  # lanes past the last class may win here, but not below
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
