"""The logistic loss C_i log(1 + exp(−y s)), as an update of one dual coordinate.

The dual variable is α = C_i σ(θ), and θ is what is kept: it has no bounds, and needs no logarithm. With all other
coordinates fixed the best θ solves F(θ) = θ + y s + q (C_i σ(θ) − α) = 0. F rises at least as fast as θ, so the root
is within |F| of where one stands, and a few Newton steps inside that interval find it.

References
----------
Yu, Huang & Lin (2011). Dual coordinate descent methods for logistic regression and maximum entropy models. Machine
Learning 85.
"""

import numpy as np
from numba.extending import overload
from numpy.typing import NDArray
from scipy.special import expit

from foldless.solvers._lanes import at_most, highest, larger, same, sigmoid, size, smaller
from foldless.solvers.linear._dual_descent import Datafit, cost_of, rounding_of, settle, update

NEWTON_STEPS = 80  # down the tail of the sigmoid a step is 1, and the root is as far as log(q C)
PRECISION = 1e-2  # of F, before the last step: Newton then squares it
LAST_STEP = 1e-4  # of θ, where q C is so large that single precision cannot give F
MARGIN = 1 / 16  # of tol: a margin that is wrong by this changes the loss by its square only
START = -80.0  # σ(θ) is zero in single precision


class Logistic(Datafit):
    """C_i log(1 + exp(−y s))."""

    __slots__ = ()


def at_larger_cost(states: NDArray[np.float32], ratio: float) -> None:
    """Keep α, and with it the weights, where C is multiplied by ``ratio``: C σ(θ) stays, so θ falls."""
    p = expit(states.astype(np.float64)) / ratio
    states[:] = np.maximum(np.log(np.maximum(p, 1e-40)) - np.log1p(-p), START)


@overload(update)
def _update_logistic(datafit, state, score, sign, limit, row):
    if getattr(datafit, "instance_class", None) is not Logistic:
        return None

    def logistic(datafit, state, score, sign, limit, row):
        ones = same(sign, np.float32(1))
        cap = cost_of(datafit, sign) * same(sign, datafit.weights[row])
        curvature = same(sign, datafit.squares[row])
        slack = curvature * cap
        margin = sign * score
        before = sigmoid(state)
        target = same(sign, np.float32(0)) - margin
        low, high = smaller(state, target), larger(state, target)
        middle = smaller(larger(same(sign, np.float32(0)), low), high)
        # from the middle of the sigmoid Newton's steps never pass the root; near the root they may start where they are
        near = at_most(size(state - target), ones)
        theta = middle + near * (state - middle)
        for _ in range(NEWTON_STEPS):
            p = sigmoid(theta)
            value = theta - target + slack * (p - before)
            slope = ones + slack * (p * (ones - p))
            theta = smaller(larger(theta - value / slope, low), high)
            if highest(size(value) - slope * same(sign, np.float32(LAST_STEP))) < PRECISION:
                break
        change = cap * (sigmoid(theta) - before)
        rounding = rounding_of(size(score) + slack * before * (ones + size(state)))
        wrong = size(before - sigmoid(target)) - rounding * same(sign, np.float32(0.25))
        # for large C all σ are small, and only what the step does to the row's own margin tells how far it was
        share = (ones - ones / slope) * same(sign, np.float32(MARGIN))
        moved = share * (size(state - target) - rounding)
        return theta, change, larger(wrong, moved), ones

    return logistic


@overload(settle)
def _settle_logistic(datafit, y, dual, score, step, row):
    if getattr(datafit, "instance_class", None) is not Logistic:
        return None
    return lambda datafit, y, dual, score, step, row: step  # noqa: ARG005 - its copies are left to their visits
