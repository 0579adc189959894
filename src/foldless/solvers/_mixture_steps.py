"""Mixture weights of many bags by extrapolated steps of EM: one pass over the rows of a bag for each step.

A pass reads each row once: its mixed likelihood s = p · L_i, and then g += L_i / s while the row is at hand.
"""

import numpy as np
from numba import njit

from foldless.solvers._lanes import KERNEL


@njit(**KERNEL)
def climb(likelihood, rows, starts, weights, reach, rounds, floor):
    """Bring the weights of every bag to within ``reach`` of the highest log-likelihood; they are changed in place."""
    k = weights.shape[1]
    gain, again, one, two, old = np.empty(k), np.empty(k), np.empty(k), np.empty(k), np.empty(k)
    for bag in range(len(starts) - 1):
        first, last = starts[bag], starts[bag + 1]
        point = weights[bag]
        gap = min(reach / (last - first), 1e-3)
        highest, safe = -1e300, False
        for _ in range(rounds):
            height = slopes(likelihood, rows, first, last, point, gain, floor)
            if safe and height < highest - 1e-9 * abs(highest):  # the stride was too long: the plain step instead
                point[:] = two
                safe = False
                continue
            highest = height
            if gain.max() - 1 < gap:
                break
            for c in range(k):
                one[c] = point[c] * gain[c]
            highest = slopes(likelihood, rows, first, last, one, again, floor)
            ahead, turn = 0.0, 0.0
            for c in range(k):
                two[c] = one[c] * again[c]
                r = one[c] - point[c]
                v = two[c] - one[c] - r
                ahead += r * r
                turn += v * v
            if again.max() - 1 < gap:
                point[:] = one
                break
            stride = np.sqrt(ahead / max(turn, 1e-300))
            safe = stride > 1
            total = 0.0
            for c in range(k):
                old[c] = two[c]
                if safe:  # a share of 0 would stay 0
                    r = one[c] - point[c]
                    old[c] = max(point[c] + 2 * stride * r + stride**2 * (two[c] - one[c] - r), 0.01 * two[c])
                total += old[c]
            for c in range(k):
                point[c] = old[c] / total


@njit(**KERNEL)
def slopes(likelihood, rows, first, last, point, gain, floor):
    """The mean of L_ik / (p · L_i) over a bag, into ``gain``; returns the sum of log (p · L_i)."""
    k = len(point)
    gain[:] = 0.0
    height, product = 0.0, 1.0
    for at in range(first, last):
        row = rows[at]
        mixed = 0.0
        for c in range(k):
            mixed += point[c] * likelihood[row, c]
        mixed = max(mixed, floor)
        product *= mixed  # one logarithm for several rows
        if product < 1e-200:
            height += np.log(product)
            product = 1.0
        inverse = 1 / mixed
        for c in range(k):
            gain[c] += inverse * likelihood[row, c]
    for c in range(k):
        gain[c] /= last - first
    return height + np.log(product)
