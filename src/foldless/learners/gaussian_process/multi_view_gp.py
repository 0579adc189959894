"""Co-regularization as one kernel: f₁ + f₂, with a penalty where the two differ on the points.

With all columns as both views, "rbf" for the first and "graph" for the second, this is manifold co-regularization. With
the penalty g₁‖f₁‖² + g₂‖f₂‖² + λ Σ (f₁ − f₂)² over the points the kernel is

    k̃(x, z) = s(x, z) − λ d_x' (I + λ S)⁻¹ d_z,   s = k₁/g₁ + k₂/g₂,   d = k₁/g₁ − k₂/g₂,

S being s on the points. The same formula holds for new rows, where the views need not agree.
"""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from scipy.linalg import cholesky, solve_triangular

from foldless.core import Array
from foldless.errors import BadInput
from foldless.learners._inputs import check_positive
from foldless.learners.gaussian_process._distinct_rows import Cached
from foldless.learners.gaussian_process._kernel_gp import KernelGP
from foldless.learners.gaussian_process._view_kernels import LatentKernel, NewRows, ViewKernel, two_view_kernels
from foldless.saving._names import saved

LEAST_PENALTY = 1e-100  # kernels divided by it are numbers, and so are products with them


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


@saved("foldless.learners")
@dataclass(eq=False, repr=False)
class MultiViewGP(KernelGP):
    """Gaussian process classification with the multi-view kernel of co-regularization.

    Parameters
    ----------
    views : two lists of columns, or None, default=None
        As in `GPCoTraining`.
    kernel : str, callable, or a sequence with one for each view, default="rbf"
        As in `GPCoTraining`.
    gamma : float, None, or a sequence with one for each view, default=None
        As in `GPCoTraining`.
    n_neighbors : int, default=1
        Number of neighbors of the "graph" kernel.
    penalty1, penalty2 : float, default=1.0
        g₁ and g₂ of the penalty g₁‖f₁‖² + g₂‖f₂‖².
    coupling : float, default=1.0
        λ of the penalty λ Σ (f₁ − f₂)² over all points; with 0 the kernel is the sum of the kernels of the views.

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
    GPCoTraining : The consensus of two views.

    Notes
    -----
    Rows with y = −1 are unlabeled. Equal rows are one point of the kernel, and all their labels count; in bootstrap
    samples as in `GPCoTraining`. Kernels are dense, with the memory and the limit of `GPCoTraining`.

    References
    ----------
    Sindhwani and Rosenberg (2008). An RKHS for multi-view learning and manifold co-regularization. ICML.

    Examples
    --------
    >>> import numpy as np
    >>> from foldless.learners import MultiViewGP
    >>> rng = np.random.default_rng(0)
    >>> y = np.arange(60) % 2
    >>> X = rng.normal(size=(60, 2)) + 4 * y[:, None]
    >>> y_known = np.where(np.arange(60) < 6, y, -1)
    >>> MultiViewGP(views=[[0], [1]], coupling=10).fit(X, y_known).score(X, y) > 0.9
    True
    """

    views: Any = None
    _: KW_ONLY
    penalty1: float = 1.0
    penalty2: float = 1.0
    coupling: float = 1.0

    series_over: ClassVar[frozenset[str]] = frozenset({"penalty1", "penalty2", "coupling"})

    def _check(self) -> None:
        for name, penalty in (("penalty1", self.penalty1), ("penalty2", self.penalty2)):
            check_positive(penalty, name)
            if penalty < LEAST_PENALTY:
                raise BadInput(
                    f"{name} must be at least {LEAST_PENALTY:.0e}, got {penalty!r}: kernels are divided by it"
                )
        check_positive(self.coupling, "coupling", zero=True)

    def _parts(self, X: Any, names: Any) -> list[Any]:
        return two_view_kernels(self, X, names)

    def _latent(self, parts: Sequence[Any]) -> list[LatentKernel]:
        penalties = float(self.penalty1), float(self.penalty2)
        return [MultiViewKernel(parts[0], parts[1], *penalties, float(self.coupling))]
