"""Kernels that a cloud of points deforms: functions that are rough on the cloud, or on which two views differ, cost.

`DeformedKernel`: with the penalty r f'Mf, M = L^degree of the graph Laplacian, the kernel k becomes

    k̃(x, z) = k(x, z) − r k_x' S (I + r S K S)⁻¹ S k_z,   SS = M,

which is (I + r K M)⁻¹ K on the points, in a form where only a matrix above the identity is factored.

`MultiViewKernel`: that of f₁ + f₂ with the penalty g₁‖f₁‖² + g₂‖f₂‖² + λ Σ (f₁ − f₂)² over the points,

    k̃(x, z) = s(x, z) − λ d_x' (I + λ S)⁻¹ d_z,   s = k₁/g₁ + k₂/g₂,   d = k₁/g₁ − k₂/g₂.

Both hold for rows outside of the cloud as they are.

References
----------
Sindhwani, Niyogi and Belkin (2005). Beyond the point cloud. ICML.
Sindhwani and Rosenberg (2008). An RKHS for multi-view learning and manifold co-regularization. ICML.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.linalg import cholesky, solve_triangular

from foldless.core import Array
from foldless.learners.forgetful import Forgetful
from foldless.learners.graph import LaplacianPower
from foldless.learners.latent import Joined
from foldless.learners.view_kernels import ViewKernel


@dataclass(frozen=True, eq=False)
class DeformedKernel(Forgetful):
    """A kernel deformed by the graph of its points, with the ratio r of the penalties γ_I / γ_A."""

    kernel: ViewKernel
    root: LaplacianPower
    ratio: float

    def gram(self) -> Array:
        _, features = self._factored
        return self.kernel.values - features.T @ features

    def joined(self, X: Any, labeled: Array) -> Joined:
        C, features = self._factored
        k = self.kernel.cross(X)
        own = solve_triangular(C, np.sqrt(self.ratio) * (self.root.values @ k.T), lower=True)
        cross = k[:, labeled] - own.T @ features[:, labeled]
        return Joined(cross, self.kernel.diagonal(X) - np.square(own).sum(axis=0))

    @cached_property
    def _factored(self) -> tuple[Array, Array]:
        """C, and C⁻¹ u of all points."""
        K, S = self.kernel.values, self.root.values
        u = np.sqrt(self.ratio) * (S @ K)
        C = cholesky(np.eye(len(K)) + np.sqrt(self.ratio) * _symmetric(u @ S), lower=True)
        return C, solve_triangular(C, u, lower=True)


@dataclass(frozen=True, eq=False)
class MultiViewKernel(Forgetful):
    """The kernel of the sum of two functions that are to agree on the points."""

    first: ViewKernel
    second: ViewKernel
    penalty1: float
    penalty2: float
    coupling: float

    def gram(self) -> Array:
        _, features = self._factored
        both = self.first.values / self.penalty1 + self.second.values / self.penalty2
        return both - features.T @ features

    def joined(self, X: Any, labeled: Array) -> Joined:
        C, features = self._factored
        a, b = self.first.cross(X) / self.penalty1, self.second.cross(X) / self.penalty2
        own = solve_triangular(C, np.sqrt(self.coupling) * (a - b).T, lower=True)
        diagonal = self.first.diagonal(X) / self.penalty1 + self.second.diagonal(X) / self.penalty2
        cross = (a + b)[:, labeled] - own.T @ features[:, labeled]
        return Joined(cross, diagonal - np.square(own).sum(axis=0))

    @cached_property
    def _factored(self) -> tuple[Array, Array]:
        """C, and C⁻¹ u of all points."""
        a, b = self.first.values / self.penalty1, self.second.values / self.penalty2
        C = cholesky(np.eye(len(a)) + self.coupling * (a + b), lower=True)
        return C, solve_triangular(C, np.sqrt(self.coupling) * (a - b), lower=True)


def _symmetric(values: Array) -> Array:
    return (values + values.T) / 2
