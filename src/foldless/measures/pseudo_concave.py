"""Pseudo-concave measures: a concave function over a convex one that is positive.

The value is at least v where the valuation V(P, N; v) = top − v · bottom is at least zero, and V is concave. So the
measure is learned by learning V and raising v to the value reached: `CAN` and `SCAN`.

References
----------
Kar et al. (2016). Section 4.2, Definition 4, Table 2.
"""

from typing import Any, ClassVar

from foldless.measures.measure import Measure, Piece, Triple


class PseudoConcave(Measure):
    """A measure that CAN can learn, and SCAN where `factors` gives its valuations."""

    kind: ClassVar[str] = "pseudo-concave"
    remedy: ClassVar[str] = "SCAN or CAN can learn it"
    top: ClassVar[Piece]
    bottom: ClassVar[Piece]
    compiled_dual: ClassVar[None] = None

    def pieces(self, P: Any, N: Any, p: Any, e: Any) -> Triple:
        t, t_P, t_N = type(self).top(P, N, p, e, self.parameter)
        b, b_P, b_N = type(self).bottom(P, N, p, e, self.parameter)
        return t / b, (t_P * b - t * b_P) / (b * b), (t_N * b - t * b_N) / (b * b)

    def valuation(self, P: Any, N: Any, share: Any, level: float, n_rows: float | None = None) -> Triple:
        """top − level · bottom, and its derivatives by P and by N."""
        e = self.smooth(n_rows)
        t, b = (piece(P, N, share, e, self.parameter) for piece in (type(self).top, type(self).bottom))
        return t[0] - level * b[0], t[1] - level * b[1], t[2] - level * b[2]
