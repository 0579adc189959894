"""Gaussian process classification without the pool: the baseline of the semi-supervised learners.

A process is fitted on each view and their probabilities are averaged, or one process on the columns of all views. What
a kernel needs to know about the rows (center, width) is computed from the labeled ones.
"""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar

import numpy as np
from sklearn.utils.multiclass import check_classification_targets

from foldless.core import Array
from foldless.errors import BadInput
from foldless.learners._inputs import PartialLabels, classes_and_codes
from foldless.learners._views import columns
from foldless.learners.gaussian_process._kernel_gp import KernelGP
from foldless.learners.gaussian_process._laplace_sets import TrainingSet
from foldless.learners.gaussian_process._view_kernels import LatentKernel, PlainKernel, view_kernels
from foldless.saving._names import saved


@saved("foldless.learners")
@dataclass(eq=False, repr=False)
class ViewGP(KernelGP):
    """Supervised Gaussian process classification on one or more views.

    Parameters
    ----------
    views : lists of columns, or None, default=None
        As in `GPCoTraining`, but any number of views.
    form : {"averaged", "stacked"}, default="averaged"
        The mean of the probabilities of a process for each view, or one process on the columns of all views.
    kernel : str, callable, or a sequence with one for each view, default="rbf"
        As in `GPCoTraining`; "stacked" takes only one.
    gamma : float, None, or a sequence with one for each view, default=None
        As in `GPCoTraining`; "stacked" takes only one.
    n_neighbors : int, default=1
        Number of neighbors of the "graph" kernel.

    Attributes
    ----------
    classes_, n_features_in_, feature_names_in_
        The class labels, the number of features, and their names if X has names that are strings.
    log_marginal_likelihood_value_ : float
        Laplace's approximation to the log evidence of the labels; for averaged views, that of their mixture with equal
        weights.

    See Also
    --------
    GPCoTraining : The consensus of two views, which also learns from the pool.

    Notes
    -----
    It is not semi-supervised: −1 is a class like any other. Kernels of the labeled rows are dense, with the memory and
    the limit of `GPCoTraining`.

    References
    ----------
    Rasmussen and Williams (2006). Gaussian processes for machine learning. Chapter 3.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from foldless.learners import ViewGP
    >>> X, y = load_iris(return_X_y=True)
    >>> ViewGP(views=[[0, 1], [2, 3]]).fit(X, y).score(X, y) > 0.9
    True
    """

    views: Any = None
    _: KW_ONLY
    form: str = "averaged"

    semi_supervised: ClassVar[bool] = False
    batch_over: ClassVar[frozenset[str]] = frozenset({"rows", "labels"})

    def _check(self) -> None:
        if self.form not in ("averaged", "stacked"):
            raise BadInput(f"form must be 'averaged' or 'stacked', got {self.form!r}")

    def _parts(self, X: Any, names: Any) -> list[Any]:
        views = columns(self.views, X.shape[1], names)
        if self.form == "stacked":
            views = [np.concatenate(views)]
        return view_kernels(X, views, self.kernel, self.gamma, self.n_neighbors)

    def _latent(self, parts: Sequence[Any]) -> list[LatentKernel]:
        return [PlainKernel(part) for part in parts]

    def _labels(self, y: Any) -> PartialLabels:
        check_classification_targets(y)
        return PartialLabels(np.ones(len(y), bool), *classes_and_codes(y, type(self).__name__))

    def _training(self, points: Array, codes: Array, n_classes: int, asked: Array) -> TrainingSet:
        return TrainingSet.of(points, codes, n_classes, asked)
