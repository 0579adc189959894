"""A measure of your own: Ψ(ζ₁(P, N), ζ₂(P, N)), three concave functions and their gradients as plain functions.

They are compiled when a learner first needs them, which takes about a second in every process.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from numba import carray, njit

from foldless.measures.measure import Triple
from foldless.measures.nested_concave import NestedConcave, follow
from foldless.solvers import duals as at
from foldless.solvers.duals import compiled


@dataclass(frozen=True)
class Nested(NestedConcave):
    """A measure of your own: three concave functions and their gradients, in plain arithmetic that Numba compiles.

    Parameters
    ----------
    psi, psi_gradient : functions of (x, y)
        Ψ of the values of ζ₁ and ζ₂; the gradient is a pair.
    zeta1, zeta1_gradient, zeta2, zeta2_gradient : functions of (P, N, p)
        Of the true positive rate, the true negative rate and the share of the positive class.

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

    def outer(self, x: Any, y: Any, p: Any, e: Any) -> Triple:
        return self.psi(x, y), *self.psi_gradient(x, y)

    def inner(self, P: Any, N: Any, p: Any, e: Any) -> tuple[Triple, Triple]:
        first = self.zeta1(P, N, p), *self.zeta1_gradient(P, N, p)
        return first, (self.zeta2(P, N, p), *self.zeta2_gradient(P, N, p))

    @cached_property
    def _compiled(self) -> Any:
        psi_gradient, zeta1, zeta2 = njit(self.psi_gradient), njit(self.zeta1), njit(self.zeta2)
        zeta1_gradient, zeta2_gradient = njit(self.zeta1_gradient), njit(self.zeta2_gradient)

        def dual(state: Any) -> None:
            s = carray(state, (at.SIZE,))
            follow(s)
            P, N, p = s[at.P], s[at.N], s[at.SHARE]
            s[at.ZETA1], s[at.ZETA2] = zeta1(P, N, p), zeta2(P, N, p)
            s[at.ZETA1_P], s[at.ZETA1_N] = zeta1_gradient(P, N, p)
            s[at.ZETA2_P], s[at.ZETA2_N] = zeta2_gradient(P, N, p)
            by_x, by_y = psi_gradient(s[at.Q1], s[at.Q2])
            s[at.TO_P] = by_x * s[at.ZETA1_P] + by_y * s[at.ZETA2_P]
            s[at.TO_N] = by_x * s[at.ZETA1_N] + by_y * s[at.ZETA2_N]

        return compiled(dual, cached=False)

    @property
    def compiled_dual(self) -> Any:
        return self._compiled

    def __repr__(self) -> str:
        """By the names of its functions; their addresses would differ from process to process."""
        names = (f"{name}={getattr(getattr(self, name), '__name__', '?')}" for name in ("psi", "zeta1", "zeta2"))
        return f"Nested({', '.join(names)}, …)"

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_compiled"}
