"""Nested concave measures: Ψ(ζ₁(P, N), ζ₂(P, N)) with three concave functions.

The concave conjugate is f*(u) = inf {u·x − f(x)}, and where u is the gradient at x it is u·x − f(x). So a step of
NEMSIS, which replaces ζ by u·x − ζ*(u), replaces it by its tangent, and no conjugate need be inverted.

References
----------
Kar et al. (2016). Section 4.1 and Appendix A, with corrected duals: derivatives are by P and N, not by shares.
"""

from abc import abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar

from numba.extending import register_jitable

from foldless.measures.measure import Measure, Piece, Triple
from foldless.solvers.online._duals import compiled


class NestedConcave(Measure):
    """A measure that NEMSIS can learn."""

    kind: ClassVar[str] = "nested concave"
    remedy: ClassVar[str] = "NEMSIS can learn it"

    @abstractmethod
    def outer(self, x: Any, y: Any, p: Any, e: Any) -> Triple:
        """Ψ at the values of ζ₁ and ζ₂, and its derivatives by them."""

    @abstractmethod
    def inner(self, P: Any, N: Any, p: Any, e: Any) -> tuple[Triple, Triple]:
        """ζ₁ and ζ₂, each with its derivatives by P and by N."""

    @property
    @abstractmethod
    def compiled_dual(self) -> Any:
        """The measure's part of a step, a function of the learner's scalars as kernels call it, or None."""

    def pieces(self, P: Any, N: Any, p: Any, e: Any) -> Triple:
        (x, x_P, x_N), (y, y_P, y_N) = self.inner(P, N, p, e)
        value, by_x, by_y = self.outer(x, y, p, e)
        return value, by_x * x_P + by_y * y_P, by_x * x_N + by_y * y_N


class Composed(NestedConcave):
    """A measure of three functions of this package; its dual is written out, unless factors give it."""

    psi: ClassVar[Piece]  # of (ζ₁, ζ₂, p, e, parameter)
    zeta1: ClassVar[Piece]
    zeta2: ClassVar[Piece]
    dual: ClassVar[Callable[[Any], None] | None] = None

    def outer(self, x: Any, y: Any, p: Any, e: Any) -> Triple:
        return type(self).psi(x, y, p, e, self.parameter)

    def inner(self, P: Any, N: Any, p: Any, e: Any) -> tuple[Triple, Triple]:
        a = self.parameter
        return type(self).zeta1(P, N, p, e, a), type(self).zeta2(P, N, p, e, a)

    @property
    def compiled_dual(self) -> Any:
        dual = type(self).dual
        return None if dual is None else compiled(dual)


@register_jitable
def follow(s: Any) -> None:
    """Running means of the tangents: q ← q + (ζ(r) + ∇ζ·(new − r) − q) / (t + 1)."""
    first = s.zeta1 + s.zeta1_P * s.news_P + s.zeta1_N * s.news_N
    second = s.zeta2 + s.zeta2_P * s.news_P + s.zeta2_N * s.news_N
    s.Q1 += s.kept * (first - s.Q1)
    s.Q2 += s.kept * (second - s.Q2)
