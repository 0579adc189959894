"""The kernel of co-regularization: that of f₁ + f₂, with a penalty where the two differ on the points.

With the penalty g₁‖f₁‖² + g₂‖f₂‖² + λ Σ (f₁ − f₂)² over the points it is

    k̃(x, z) = s(x, z) − λ d_x' (I + λ S)⁻¹ d_z,   s = k₁/g₁ + k₂/g₂,   d = k₁/g₁ − k₂/g₂,

S being s on the points. The same formula holds for new rows, where the views need not agree.

References
----------
Sindhwani and Rosenberg (2008). An RKHS for multi-view learning and manifold co-regularization. ICML.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.linalg import cholesky, solve_triangular

from foldless.core import Array
from foldless.learners.gaussian_process._distinct_rows import Cached
from foldless.learners.gaussian_process._latent_kernels import NewRows
from foldless.learners.gaussian_process._view_kernels import ViewKernel
from foldless.saving._names import saved


@saved("foldless.saving")
@dataclass(frozen=True, eq=False)
class MultiViewKernel(Cached):
    """The kernel of the sum of two functions, with a penalty where they differ on the points."""

    first: ViewKernel
    second: ViewKernel
    penalty1: float
    penalty2: float
    coupling: float

    def gram(self) -> Array:
        _, features = self._factored
        both = self.first.values / self.penalty1 + self.second.values / self.penalty2
        return both - features.T @ features

    def at_new_rows(self, X: Any, labeled: Array) -> NewRows:
        C, features = self._factored
        a, b = self.first.cross(X) / self.penalty1, self.second.cross(X) / self.penalty2
        new_features = solve_triangular(C, np.sqrt(self.coupling) * (a - b).T, lower=True)
        diagonal = self.first.diagonal(X) / self.penalty1 + self.second.diagonal(X) / self.penalty2
        cross = (a + b)[:, labeled] - new_features.T @ features[:, labeled]
        return NewRows(cross, diagonal - np.square(new_features).sum(axis=0))

    @cached_property
    def _factored(self) -> tuple[Array, Array]:
        """C with CC' = I + λ S, and √λ C⁻¹ d of all points."""
        a, b = self.first.values / self.penalty1, self.second.values / self.penalty2
        C = cholesky(np.eye(len(a)) + self.coupling * (a + b), lower=True)
        return C, solve_triangular(C, np.sqrt(self.coupling) * (a - b), lower=True)
