"""The deformed kernel: functions that are rough on the graph of the points are penalized, on the points and elsewhere.

With the penalty r f'Mf added to the norm, M = L^degree of the graph Laplacian, the kernel k becomes

    k̃(x, z) = k(x, z) − k_x' S (I/r + S K S)⁻¹ S k_z,   SS = M,

which is (I + r K M)⁻¹ K on the points. SKS has its eigenvectors whatever r is: one decomposition serves a whole grid.

References
----------
Sindhwani, Niyogi and Belkin (2005). Beyond the point cloud: from transductive to semi-supervised learning. ICML.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import eigh

from foldless.core import Array
from foldless.learners.gaussian_process._distinct_rows import Cached
from foldless.learners.gaussian_process._graph import LaplacianPower
from foldless.learners.gaussian_process._latent_kernels import NewRows
from foldless.learners.gaussian_process._view_kernels import ViewKernel
from foldless.saving._names import saved


class EigenBasis(NamedTuple):
    """Q'S and Q'SK with the eigenvalues of SKS = Q diag(eigenvalues) Q', and how far rounding may move these."""

    root: Array
    kernel: Array
    eigenvalues: Array
    rounding: float


@saved("foldless.saving")
@dataclass(frozen=True, eq=False)
class Roughness(Cached):
    """The eigenvectors of SKS, the kernel between the roots of the graph penalty."""

    kernel: ViewKernel
    root: LaplacianPower

    @cached_property
    def values(self) -> EigenBasis:
        K, S = self.kernel.values, self.root.values
        seen = S @ K
        eigenvalues, vectors = eigh(seen @ S, driver="evd")
        rounding = float(np.finfo(float).eps * np.linalg.norm(S, np.inf) ** 2 * np.linalg.norm(K, np.inf))
        return EigenBasis(vectors.T @ S, vectors.T @ seen, np.maximum(eigenvalues, 0), rounding)


@saved("foldless.saving")
@dataclass(frozen=True, eq=False)
class DeformedKernel(Cached):
    """A kernel deformed by the graph of its points, with the ratio r of the penalties γ_I / γ_A."""

    roughness: Roughness
    ratio: float

    def gram(self) -> Array:
        features = self._scale * self.roughness.values.kernel
        return self.roughness.kernel.values - features.T @ features

    def at_new_rows(self, X: Any, labeled: Array) -> NewRows:
        basis, kernel = self.roughness.values, self.roughness.kernel
        k = kernel.cross(X)
        features = self._scale * (basis.root @ k.T)
        cross = k[:, labeled] - features.T @ (self._scale * basis.kernel[:, labeled])
        return NewRows(cross, kernel.diagonal(X) - np.square(features).sum(axis=0))

    @property
    def _scale(self) -> Array:
        """(I/r + SKS)^−½ along its eigenvectors.

        1/r is at least the rounding in SKS: with a larger r, functions without a penalty would be penalized as well.
        """
        basis = self.roughness.values
        ratio = self.ratio / max(1.0, self.ratio * basis.rounding)
        return np.sqrt(ratio / (1 + ratio * basis.eigenvalues))[:, None]
