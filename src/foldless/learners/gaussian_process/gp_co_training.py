"""Gaussian process co-training: two views, and a consensus that labels and pool are asked about.

Each view has a latent function f_j ~ N(0, K_j); their consensus f_c may differ from each by noise σ_j, and labels are
drawn from σ(f_c). Without the f_j this is a Gaussian process with the kernel of `co_training_kernel`, whose points are
the labeled rows and the pool.

References
----------
Yu, Krishnapuram, Rosales and Rao (2011). Bayesian co-training. JMLR 12.
"""

from collections.abc import Sequence
from typing import Any, ClassVar

from foldless.errors import BadInput
from foldless.learners._inputs import check_positive
from foldless.learners._views import columns
from foldless.learners.gaussian_process._co_training_kernel import CoTrainingKernel, Spectrum
from foldless.learners.gaussian_process._kernel_gp import KernelGP
from foldless.learners.gaussian_process._latent_kernels import LatentKernel
from foldless.learners.gaussian_process.view_kernels import view_kernels
from foldless.saving.names import saved

MOST_NOISE = 1e10  # beyond, what the labels say is lost in the rounding of its square


@saved("foldless.learners")
class GPCoTraining(KernelGP):
    """Gaussian process classification on the consensus of two views, with the co-training kernel.

    Parameters
    ----------
    views : two lists of columns, or None
        Column numbers, slices, masks or names. None is the first half of the columns and the rest. Both views may be
        all columns, with different kernels.
    kernel : str, function, or one for each view
        "rbf": exp(−γ‖x − z‖²). "linear": x·z. "centered_linear": the same after the mean of all points was taken off.
        "graph": inverse of the Laplacian of the graph of nearest neighbors, plus 1e-6. A function k(A, B) of two
        matrices, such as a kernel of ``sklearn.gaussian_process``, or a `Precomputed`.
    gamma : float, None, or one for each view
        γ of "rbf"; None is 1 / m² where m is the median distance between two points; of more than 3,000 points, that
        of a sample of 1,000.
    n_neighbors : int
        Of the graph.
    sigma1, sigma2 : float
        How far each view may be from the consensus: standard deviations, which enter the kernel squared.

    Attributes
    ----------
    classes_, n_features_in_, feature_names_in_
        As in scikit-learn.
    log_marginal_likelihood_value_ : float
        The evidence of the labels.
    transduction_ : array of shape (n,)
        The labels of all rows that were given to ``fit``: those given with them, and predictions for the others. Not of
        a model that a search has trained.

    Notes
    -----
    Rows with y = −1 have no label. Rows with the same content are one point of the kernel, and all their labels count.
    Where a search draws one and the same row twice into a bootstrap sample, it is one point with one label: answers are
    those of ``fit`` on the rows that were drawn, each given once.

    A row that was there in ``fit`` is looked up in ``predict``; any other row joins the points alone, so its prediction
    does not depend on the rows beside it.

    Kernels are dense: n labeled and unlabeled rows take 64 n² bytes at the peak of a fit, and time that grows as n³.
    Above 8 GB, 11,180 rows, ``fit`` refuses: use a random part of the pool.

    Examples
    --------
    >>> import numpy as np
    >>> from foldless.learners import GPCoTraining
    >>> rng = np.random.default_rng(0)
    >>> y = np.arange(60) % 2
    >>> X = rng.normal(size=(60, 2)) + 4 * y[:, None]
    >>> known = np.where(np.arange(60) < 6, y, -1)
    >>> GPCoTraining(views=[[0], [1]], sigma1=0.1, sigma2=0.1).fit(X, known).score(X, y) > 0.9
    True

    Images of objects: pixels as they are, and a graph of which image is near to which.

    >>> _ = GPCoTraining(views=[slice(None)] * 2, kernel=("rbf", "graph"), n_neighbors=1).fit(X, known)
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
                    f"{name} must be at most {MOST_NOISE:.0e}, got {sigma!r}: use a smaller one, or ViewGP on the "
                    f"other view, as so much noise leaves this one without a say"
                )

    def _parts(self, X: Any, names: Any) -> list[Any]:
        first, second = two_view_kernels(self, X, names)
        return [first, second, Spectrum(first, second)]

    def _latent(self, parts: Sequence[Any]) -> list[LatentKernel]:
        return [CoTrainingKernel(parts[2], float(self.sigma1), float(self.sigma2))]


def two_view_kernels(learner: Any, X: Any, names: Any) -> list[Any]:
    """The kernels of a learner with exactly two views."""
    views = columns(learner.views, X.shape[1], names)
    if len(views) != 2:
        raise BadInput(f"{type(learner).__name__} needs two views, got {len(views)}")
    return view_kernels(X, views, learner.kernel, learner.gamma, learner.n_neighbors)
