"""Laplace's method for rows that change the kernel as they join: K_u = K − less less', where less differs by row.

The mode is near that of K, and Newton's steps, (I + W K_u) a = W f + m (t − π) with f = K_u a, are solved by conjugate
gradients. What they start from is (I + W₀ K_u)⁻¹ with the W₀ of K: one matrix for all rows, and Sherman and Morrison's
term of rank one for each. In θ with f = V'θ these are H₀ and H = I + VWV', and the eigenvalues of H₀⁻¹H lie between
the least and the largest W / W₀ whatever the scale of K is: a few steps of n² for each row, and no n³.

Rows for which they do not settle, as W may be far from W₀, are solved from the beginning.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_solve
from scipy.special import expit

from foldless.errors import BadInput
from foldless.solvers._laplace import SETTLED, Floats, Mode, mode_of, solve_apart

NEWTON, CONJUGATE = 20, 30  # steps at most
EXACT = 1e-12  # what is left of a residual, relative to the labels' own
AT_ONCE = 2**18  # numbers of a matrix with a row for each row that joins, which the cache holds


@dataclass(frozen=True, eq=False)
class Joining:
    """A training set with its mode, which rows join one by one."""

    K: Floats
    target: NDArray[np.bool_]
    times: Floats
    mode: Mode

    def scores(self, cross: Floats, diagonal: Floats, less: Floats) -> Floats:
        """The answers z on rows whose kernel values with the training rows are rows of ``cross``."""
        n, m = len(self.target), len(diagonal)
        if any(part.shape != (m, n) for part in (cross, less)):
            raise BadInput(f"kernel values of shape {cross.shape} do not match {m} rows and {n} labels")
        scores, height = np.empty(m), max(1, AT_ONCE // n)
        for start in range(0, m, height):
            some = slice(start, start + height)
            scores[some] = self._near(cross[some], diagonal[some], less[some])
        for u in np.flatnonzero(np.isnan(scores)):
            scores[u] = self.from_the_beginning(cross[u], diagonal[u], less[u])
        return scores

    def from_the_beginning(self, cross: Floats, diagonal: float, less: Floats) -> float:
        """The answer for one row, in n³."""
        mode = mode_of(self.K - np.outer(less, less), self.target, self.times)
        return float(solve_apart(mode, cross[None], np.array([diagonal]))[0])

    def _near(self, cross: Floats, diagonal: Floats, less: Floats) -> Floats:
        """The answers for some rows; NaN where the steps do not settle."""
        kernels = _Kernels(self, less)
        a = np.tile(self.mode.gradient, (len(less), 1))
        f = kernels.times(a)
        enough = EXACT**2 * float(np.square(self.mode.gradient) @ np.diagonal(self.K))
        with np.errstate(all="ignore"):  # what overflows does not settle
            for _ in range(NEWTON):
                gradient, W = self._slopes(f)
                step, moved, exact = kernels.solve(W, gradient - a, enough)
                a, f = a + step, f + moved
                settled = exact & (np.abs(moved).max(axis=1) <= SETTLED * np.abs(f).max(axis=1))
                if settled.all():
                    break
            gradient, W = self._slopes(f)
            explained, elsewhere, exact = kernels.solve(W, W * cross, None)
            variance = np.maximum(diagonal - _dot(cross, explained), 0)
            # one more step in the direction that the answer sees: K_u may be 1e6 times what is asked for
            mean = _dot(cross, a) + _dot(cross - elsewhere, gradient - a)
            z = mean / np.sqrt(1 + np.pi / 8 * variance)
        return np.where(settled & exact, z, np.nan)

    def _slopes(self, f: Floats) -> tuple[Floats, Floats]:
        """m (t − π) and m π (1 − π), each to full relative precision."""
        sign = np.where(self.target, 1.0, -1.0)
        return self.times * sign * expit(-sign * f), self.times * (expit(f) * expit(-f))

    @cached_property
    def inverse(self) -> Floats:
        """(K + W₀⁻¹)⁻¹."""
        half = self.mode.root
        return half[:, None] * cho_solve((self.mode.C, True), np.diag(half))

    @cached_property
    def start(self) -> Floats:
        """The transpose of (I + W₀ K)⁻¹."""
        return np.eye(len(self.K)) - self.K @ self.inverse


class _Kernels:
    """K_u for each of some rows; vectors for them are the rows of a matrix."""

    def __init__(self, joining: Joining, less: Floats):
        self.K, self.start, self.less = joining.K, joining.start, less
        self.spread = less @ joining.inverse
        self.gap = 1 - _dot(less, self.spread)

    def times(self, V: Floats) -> Floats:
        """K_u v."""
        return V @ self.K - _dot(self.less, V)[:, None] * self.less

    def near(self, V: Floats) -> Floats:
        """(I + W₀ K_u)⁻¹ v."""
        near = V @ self.start
        return near + (_dot(self.less, near) / self.gap)[:, None] * self.spread

    def solve(self, W: Floats, rest: Floats, enough: float | None) -> tuple[Floats, Floats, NDArray[np.bool_]]:
        """x with (I + W K_u) x = rest, K_u x, and whether what is left is enough; None is relative to ``rest``."""
        x, Kx = np.zeros_like(rest), np.zeros_like(rest)
        way = self.near(rest)
        Kway = self.times(way)
        left = _dot(rest, Kway)
        limit = EXACT**2 * np.abs(left) if enough is None else np.full(len(left), enough)
        for _ in range(CONJUGATE):
            going = ~(np.abs(left) <= limit)
            if not going.any():
                break
            turned = way + W * Kway
            length = np.where(going, left / _dot(Kway, turned), 0)[:, None]
            x, Kx, rest = x + length * way, Kx + length * Kway, rest - length * turned
            better = self.near(rest)
            Kbetter = self.times(better)
            after = np.where(going, _dot(rest, Kbetter), left)
            share = np.where(going, after / left, 0)[:, None]
            way, Kway, left = better + share * way, Kbetter + share * Kway, after
        return x, Kx, np.abs(left) <= limit


def _dot(A: Floats, B: Floats) -> Floats:
    """The products of rows with rows."""
    return np.einsum("ij,ij->i", A, B)
