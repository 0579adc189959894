"""The minimum of a quadratic with an L1 penalty: q·(z − w) + ½ (z − w)ᵀH(z − w) + Σ λ_j |z_j|.

Coordinate descent finds out which z are zero and the signs of the others, but takes hundreds of sweeps where columns of
H are alike. Once the signs are known the minimum solves a linear system. So some sweeps and a jump take turns: the jump
goes to the solution of that system, or as far towards it as no sign changes. Neither can raise the objective.

References
----------
Friedman, Hastie and Tibshirani (2010). Regularization paths for generalized linear models via coordinate descent. JSS
33, "covariance updates".
"""

import numpy as np
from numba import njit

from foldless.solvers._lanes import KERNEL

SWEEPS = 16  # before a jump
JUMPS = 20
FLAT = 1e-12  # the least curvature: of a feature that no row has, or where all rows are certain
DEPENDENT = 1e-14  # of a curvature is rounding


@njit(**KERNEL)
def minimize(q, H, penalties, limits, target):
    """Move the target, where the gradient is q, to the minimum: no coordinate violates its conditions by its limit."""
    for _ in range(JUMPS):
        for _ in range(SWEEPS):
            if sweep(q, H, penalties, limits, target) <= 1.0:
                return
        jump(q, H, penalties, target)


@njit(**KERNEL)
def sweep(q, H, penalties, limits, target):
    """Minimize along every coordinate: the largest violation that was met, in units of the limits."""
    worst = 0.0
    for j in range(q.shape[0]):
        curvature = max(H[j, j], FLAT)
        free, cut = target[j] - q[j] / curvature, penalties[j] / curvature
        change = max(free - cut, 0.0) + min(free + cut, 0.0) - target[j]
        if change != 0.0:
            worst = max(worst, abs(change) * curvature / limits[j])
            target[j] += change
            for k in range(q.shape[0]):
                q[k] += change * H[j, k]
    return worst


@njit(**KERNEL)
def jump(q, H, penalties, target):
    """Towards the minimum where all signs are as they are, until the first of them would change."""
    moving = np.flatnonzero((target != 0) | (penalties == 0))
    direction = np.empty(moving.shape[0])
    for r in range(moving.shape[0]):
        j = moving[r]
        direction[r] = -q[j] - penalties[j] * np.sign(target[j])
    solve_positive(H, moving, direction)
    stride, stops = 1.0, -1
    for r in range(moving.shape[0]):
        j = moving[r]
        reach = -target[j] / direction[r] if target[j] * direction[r] < 0 else 2.0
        if penalties[j] > 0 and reach < stride:
            stride, stops = reach, j
    for r in range(moving.shape[0]):
        j = moving[r]
        change = stride * direction[r]
        target[j] += change
        for k in range(q.shape[0]):
            q[k] += change * H[j, k]
    if stops >= 0:
        target[stops] = 0.0


@njit(**KERNEL)
def solve_positive(H, at, x):
    """Turn x into the solution of H[at, at] x = x by Cholesky; a column that depends on those before it gets zero."""
    s = at.shape[0]
    L = np.empty((s, s))  # with the inverse of its diagonal
    for i in range(s):
        for j in range(i + 1):
            total = H[at[i], at[j]]
            for k in range(j):
                total -= L[i, k] * L[j, k]
            if j < i:
                L[i, j] = total * L[j, j]
            else:
                L[i, i] = 1 / np.sqrt(total) if total > DEPENDENT * H[at[i], at[i]] else 0.0
        for k in range(i):
            x[i] -= L[i, k] * x[k]
        x[i] *= L[i, i]
    for i in range(s - 1, -1, -1):
        x[i] *= L[i, i]
        for k in range(i):
            x[k] -= L[i, k] * x[i]
