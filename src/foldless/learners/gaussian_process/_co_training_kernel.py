"""The co-training kernel: the covariance of a consensus from which each of two views differs by its own noise.

K_c = [(K₁ + σ₁² I)⁻¹ + (K₂ + σ₂² I)⁻¹]⁻¹ is the covariance of the consensus f_c where f_j ~ N(0, K_j) and
exp(−‖f_j − f_c‖² / 2σ_j²). With A and B for the two terms it is A − A (A + B)⁻¹ A, which needs no inverse of either;
A is the smaller, so that a large σ of the other view cancels nothing. A + B has the eigenvectors of K₁ + K₂ whatever
the σ are: one decomposition serves a whole grid of them.

A new row is added alone, as one more point: A and B grow by a row, and by Schur's complement the kernel of the other
points loses a matrix of rank one.

References
----------
Yu, Krishnapuram, Rosales and Rao (2011). Bayesian co-training. JMLR 12.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import eigh

from foldless.core import Array
from foldless.learners.gaussian_process._distinct_rows import Cached
from foldless.learners.gaussian_process._latent_kernels import NewRows
from foldless.learners.gaussian_process._view_kernels import ViewKernel
from foldless.saving._names import saved


class Decomposition(NamedTuple):
    """K₁ + K₂ = Q diag(eigenvalues) Q', with Q'K₁, Q'K₂ and Q'."""

    kernels: tuple[Array, Array]
    vectors: Array
    eigenvalues: Array


@saved("foldless.saving")
@dataclass(frozen=True, eq=False)
class Spectrum(Cached):
    """The eigenvectors of the sum of two kernels."""

    first: ViewKernel
    second: ViewKernel

    @cached_property
    def values(self) -> Decomposition:
        K, L = self.first.values, self.second.values
        eigenvalues, vectors = eigh(K + L, driver="evd")  # orthogonal to 1e-15 where eigenvalues are near each other
        rotation = np.ascontiguousarray(vectors.T)
        return Decomposition((rotation @ K, rotation @ L), rotation, np.maximum(eigenvalues, 0))


@saved("foldless.saving")
@dataclass(frozen=True, eq=False)
class CoTrainingKernel(Cached):
    """The consensus of two views with noise σ₁, σ₂."""

    spectrum: Spectrum
    sigma1: float
    sigma2: float

    def gram(self) -> Array:
        smaller = self._smaller()
        features = self._features(smaller)
        kernel = features.T @ features
        np.subtract(self._views[smaller].values, kernel, out=kernel)
        kernel.flat[:: len(kernel) + 1] += self._sigmas[smaller] ** 2
        return kernel

    def at_new_rows(self, X: Any, labeled: Array) -> NewRows:
        smaller, rotation = self._smaller(), self.spectrum.values.vectors
        k = [view.cross(X).T for view in self._views]
        diagonals = [view.diagonal(X) + sigma**2 for view, sigma in zip(self._views, self._sigmas, strict=True)]
        a, a_diagonal = k[smaller], diagonals[smaller]
        ours, at_a, at_both = (
            self._features(smaller)[:, labeled],
            rotation @ a / self._root,
            rotation @ (k[0] + k[1]) / self._root,
        )
        gap = np.sqrt(np.maximum(diagonals[0] + diagonals[1] - np.square(at_both).sum(axis=0), self._least))
        less = (ours.T @ at_both - a[labeled]) / gap
        pull = ((at_both * at_a).sum(axis=0) - a_diagonal) / gap
        cross = a[labeled] - ours.T @ at_a - less * pull
        return NewRows(cross.T, a_diagonal - np.square(at_a).sum(axis=0) - pull**2, less.T)

    @property
    def _views(self) -> tuple[ViewKernel, ViewKernel]:
        return self.spectrum.first, self.spectrum.second

    @property
    def _sigmas(self) -> tuple[float, float]:
        return self.sigma1, self.sigma2

    @property
    def _root(self) -> Array:
        """The square roots of the eigenvalues of A + B."""
        eigenvalues = self.spectrum.values.eigenvalues + self.sigma1**2 + self.sigma2**2
        return np.sqrt(np.maximum(eigenvalues, self._least))[:, None]

    @property
    def _least(self) -> float:
        """What no eigenvalue of A + B is below: the noise, or rounding where that is more."""
        eigenvalues = self.spectrum.values.eigenvalues
        rounding = len(eigenvalues) * np.finfo(float).eps * eigenvalues.max()
        return float(max(self.sigma1**2 + self.sigma2**2, rounding))

    def _smaller(self) -> int:
        """Which view has the smaller A."""
        sizes = [np.diagonal(v.values).mean() + sigma**2 for v, sigma in zip(self._views, self._sigmas, strict=True)]
        return int(np.argmin(sizes))

    def _features(self, smaller: int) -> Array:
        """(A + B)^−½ A up to a rotation."""
        decomposition = self.spectrum.values
        features = self._sigmas[smaller] ** 2 * decomposition.vectors
        features += decomposition.kernels[smaller]
        features /= self._root
        return features
