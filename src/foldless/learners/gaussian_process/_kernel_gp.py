"""Gaussian process classifiers whose kernels use the pool: everything but the kernel.

A subclass chooses the kernels of its views and combines them into one latent function, or into several whose
probabilities are averaged. Labels enter only in Laplace's method on the labeled points, so the expensive part is done
once for all label vectors. Points are distinct rows, and a label counts as often as it is given. With more than two
classes, each is solved against the rest and probabilities are divided by their sum, as in scikit-learn's
``GaussianProcessClassifier``; the evidence is then the mean over the classes.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from sklearn.utils.validation import check_is_fitted, validate_data

from foldless.core import Array
from foldless.core._threads import one_blas_thread
from foldless.core.batch import Answered, Member
from foldless.learners._inputs import FORMS, PartialLabels, partial_labels
from foldless.learners._logits import ScoredClassifier, as_response, probabilities
from foldless.learners.gaussian_process._distinct_rows import Points, check_room, distinct
from foldless.learners.gaussian_process._fitted import Fitted
from foldless.learners.gaussian_process._gp_batch import Series
from foldless.learners.gaussian_process._laplace_sets import TrainingSet, TrainingSets
from foldless.learners.gaussian_process._view_kernels import LatentKernel


@dataclass(eq=False, repr=False, kw_only=True)
class KernelGP(ScoredClassifier, ABC):
    """What Gaussian process classifiers share."""

    kernel: Any = "rbf"
    gamma: Any = None
    n_neighbors: int = 1

    semi_supervised: ClassVar[bool] = True
    independent: ClassVar[bool] = True
    batch_over: ClassVar[frozenset[str]] = frozenset({"rows", "labels", "unlabeled"})

    def fit(self, X: Any, y: Any) -> Any:
        """Fit the model on rows X with labels y, −1 for unlabeled rows."""
        X, y = validate_data(self, X, y, **FORMS)
        labels = self._labels(y)
        self._check()
        first, which = distinct(X)
        check_room(len(first), type(self).__name__)
        points = Points(X[first])
        training = self._training(which[labels.labeled], labels.codes, len(labels.classes), np.arange(len(points)))
        answers, blocks = [], []
        with one_blas_thread():  # on a busy machine more threads wait for each other, with 3,000 points as well
            parts = self._parts(points.X, getattr(self, "feature_names_in_", None))
            latent = self._latent(parts)
            for kernel in latent:
                K = kernel.gram()
                answers += TrainingSets([training]).solve(K)
                blocks.append(K[np.ix_(training.points, training.points)])
        for part in (*latent, *parts):
            part.drop_cache()
        fitted = Fitted.of(points, latent, training, answers, blocks)
        if self.semi_supervised:
            self.transduction_ = labels.completed(as_response(fitted.scores[:, which[~labels.labeled]], "labels"))
        return self._take_over(labels.classes, fitted)

    def decision_function(self, X: Any) -> Array:
        """Logits of the class probabilities before these are divided by their sum: (n, K), or (n,) for two classes.

        A row that was passed to ``fit`` is looked up; every other row is added alone, whatever else X holds.
        """
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, **FORMS)
        with one_blas_thread():
            return as_response(self.fitted_.scores_of(X), "scores")

    def predict_proba(self, X: Any) -> Array:
        """Probabilities of the classes, of shape (n, K)."""
        return probabilities(self.decision_function(X))

    def log_marginal_likelihood(self) -> float:
        """Laplace's approximation to the log evidence of the labels."""
        check_is_fitted(self)
        return self.log_marginal_likelihood_value_

    def prepare(self, blocks: Sequence[Any], members: Sequence[Member]) -> None:
        """Compute what no parameter of ``series_over`` changes, for this batch and all others on these blocks."""
        self._series = Series(self, blocks)
        self._series.prepare(members)

    def answer_batch(self, blocks: Sequence[Any], members: Sequence[Member]) -> list[Answered]:
        """Compute each kernel once, and answer all members that have it."""
        prepared: Series | None = getattr(self, "_series", None)
        if prepared is not None and prepared.blocks is blocks:
            return prepared.answer(members)
        return Series(self, blocks).answer(members)

    def _check(self) -> None:
        """Raise an error where a parameter is out of range."""

    @abstractmethod
    def _parts(self, X: Any, names: Any) -> list[Any]:
        """Kernels on the points that depend on no parameter of ``series_over``."""

    @abstractmethod
    def _latent(self, parts: Sequence[Any]) -> list[LatentKernel]:
        """The kernels of the latent functions, computed from the parts."""

    def _labels(self, y: Any) -> PartialLabels:
        return partial_labels(y, type(self).__name__)

    def _training(self, points: Array, codes: Array, n_classes: int, asked: Array) -> TrainingSet:
        """The labels sorted by their points: the order of the rows then does not matter, not even to rounding."""
        order = np.lexsort((codes, points))
        return TrainingSet.of(points[order], codes[order], n_classes, asked)

    def _take_over(self, classes: Array, fitted: Fitted) -> Any:
        self.classes_ = classes
        self.fitted_ = fitted
        self.log_marginal_likelihood_value_ = fitted.evidence
        return self
