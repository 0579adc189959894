"""The two SVM losses, as updates of one dual coordinate: C_i max(0, 1 − y s)² and C_i max(0, 1 − y s).

The dual gradient is g = y s − 1 + α / (2 C_i) with α ≥ 0 for the squared hinge, and g = y s − 1 with 0 ≤ α ≤ C_i for
the hinge; with curvature q the best α is α − g / q, cut to its bounds.

Copies of a row have one score s, that without them plus q Σ_j y_j α_j. For the squared hinge α_j = 2 C_j max(0, 1 − y_j
s), so that s is the root of a function of three straight pieces.
"""

import numpy as np
from numba.extending import overload

from foldless.solvers._lanes import at_most, larger, load, plus_times, same, size, smaller, store
from foldless.solvers.linear._dual_descent import Datafit, cost_of, rounding_of, settle, sign_of, update


class SquaredHinge(Datafit):
    """C_i max(0, 1 − y s)²."""

    __slots__ = ()


class Hinge(Datafit):
    """C_i max(0, 1 − y s)."""

    __slots__ = ()


@overload(update)
def _update_squared_hinge(datafit, state, score, sign, limit, row):
    if getattr(datafit, "instance_class", None) is not SquaredHinge:
        return None

    def squared_hinge(datafit, state, score, sign, limit, row):
        ones, zeros = same(sign, np.float32(1)), same(sign, np.float32(0))
        ridge = same(sign, np.float32(0.5)) / (cost_of(datafit, sign) * same(sign, datafit.weights[row]))
        curvature = same(sign, datafit.squares[row]) + ridge
        gradient = sign * score - ones + state * ridge
        new = larger(state - gradient / curvature, zeros)
        change = new - state
        rounding = rounding_of(size(score) + state * curvature)
        violation = size(change) * curvature - rounding
        return new, change, violation, new + at_most(gradient, limit)

    return squared_hinge


@overload(settle)
def _settle_squared_hinge(datafit, y, dual, score, step, row):
    if getattr(datafit, "instance_class", None) is not SquaredHinge:
        return None

    def squared_hinge(datafit, y, dual, score, step, row):
        ones, zeros, negative = same(score, np.float32(1)), same(score, np.float32(0)), same(score, np.float32(-1))
        q, live = datafit.squares[row], load(y.live, 0)
        held, up, down = zeros, zeros, zeros
        i = row
        while True:
            sign = sign_of(y, i, negative)
            held = held + sign * load(dual, i)
            pull = cost_of(datafit, sign) * same(sign, datafit.weights[i] * q)
            up = up + pull * (ones + sign)
            down = down + pull * (ones - sign)
            i = y.copies[i]
            if i == row:
                break
        alone = plus_times(score, q, step - held)
        # 1 − s and 1 + s, each as a quotient, for a difference would lose their digits where C is large
        both = ones + (up + down)
        short = (ones - alone + (down + down)) / both
        beyond = (ones + alone + (up + up)) / both
        is_above, is_below = at_most(short, zeros), at_most(beyond, zeros)
        only_up = (ones - alone) / (ones + up)
        only_down = (ones + alone) / (ones + down)
        short = larger(short + is_below * (only_up - short), zeros)
        beyond = larger(beyond + is_above * (only_down - beyond), zeros)
        while True:
            sign = sign_of(y, i, negative)
            cost = cost_of(datafit, sign) * same(sign, datafit.weights[i])
            gap = (ones + sign) * short + (ones - sign) * beyond
            new = cost * gap * live
            step = step + sign * (new - load(dual, i))
            store(dual, i, new)
            i = y.copies[i]
            if i == row:
                break
        return step

    return squared_hinge


@overload(settle)
def _settle_hinge(datafit, y, dual, score, step, row):
    if getattr(datafit, "instance_class", None) is not Hinge:
        return None
    return lambda datafit, y, dual, score, step, row: step  # noqa: ARG005 - its copies are left to their visits


@overload(update)
def _update_hinge(datafit, state, score, sign, limit, row):
    if getattr(datafit, "instance_class", None) is not Hinge:
        return None

    def hinge(datafit, state, score, sign, limit, row):
        ones, zeros = same(sign, np.float32(1)), same(sign, np.float32(0))
        cap = cost_of(datafit, sign) * same(sign, datafit.weights[row])
        curvature = same(sign, max(datafit.squares[row], np.float32(1e-12)))
        gradient = sign * score - ones
        new = smaller(larger(state - gradient / curvature, zeros), cap)
        change = new - state
        inside = smaller(new, cap - new)
        low = at_most(new, zeros) * at_most(gradient, limit)
        high = at_most(cap, new) * at_most(zeros - gradient, limit)
        # a step that a small cap cuts short is no sign of being close: the whole gradient counts
        still = at_most(size(change), zeros)
        rounding = rounding_of(size(score) + state * curvature)
        violation = (size(gradient) - rounding) * (ones - still)
        return new, change, violation, inside + (low + high)

    return hinge
