"""Gaussian process classification without the pool: what the semi-supervised learners are compared with.

Views are learned from one by one and their probabilities averaged, or stacked into one. A single view is a list of one.
What a kernel needs to know of the rows (center, width) it takes from the labeled ones.

References
----------
Rasmussen and Williams (2006). Gaussian processes for machine learning. Chapter 3.
"""

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from sklearn.utils.multiclass import check_classification_targets

from foldless.core import Array
from foldless.errors import BadInput
from foldless.learners._partial_labels import PartialLabels
from foldless.learners._views import columns
from foldless.learners.gaussian_process._kernel_gp import KernelGP
from foldless.learners.gaussian_process._laplace_sets import TrainingSet
from foldless.learners.gaussian_process._latent_kernels import LatentKernel, PlainKernel
from foldless.learners.gaussian_process.view_kernels import view_kernels
from foldless.saving.names import saved


@saved("foldless.learners")
class ViewGP(KernelGP):
    """Supervised Gaussian process classification on one or more views.

    Parameters
    ----------
    views : lists of columns, or None
        As in `GPCoTraining`, but any number.
    form : "averaged" or "stacked"
        The mean of the probabilities of a process for each view, or one process on the columns of all views.
    kernel, gamma, n_neighbors
        As in `GPCoTraining`; one for all views, or one for each where they are averaged.

    Attributes
    ----------
    classes_, n_features_in_, feature_names_in_, log_marginal_likelihood_value_
        As in `GPCoTraining`; the evidence of averaged views is that of their mixture with even weights.

    Notes
    -----
    It is not semi-supervised: −1 is a label as any other. Kernels are dense, of the labeled rows: memory and limits are
    those of `GPCoTraining`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from foldless.learners import ViewGP
    >>> X, y = load_iris(return_X_y=True)
    >>> ViewGP(views=[[0, 1], [2, 3]]).fit(X, y).score(X, y) > 0.9
    True
    """

    semi_supervised: ClassVar[bool] = False
    batch_over: ClassVar[frozenset[str]] = frozenset({"rows", "labels"})

    def __init__(
        self, views: Any = None, *, form: str = "averaged", kernel: Any = "rbf", gamma: Any = None, n_neighbors: int = 1
    ):
        self.views = views
        self.form = form
        self.kernel = kernel
        self.gamma = gamma
        self.n_neighbors = n_neighbors

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
        classes, codes = np.unique(y, return_inverse=True)
        if len(classes) < 2:
            raise BadInput(f"ViewGP needs at least 2 classes, the labels hold one class: {classes.tolist()[0]!r}")
        return PartialLabels(np.ones(len(y), bool), classes, codes)

    def _training(self, points: Array, codes: Array, n_classes: int, asked: Array) -> TrainingSet:
        return TrainingSet.of(points, codes, n_classes, asked)
