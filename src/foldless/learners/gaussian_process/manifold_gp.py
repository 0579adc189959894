"""A Gaussian process whose kernel is deformed by the manifold on which the rows lie.

A function that changes along the graph of nearest neighbors costs r f'L^degree f more; the kernel of that norm is in
`deformed_kernel`, and holds outside of the points as well.

References
----------
Sindhwani, Niyogi and Belkin (2005). Beyond the point cloud: from transductive to semi-supervised learning. ICML.
"""

from collections.abc import Sequence
from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from sklearn.utils.validation import check_scalar

from foldless.learners._inputs import check_positive
from foldless.learners.gaussian_process._deformed_kernel import DeformedKernel, Roughness
from foldless.learners.gaussian_process._graph import LaplacianPower
from foldless.learners.gaussian_process._kernel_gp import KernelGP
from foldless.learners.gaussian_process._latent_kernels import LatentKernel
from foldless.learners.gaussian_process.view_kernels import view_kernels
from foldless.saving.names import saved


@saved("foldless.learners")
class ManifoldGP(KernelGP):
    """Gaussian process classification with a kernel that is deformed by the graph of labeled rows and pool.

    Parameters
    ----------
    kernel : str or function
        The kernel before it is deformed, as in `GPCoTraining`.
    gamma : float or None
        γ of "rbf"; None is the one of `GPCoTraining`.
    n_neighbors : int
        Of the graph: binary weights, an edge where one of two points is among the nearest of the other.
    degree : int
        The power of the graph Laplacian.
    ratio : float
        The weight γ_I / γ_A of smoothness along the graph against smoothness in space; zero leaves the kernel as it is.
        The larger, the nearer to a constant on each component of the graph: then a majority among labels outweighs all.

    Attributes
    ----------
    classes_, n_features_in_, feature_names_in_, log_marginal_likelihood_value_, transduction_
        As in `GPCoTraining`.

    See Also
    --------
    MultiViewGP : The kernel of co-regularization, of an ambient kernel with that of a graph, or of any two views.
    GPCoTraining : The consensus of two kernels, one of which may be that of the graph.

    Notes
    -----
    Rows with y = −1 have no label. Rows with the same content are one point of the kernel, and all their labels count;
    of bootstrap samples, as in `GPCoTraining`. Kernels are dense: memory and limits are those of `GPCoTraining`.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import make_moons
    >>> from foldless.learners import ManifoldGP
    >>> X, y = make_moons(200, noise=0.08, random_state=0)
    >>> known = np.where(np.arange(200) < 4, y, -1)
    >>> ManifoldGP(ratio=1000).fit(X, known).score(X, y) > 0.95
    True
    """

    series_over: ClassVar[frozenset[str]] = frozenset({"ratio"})

    def __init__(
        self,
        *,
        kernel: Any = "rbf",
        gamma: float | None = None,
        n_neighbors: int = 6,
        degree: int = 1,
        ratio: float = 1.0,
    ):
        self.kernel = kernel
        self.gamma = gamma
        self.n_neighbors = n_neighbors
        self.degree = degree
        self.ratio = ratio

    def _check(self) -> None:
        check_scalar(self.degree, "degree", Integral, min_val=1)
        check_positive(self.ratio, "ratio", zero=True)

    def _parts(self, X: Any, _: Any) -> list[Any]:
        (ambient,) = view_kernels(X, [np.arange(X.shape[1])], self.kernel, self.gamma, self.n_neighbors)
        root = LaplacianPower(X, int(self.n_neighbors), int(self.degree))
        return [ambient, root, Roughness(ambient, root)]

    def _latent(self, parts: Sequence[Any]) -> list[LatentKernel]:
        return [DeformedKernel(parts[2], float(self.ratio))]
