"""Gaussian process co-training: two views, and a consensus that is learned from labels and pool.

Each view has a latent function f_j ~ N(0, K_j); their consensus f_c may differ from each by noise σ_j, and labels are
drawn from σ(f_c). With the f_j integrated out this is a Gaussian process whose points are the labeled rows and the
pool, with the co-training kernel.

K_c = [(K₁ + σ₁² I)⁻¹ + (K₂ + σ₂² I)⁻¹]⁻¹ is the covariance of the consensus f_c where f_j ~ N(0, K_j) and
exp(−‖f_j − f_c‖² / 2σ_j²). With A and B for the two terms it is A − A (A + B)⁻¹ A, which needs no inverse of either;
A is the smaller, so that a large σ of the other view cancels nothing. A + B has the eigenvectors of K₁ + K₂ whatever
the σ are: one decomposition serves a whole grid of them.

A new row is added alone, as one more point: A and B grow by a row, and by Schur's complement the kernel of the other
points loses a matrix of rank one.
"""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import numpy as np
from scipy.linalg import eigh

from foldless.core import Array
from foldless.errors import BadInput
from foldless.learners._inputs import check_positive
from foldless.learners.gaussian_process._distinct_rows import Cached
from foldless.learners.gaussian_process._kernel_gp import KernelGP
from foldless.learners.gaussian_process._view_kernels import LatentKernel, NewRows, ViewKernel, two_view_kernels
from foldless.saving._names import saved

MOST_NOISE = 1e10  # beyond, what the labels say is lost in the rounding of its square


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


@saved("foldless.learners")
@dataclass(eq=False, repr=False)
class GPCoTraining(KernelGP):
    """Gaussian process classification on the consensus of two views, with the co-training kernel.

    Parameters
    ----------
    views : two lists of columns, or None, default=None
        Column numbers, slices, masks or names. None means the first half of the columns and the rest. Both views may be
        all columns, with different kernels.
    kernel : str, callable, or a sequence with one for each view, default="rbf"
        "rbf" is exp(−γ‖x − z‖²); "linear" is x·z; "centered_linear" is the same after the mean of all points is
        subtracted; "graph" is the inverse of the Laplacian of the nearest-neighbor graph plus 1e-6. A callable k(A, B)
        takes two matrices, such as a kernel of ``sklearn.gaussian_process`` or a `Precomputed`.
    gamma : float, None, or a sequence with one for each view, default=None
        γ of "rbf". None means 1 / m², where m is the median distance between two points; with more than 3,000 points,
        that of a sample of 1,000.
    n_neighbors : int, default=1
        Number of neighbors of the "graph" kernel.
    sigma1, sigma2 : float, default=1.0
        Standard deviation of each view from the consensus.

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
    MultiViewGP : The kernel of co-regularization.
    ManifoldGP : One view, with a kernel that is deformed by the graph of the rows.
    ViewGP : The same without the pool.

    Notes
    -----
    Rows with y = −1 are unlabeled. Equal rows are one point of the kernel, and all their labels count. If a search
    draws the same row twice into a bootstrap sample, it is one point with one label: the answers are those of ``fit``
    on the distinct rows that were drawn.

    A row that was passed to ``fit`` is looked up in ``predict``; every other row is added to the points alone, so its
    prediction does not depend on the rows beside it.

    Kernels are dense: with n labeled and unlabeled rows, ``fit`` needs up to 64 n² bytes of memory, and its time grows
    as n³. Above 8 GB, or 11,180 rows, it raises an error: use a random subset of the pool.

    References
    ----------
    Yu, Krishnapuram, Rosales and Rao (2011). Bayesian co-training. JMLR 12.

    Examples
    --------
    >>> import numpy as np
    >>> from foldless.learners import GPCoTraining
    >>> rng = np.random.default_rng(0)
    >>> y = np.arange(60) % 2
    >>> X = rng.normal(size=(60, 2)) + 4 * y[:, None]
    >>> y_known = np.where(np.arange(60) < 6, y, -1)
    >>> GPCoTraining(views=[[0], [1]], sigma1=0.1, sigma2=0.1).fit(X, y_known).score(X, y) > 0.9
    True

    Two kernels on the same columns: the features, and the graph of nearest neighbors.

    >>> _ = GPCoTraining(views=[slice(None)] * 2, kernel=("rbf", "graph"), n_neighbors=1).fit(X, y_known)
    """

    views: Any = None
    _: KW_ONLY
    sigma1: float = 1.0
    sigma2: float = 1.0

    series_over: ClassVar[frozenset[str]] = frozenset({"sigma1", "sigma2"})

    def _check(self) -> None:
        for name, sigma in (("sigma1", self.sigma1), ("sigma2", self.sigma2)):
            check_positive(sigma, name)
            if sigma > MOST_NOISE:
                raise BadInput(
                    f"{name} must be at most {MOST_NOISE:.0e}, got {sigma!r}: use a smaller value, or ViewGP on the "
                    f"other view, since with so much noise this view has no influence"
                )

    def _parts(self, X: Any, names: Any) -> list[Any]:
        first, second = two_view_kernels(self, X, names)
        return [first, second, Spectrum(first, second)]

    def _latent(self, parts: Sequence[Any]) -> list[LatentKernel]:
        return [CoTrainingKernel(parts[2], float(self.sigma1), float(self.sigma2))]
