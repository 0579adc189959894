"""The lowest value of a smooth function of one number within bounds, by Brent's method.

Each step goes to the lowest point of the parabola through the three best points so far; where that is outside of the
bounds or no smaller than half of the step before the last, it divides the larger part by the golden section. The steps
are those of ``scipy.optimize.minimize_scalar(method="bounded")``, whose import takes longer than most searches.

References
----------
Brent (1973). Algorithms for minimization without derivatives. Chapter 5.
"""

from collections.abc import Callable
from math import copysign, sqrt
from typing import NamedTuple

GOLDEN = 0.5 * (3.0 - sqrt(5.0))
ROUNDING = sqrt(2.2e-16)
MOST = 500  # evaluations


class Point(NamedTuple):
    """A number and the function there."""

    x: float
    f: float


def bounded_minimum(function: Callable[[float], float], low: float, high: float, tolerance: float = 1e-5) -> float:
    """Where the function is lowest between the bounds.

    Examples
    --------
    >>> round(bounded_minimum(lambda x: (x - 2) ** 2, 0, 10), 4)
    2.0
    """
    start = low + GOLDEN * (high - low)
    best = second = third = Point(start, function(start))
    step = before = 0.0
    for _ in range(MOST - 1):
        middle = 0.5 * (low + high)
        small = ROUNDING * abs(best.x) + tolerance / 3.0
        if abs(best.x - middle) <= 2.0 * small - 0.5 * (high - low):
            break
        parabola = _parabola(best, second, third, before, low, high) if abs(before) > small else None
        if parabola is None:
            before = (low if best.x >= middle else high) - best.x
            step = GOLDEN * before
        else:
            before, step = step, parabola
            if min(best.x + step - low, high - best.x - step) < 2.0 * small:
                step = copysign(small, middle - best.x)
        x = best.x + copysign(max(abs(step), small), step)
        new = Point(x, function(x))
        if new.f <= best.f:
            low, high = (best.x, high) if x >= best.x else (low, best.x)
            best, second, third = new, best, second
        else:
            low, high = (x, high) if x < best.x else (low, x)
            if new.f <= second.f or second.x == best.x:
                second, third = new, second
            elif new.f <= third.f or third.x in (best.x, second.x):
                third = new
    return best.x


def _parabola(best: Point, second: Point, third: Point, before: float, low: float, high: float) -> float | None:
    """The step to the lowest point of the parabola through three points; None where it is not to be trusted."""
    r = (best.x - second.x) * (best.f - third.f)
    q = (best.x - third.x) * (best.f - second.f)
    p = (best.x - third.x) * q - (best.x - second.x) * r
    q = 2.0 * (q - r)
    p, q = (-p if q > 0.0 else p), abs(q)
    inside = q * (low - best.x) < p < q * (high - best.x)
    return p / q if inside and abs(p) < abs(0.5 * q * before) else None
