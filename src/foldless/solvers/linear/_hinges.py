"""The two SVM losses, as updates of one dual coordinate: C_i max(0, 1 − y s)² and C_i max(0, 1 − y s).

The dual gradient is g = y s − 1 + α / (2 C_i) with α ≥ 0 for the squared hinge, and g = y s − 1 with 0 ≤ α ≤ C_i for
the hinge; with curvature q the best α is α − g / q, cut to its bounds.

Copies of a row have one score s, that without them plus q Σ_j y_j α_j. For the squared hinge α_j = 2 C_j max(0, 1 − y_j
s), so that s is the root of a function of three straight pieces.
"""

import numpy as np
from numba.extending import overload

from foldless.solvers._lanes import (
    add,
    at_most,
    divide,
    larger,
    load,
    multiply,
    plus_times,
    same,
    size,
    smaller,
    store,
    subtract,
)
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
        ridge = divide(same(sign, np.float32(0.5)), multiply(cost_of(datafit, sign), same(sign, datafit.weights[row])))
        curvature = add(same(sign, datafit.squares[row]), ridge)
        gradient = add(subtract(multiply(sign, score), ones), multiply(state, ridge))
        new = larger(subtract(state, divide(gradient, curvature)), zeros)
        change = subtract(new, state)
        rounding = rounding_of(add(size(score), multiply(state, curvature)))
        violation = subtract(multiply(size(change), curvature), rounding)
        return new, change, violation, add(new, at_most(gradient, limit))

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
            held = add(held, multiply(sign, load(dual, i)))
            pull = multiply(cost_of(datafit, sign), same(sign, datafit.weights[i] * q))
            up = add(up, multiply(pull, add(ones, sign)))
            down = add(down, multiply(pull, subtract(ones, sign)))
            i = y.copies[i]
            if i == row:
                break
        alone = plus_times(score, q, subtract(step, held))
        # 1 − s and 1 + s, each as a quotient, for a difference would lose their digits where C is large
        both = add(ones, add(up, down))
        short = divide(add(subtract(ones, alone), add(down, down)), both)
        beyond = divide(add(add(ones, alone), add(up, up)), both)
        is_above, is_below = at_most(short, zeros), at_most(beyond, zeros)
        only_up = divide(subtract(ones, alone), add(ones, up))
        only_down = divide(add(ones, alone), add(ones, down))
        short = larger(add(short, multiply(is_below, subtract(only_up, short))), zeros)
        beyond = larger(add(beyond, multiply(is_above, subtract(only_down, beyond))), zeros)
        while True:
            sign = sign_of(y, i, negative)
            cost = multiply(cost_of(datafit, sign), same(sign, datafit.weights[i]))
            gap = add(multiply(add(ones, sign), short), multiply(subtract(ones, sign), beyond))
            new = multiply(multiply(cost, gap), live)
            step = add(step, multiply(sign, subtract(new, load(dual, i))))
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
        cap = multiply(cost_of(datafit, sign), same(sign, datafit.weights[row]))
        curvature = same(sign, max(datafit.squares[row], np.float32(1e-12)))
        gradient = subtract(multiply(sign, score), ones)
        new = smaller(larger(subtract(state, divide(gradient, curvature)), zeros), cap)
        change = subtract(new, state)
        inside = smaller(new, subtract(cap, new))
        low = multiply(at_most(new, zeros), at_most(gradient, limit))
        high = multiply(at_most(cap, new), at_most(subtract(zeros, gradient), limit))
        # a step that a small cap cuts short is no sign of being close: the whole gradient counts
        still = at_most(size(change), zeros)
        rounding = rounding_of(add(size(score), multiply(state, curvature)))
        violation = multiply(subtract(size(gradient), rounding), subtract(ones, still))
        return new, change, violation, add(inside, add(low, high))

    return hinge
