"""A measure of your own: Ψ(ζ₁(P, N), ζ₂(P, N)), three concave functions and their gradients as plain functions.

They are compiled when a learner of streams first needs them, which takes some seconds, once for the same functions in a
process. Gradients are compared with differences of the functions when the measure is created.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numba import float64, njit
from numba.core.errors import NumbaError

from foldless.errors import BadInput
from foldless.measures.measure import Triple
from foldless.measures.nested_concave import NestedConcave, follow
from foldless.solvers.online._duals import compiled
from foldless.solvers.online._stream_state import at_address

POINTS = ((0.6, 0.8, 0.2), (0.3, 0.5, 0.4), (0.9, 0.7, 0.65))  # P, N and p at which gradients are compared
WIDTH = 1e-5  # of the differences
NEAR = 1e-4  # how far a derivative may be from them, as a part of 1 + its size


@dataclass(frozen=True)
class Nested(NestedConcave):
    """A measure of your own: three concave functions and their gradients, in plain arithmetic that Numba compiles.

    Functions that take numbers only (``math.log``, ``max``) will do; `SVMPerf` and `OnePassMiniBatch`, which ask for
    many values at once, are faster with functions that take arrays too.

    Parameters
    ----------
    psi, psi_gradient : functions of (x, y)
        Ψ of the values of ζ₁ and ζ₂; the gradient is a pair.
    zeta1, zeta1_gradient, zeta2, zeta2_gradient : functions of (P, N, p)
        Of the true positive rate, the true negative rate and the share of the positive class; gradients are pairs, by P
        and by N.

    Examples
    --------
    >>> from foldless.measures import Nested
    >>> worse_rate = Nested(
    ...     psi=lambda x, y: -((1 - x) ** 2 + (1 - y) ** 2), psi_gradient=lambda x, y: (2 * (1 - x), 2 * (1 - y)),
    ...     zeta1=lambda P, N, p: P, zeta1_gradient=lambda P, N, p: (1.0, 0.0),
    ...     zeta2=lambda P, N, p: N, zeta2_gradient=lambda P, N, p: (0.0, 1.0),
    ... )
    >>> worse_rate.value(0.5, 1.0, 0.3)
    -0.25
    """

    psi: Callable[[Any, Any], Any]
    psi_gradient: Callable[[Any, Any], tuple[Any, Any]]
    zeta1: Callable[[Any, Any, Any], Any]
    zeta1_gradient: Callable[[Any, Any, Any], tuple[Any, Any]]
    zeta2: Callable[[Any, Any, Any], Any]
    zeta2_gradient: Callable[[Any, Any, Any], tuple[Any, Any]]

    def __post_init__(self) -> None:
        for P, N, p in POINTS:
            x = _compared("zeta1", self.zeta1, self.zeta1_gradient, P, N, p)
            y = _compared("zeta2", self.zeta2, self.zeta2_gradient, P, N, p)
            _compared("psi", self.psi, self.psi_gradient, x, y)

    def outer(self, x: Any, y: Any, p: Any, e: Any) -> Triple:
        return _spread(self.psi, 1, x, y), *_spread(self.psi_gradient, 2, x, y)

    def inner(self, P: Any, N: Any, p: Any, e: Any) -> tuple[Triple, Triple]:
        first = _spread(self.zeta1, 1, P, N, p), *_spread(self.zeta1_gradient, 2, P, N, p)
        return first, (_spread(self.zeta2, 1, P, N, p), *_spread(self.zeta2_gradient, 2, P, N, p))

    @property
    def compiled_dual(self) -> Any:
        return _dual(self.psi_gradient, self.zeta1, self.zeta1_gradient, self.zeta2, self.zeta2_gradient)

    def __repr__(self) -> str:
        """By the names of its functions; their addresses would differ from process to process."""
        names = (f"{name}={getattr(getattr(self, name), '__name__', '?')}" for name in ("psi", "zeta1", "zeta2"))
        return f"Nested({', '.join(names)}, …)"


def _compared(name: str, function: Any, gradient: Any, *point: float) -> float:
    """The function's value at a point; refused if its gradient differs from finite differences."""
    value = _number(name, function, point)
    slopes = []
    for k in (0, 1):
        low, high = ((*point[:k], point[k] + by, *point[k + 1 :]) for by in (-WIDTH, WIDTH))
        slopes.append((_number(name, function, high) - _number(name, function, low)) / (2 * WIDTH))
    returned = _called(f"{name}_gradient", gradient, point)
    if (
        not isinstance(returned, tuple | list | np.ndarray)
        or len(returned) != 2
        or any(np.ndim(part) for part in returned)
    ):
        raise BadInput(f"{name}_gradient must return a pair of numbers, returned {returned!r} at {_shown(point)}")
    if not np.allclose(returned, slopes, rtol=NEAR, atol=NEAR):
        raise BadInput(
            f"{name}_gradient returned {tuple(map(float, returned))} at {_shown(point)}, where the differences of "
            f"{name} are ({slopes[0]:.6g}, {slopes[1]:.6g}): correct it"
        )
    return value


def _number(name: str, function: Any, point: tuple[float, ...]) -> float:
    value = _called(name, function, point)
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = np.nan
    if not np.isfinite(number):
        raise BadInput(f"{name} must return a finite number, returned {value!r} at {_shown(point)}")
    return number


def _called(name: str, function: Any, point: tuple[float, ...]) -> Any:
    try:
        return function(*point)
    except Exception as error:  # whatever a user's function may raise
        raise BadInput(f"{name} failed at {_shown(point)} ({type(error).__name__}: {error}): correct it") from error


def _shown(point: tuple[float, ...]) -> str:
    names = ("x", "y") if len(point) == 2 else ("P", "N", "p")
    return ", ".join(f"{name} = {value:.6g}" for name, value in zip(names, point, strict=True))


def _spread(function: Any, n_returned: int, *rates: Any) -> Any:
    """The values of a function for arrays, also if it takes numbers only."""
    if all(np.ndim(value) == 0 for value in rates):
        return function(*rates)
    try:
        return function(*rates)
    except (TypeError, ValueError):  # math.log of an array, or whether one is larger
        return np.vectorize(function, otypes=[float] * n_returned)(*rates)


@cache
def _dual(psi_gradient: Any, zeta1: Any, zeta1_gradient: Any, zeta2: Any, zeta2_gradient: Any) -> Any:
    """Compiled once for the same functions: learners are copied again and again."""
    psi_gradient = _machine("psi_gradient", psi_gradient, 2)
    zeta1, zeta1_gradient = _machine("zeta1", zeta1, 3), _machine("zeta1_gradient", zeta1_gradient, 3)
    zeta2, zeta2_gradient = _machine("zeta2", zeta2, 3), _machine("zeta2_gradient", zeta2_gradient, 3)

    def dual(state: Any) -> None:
        s = at_address(state)
        follow(s)
        P, N, p = s.P, s.N, s.share
        s.zeta1, s.zeta2 = zeta1(P, N, p), zeta2(P, N, p)
        s.zeta1_P, s.zeta1_N = zeta1_gradient(P, N, p)
        s.zeta2_P, s.zeta2_N = zeta2_gradient(P, N, p)
        by_x, by_y = psi_gradient(s.Q1, s.Q2)
        s.to_P = by_x * s.zeta1_P + by_y * s.zeta2_P
        s.to_N = by_x * s.zeta1_N + by_y * s.zeta2_N

    return compiled(dual, cached=False)


def _machine(name: str, function: Any, n_given: int) -> Any:
    ready = njit(getattr(function, "py_func", function))
    try:
        ready.compile((float64,) * n_given)
    except NumbaError as error:
        why = [line for line in str(error).splitlines() if line and not line.startswith("Failed in")]
        raise BadInput(f"Numba cannot compile {name} ({why[0][:200]}): write it in plain arithmetic") from error
    return ready
