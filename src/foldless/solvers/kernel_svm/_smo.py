"""Sequential minimal optimization of a two-class support vector machine whose Gram matrix is at hand.

With β_t = y_t α_t the dual is: maximize Σ y_t β_t − ½ βᵀKβ subject to Σ β_t = 0 and lower ≤ β ≤ upper. Its gradient
is the residual r = y − Kβ. A step moves weight to the row i that can rise and has the largest residual, from the row j
that can fall and gains most, (r_i − r_j)² / (K_ii + K_jj − 2 K_ij). β is optimal when no row that can rise has a
larger residual than one that can fall. Only differences of residuals count, so K may lack a constant.

The place of the largest residual is found in one pass of vector instructions. A loop that keeps a maximum vectorizes
once the compiler is told that no number is nan; a loop that keeps its place as well does not. So each number carries
its place in its sixteen lowest bits, and the maximum brings it along. What remains of the number is right to eleven
digits, and exact where it was single precision before.

References
----------
Fan, Chen and Lin (2005). Working set selection using second order information for training support vector machines.
JMLR 6, WSS 2.
"""

from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic
from numpy.typing import NDArray

from foldless.solvers._lanes import KERNEL

DOUBLE, INT64 = ir.DoubleType(), ir.IntType(64)
PLACES = 2**16
HIGH = 2**64 - PLACES
FAR = 1e30  # larger than any residual
ROUNDING = 1e-12  # of the distance between the bounds
FLAT = 1e-12  # what takes the place of a curvature that is zero, or negative by rounding
STRIDE = 32  # rows that a vectorized loop takes at once: what is left over would go one by one


def _of_two(name: str) -> Any:
    """The larger or the smaller of two numbers, as an instruction that a vectorized loop may keep."""

    @intrinsic
    def of_two(_context: Any, number: Any, _other: Any) -> Any:
        def code(_: Any, builder: Any, _signature: Any, args: Any) -> Any:
            kind = args[0].type
            function = builder.module.declare_intrinsic(name, [kind], ir.FunctionType(kind, [kind, kind]))
            return builder.call(function, args, fastmath=("nnan", "nsz"))

        return number(number, number), code

    return of_two


larger, smaller = _of_two("llvm.maxnum"), _of_two("llvm.minnum")


@intrinsic
def placed(_context: Any, _number: Any, _place: Any) -> Any:
    """A number that carries its place, which is below `PLACES`."""

    def code(_: Any, builder: Any, _signature: Any, args: Any) -> Any:
        high = builder.and_(builder.bitcast(args[0], INT64), INT64(HIGH))
        return builder.bitcast(builder.or_(high, args[1]), DOUBLE)

    return types.float64(types.float64, types.int64), code


@intrinsic
def place_of(_context: Any, _number: Any) -> Any:
    """The place that a number carries."""

    def code(_: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.and_(builder.bitcast(args[0], INT64), INT64(PLACES - 1))

    return types.int64(types.float64), code


@njit(**KERNEL)
def padded(n):
    """The rows that a problem of n rows should have: those past n can neither rise nor fall."""
    return -(-n // STRIDE) * STRIDE


class SmoState(NamedTuple):
    """Where a problem stands: coefficients, residuals, bounds, and which rows can move.

    ``rising`` is 0 for rows that can rise and −FAR for others, ``falling`` 0 for rows that can fall and FAR for
    others: added to the residuals they leave no branch in the loops.
    """

    beta: NDArray[np.float64]
    residuals: NDArray[np.float64]
    lower: NDArray[np.float64]
    upper: NDArray[np.float64]
    rising: NDArray[np.float64]
    falling: NDArray[np.float64]

    @classmethod
    def empty(cls, n: int) -> "SmoState":
        """Room for a problem of n rows."""
        return cls(*np.empty((6, n)))


@njit(**KERNEL, inline="always")
def first_rows(state, n):
    """A state of n rows in the place of a larger one."""
    return SmoState(
        state.beta[:n], state.residuals[:n], state.lower[:n], state.upper[:n], state.rising[:n], state.falling[:n]
    )


@njit(**KERNEL)
def solve(K, diagonal, state, tol, max_steps):
    """Step until residuals differ by less than ``tol``: the number of steps, negative where they were too few."""
    update_bounds(state, 0, state.beta.shape[0])
    i, least = move(state, 0.0, K[0], K[0])
    for done in range(max_steps):
        most = state.residuals[i]
        if state.rising[i] < 0 or most - least < tol:
            return done
        j = partner(state, most, 1 / (most - least), K[i], diagonal, diagonal[i])
        curvature = max(np.float64(diagonal[i]) + np.float64(diagonal[j]) - 2 * np.float64(K[i, j]), FLAT)
        step = transfer(state, i, j, (most - state.residuals[j]) / curvature)
        i, least = move(state, step, K[i], K[j])
    return -max_steps


@njit(**KERNEL, inline="always")
def intercept(state):
    """The mean residual of rows between their bounds; without such rows, the middle of its possible values.

    Scores are Kβ plus the intercept.
    """
    total, n, most, least = 0.0, 0, -FAR, FAR
    for t in range(state.beta.shape[0]):
        r = state.residuals[t]
        if state.rising[t] == 0 and state.falling[t] == 0:
            total += r
            n += 1
        most = max(most, r + state.rising[t])
        least = min(least, r + state.falling[t])
    return total / n if n else (most + least) / 2


@njit(**KERNEL)
def update_bounds(state, first, last):
    """Update which rows can rise or fall; a coefficient that only rounding keeps from a bound is moved there."""
    beta, lower, upper, rising, falling = state.beta, state.lower, state.upper, state.rising, state.falling
    for t in range(first, last):
        low, high, b = lower[t], upper[t], beta[t]
        slack = ROUNDING * (high - low)
        b = high if abs(b - high) <= slack else b
        b = low if abs(b - low) <= slack else b
        beta[t] = b
        rising[t] = 0.0 if b < high else -FAR
        falling[t] = 0.0 if b > low else FAR


@njit(**KERNEL)
def transfer(state, i, j, step):
    """Raise row i and lower row j by a step, or as far as both can: the step that was taken."""
    step = min(step, min(state.upper[i] - state.beta[i], state.beta[j] - state.lower[j]))
    state.beta[i] += step
    state.beta[j] -= step
    update_bounds(state, i, i + 1)
    update_bounds(state, j, j + 1)
    return step


@njit(**KERNEL)
def move(state, step, K_i, K_j):
    """Update the residuals: the row with the largest that can rise, and the smallest of those that can fall."""
    residuals, rising, falling = state.residuals, state.rising, state.falling
    most, least = -2 * FAR, 2 * FAR
    for t in range(residuals.shape[0]):
        r = residuals[t] - step * (np.float64(K_i[t]) - np.float64(K_j[t]))
        residuals[t] = r
        most = larger(most, placed(r + rising[t], t))
        least = smaller(least, r + falling[t])
    return place_of(most), least


@njit(**KERNEL)
def partner(state, most, scale, K_i, diagonal, d_i):
    """The row that can fall and gains most; ``scale`` keeps the squares within single precision."""
    residuals, falling = state.residuals, state.falling
    best = 0.0
    for t in range(residuals.shape[0]):
        gap = np.float32(larger(most - (residuals[t] + falling[t]), 0.0) * scale)
        curvature = larger(d_i + diagonal[t] - np.float32(2) * K_i[t], np.float32(FLAT))
        best = larger(best, placed(np.float64(gap * gap / curvature), t))
    return place_of(best)
