"""Gaussian process co-training: two views, and a consensus that is learned from labels and pool.

Each view has a latent function f_j ~ N(0, K_j); their consensus f_c may differ from each by noise σ_j, and labels are
drawn from σ(f_c). With the f_j integrated out this is a Gaussian process whose points are the labeled rows and the
pool, with the kernel of `_co_training_kernel`.

References
----------
Yu, Krishnapuram, Rosales and Rao (2011). Bayesian co-training. JMLR 12.
"""

from collections.abc import Sequence
from typing import Any, ClassVar

from foldless.errors import BadInput
from foldless.learners._inputs import check_positive
from foldless.learners.gaussian_process._co_training_kernel import CoTrainingKernel, Spectrum
from foldless.learners.gaussian_process._kernel_gp import KernelGP
from foldless.learners.gaussian_process._latent_kernels import LatentKernel
from foldless.learners.gaussian_process._view_kernels import two_view_kernels
from foldless.saving._names import saved

MOST_NOISE = 1e10  # beyond, what the labels say is lost in the rounding of its square


@saved("foldless.learners")
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
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    log_marginal_likelihood_value_ : float
        Laplace's approximation to the log evidence of the labels; with more than two classes, the mean over them.
    transduction_ : ndarray of shape (n_rows,)
        The label of every row passed to ``fit``, given or predicted. Missing in models that a search fitted.
    n_features_in_ : int
        Number of features seen in ``fit``.
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Names of the features, if X has names that are strings.

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

    series_over: ClassVar[frozenset[str]] = frozenset({"sigma1", "sigma2"})

    def __init__(
        self,
        views: Any = None,
        *,
        kernel: Any = "rbf",
        gamma: Any = None,
        n_neighbors: int = 1,
        sigma1: float = 1.0,
        sigma2: float = 1.0,
    ):
        self.views = views
        self.kernel = kernel
        self.gamma = gamma
        self.n_neighbors = n_neighbors
        self.sigma1 = sigma1
        self.sigma2 = sigma2

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
