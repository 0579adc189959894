"""A Gaussian process whose kernel is deformed by the manifold on which the rows lie.

Functions that change along the graph of nearest neighbors are penalized, on the points and elsewhere: with r f'Mf added
to the norm, M = L^degree of the graph Laplacian, the kernel k becomes

    k̃(x, z) = k(x, z) − k_x' S (I/r + S K S)⁻¹ S k_z,   SS = M,

which is (I + r K M)⁻¹ K on the points. SKS has its eigenvectors whatever r is: one decomposition serves a whole grid.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from numbers import Integral
from typing import Any, ClassVar, NamedTuple

import numpy as np
from scipy.linalg import eigh
from sklearn.utils.validation import check_scalar

from foldless.core import Array
from foldless.learners._inputs import check_positive
from foldless.learners.gaussian_process._distinct_rows import Cached
from foldless.learners.gaussian_process._graph import LaplacianPower
from foldless.learners.gaussian_process._kernel_gp import KernelGP
from foldless.learners.gaussian_process._view_kernels import LatentKernel, NewRows, ViewKernel, view_kernels
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


@saved("foldless.learners")
@dataclass(eq=False, repr=False, kw_only=True)
class ManifoldGP(KernelGP):
    """Gaussian process classification with a kernel that is deformed by the graph of the labeled rows and the pool.

    Parameters
    ----------
    kernel : str or callable, default="rbf"
        The kernel before it is deformed, as in `GPCoTraining`.
    gamma : float or None, default=None
        γ of "rbf"; None as in `GPCoTraining`.
    n_neighbors : int, default=6
        Number of neighbors in the graph. Edges have weight 1 and connect two points if one is among the nearest
        neighbors of the other.
    degree : int, default=1
        Power of the graph Laplacian.
    ratio : float, default=1.0
        γ_I / γ_A, the weight of smoothness along the graph against smoothness in space; 0 leaves the kernel as it is.
        The larger it is, the closer the function is to a constant on each component of the graph: then the majority of
        the labels decides.

    Attributes
    ----------
    classes_, n_features_in_, feature_names_in_
        The class labels, the number of features, and their names if X has names that are strings.
    log_marginal_likelihood_value_ : float
        Laplace's approximation to the log evidence of the labels; with more than two classes, the mean over them.
    transduction_ : ndarray of shape (n_rows,)
        The label of every row passed to ``fit``, given or predicted. Missing in models that a search fitted.

    See Also
    --------
    MultiViewGP : The kernel of co-regularization, of a kernel in space with that of a graph, or of any two views.
    GPCoTraining : The consensus of two kernels, one of which may be that of the graph.

    Notes
    -----
    Rows with y = −1 are unlabeled. Equal rows are one point of the kernel, and all their labels count; in bootstrap
    samples as in `GPCoTraining`. Kernels are dense, with the memory and the limit of `GPCoTraining`.

    References
    ----------
    Sindhwani, Niyogi and Belkin (2005). Beyond the point cloud: from transductive to semi-supervised learning. ICML.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import make_moons
    >>> from foldless.learners import ManifoldGP
    >>> X, y = make_moons(200, noise=0.08, random_state=0)
    >>> y_known = np.where(np.arange(200) < 4, y, -1)
    >>> ManifoldGP(ratio=1000).fit(X, y_known).score(X, y) > 0.95
    True
    """

    n_neighbors: int = 6
    degree: int = 1
    ratio: float = 1.0

    series_over: ClassVar[frozenset[str]] = frozenset({"ratio"})

    def _check(self) -> None:
        check_scalar(self.degree, "degree", Integral, min_val=1)
        check_positive(self.ratio, "ratio", zero=True)

    def _parts(self, X: Any, _: Any) -> list[Any]:
        (ambient,) = view_kernels(X, [np.arange(X.shape[1])], self.kernel, self.gamma, self.n_neighbors)
        root = LaplacianPower(X, int(self.n_neighbors), int(self.degree))
        return [ambient, root, Roughness(ambient, root)]

    def _latent(self, parts: Sequence[Any]) -> list[LatentKernel]:
        return [DeformedKernel(parts[2], float(self.ratio))]
