"""The two SVM losses, as updates of one dual coordinate: C_i max(0, 1 − y s)² and C_i max(0, 1 − y s).

The dual gradient is g = y s − 1 + α / (2 C_i) with α ≥ 0 for the squared hinge, and g = y s − 1 with 0 ≤ α ≤ C_i for
the hinge; with curvature q the best α is α − g / q, cut to its bounds.
"""

import numpy as np
from numba.extending import overload

from foldless.solvers._lanes import add, at_most, divide, larger, multiply, same, size, smaller, subtract
from foldless.solvers.linear._dual_descent import Datafit, cost_of, rounding_of, update


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
