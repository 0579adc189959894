"""Logistic regression on the scores of a classifier: it gives probabilities, and moves the threshold.

P(y = 1 | x) = 1 / (1 + exp(−(a s(x) + b))), with a and b of maximum likelihood. WEKA uses the scores of the training
rows themselves and the targets 1 and 0; Platt uses out-of-fold scores and the targets (N₊ + 1) / (N₊ + 2) and
1 / (N₋ + 2). Where the training rows are separable, the threshold of the former stays between the classes, where no row
lies; that of the latter may be anywhere.
"""

import warnings
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.utils import column_or_1d, get_tags
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, check_scalar

from foldless.core import Array
from foldless.errors import BadInput, BadType
from foldless.learners._inputs import note_features
from foldless.saving._names import saved

RIDGE = 1e-8  # of WEKA: what stops the slope where scores separate the classes
TOLERANCE = 1e-12  # of the gradient: below what the ridge leaves of it, else an early end would stop the slope
STEPS = 100


@saved("foldless.learners")
class LogisticOutputs(MetaEstimatorMixin, ClassifierMixin, BaseEstimator):
    """Probabilities of a classifier that has scores, by a logistic regression on these.

    Parameters
    ----------
    estimator : classifier with ``decision_function``
        It is fitted on all rows.
    targets : {"weka", "platt"}, default="weka"
        How the regression is fitted: on the scores of the training rows and their labels, or on out-of-fold scores and
        smoothed targets. The second is `sklearn.calibration.CalibratedClassifierCV` with ``cv=3, ensemble=False``, for
        classes of any size.
    folds : int, default=3
        Number of folds of the out-of-fold scores; fewer if a class has fewer rows. If a class has a single row, the
        scores of the training rows are used.

    Attributes
    ----------
    estimator_ : classifier
        The fitted classifier.
    logistic_ : LogisticRegression
        The fitted regression on its scores divided by ``scale_``.
    scale_ : ndarray
        Standard deviations of the scores.
    classes_, n_features_in_, feature_names_in_
        The class labels; the number of features and their names, if the classifier has them.

    References
    ----------
    Platt (1999). Probabilistic outputs for support vector machines. Section 2.
    WEKA's SMO with the option -M (Witten & Frank 2005).

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from foldless.learners import LinearSVC, LogisticOutputs
    >>> X, y = load_iris(return_X_y=True)
    >>> LogisticOutputs(LinearSVC()).fit(X, y).predict_proba(X[:1]).round(2)
    array([[1., 0., 0.]])
    """

    def __init__(self, estimator: Any, *, targets: str = "weka", folds: int = 3):
        self.estimator = estimator
        self.targets = targets
        self.folds = folds

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "LogisticOutputs":
        """Fit the classifier, then the regression on its scores, both with the weights."""
        if self.targets not in ("weka", "platt"):
            raise BadInput(f"targets must be 'weka' or 'platt', got {self.targets!r}")
        if not hasattr(self.estimator, "decision_function"):
            raise BadType(f"estimator must have a decision_function, got {self.estimator!r}")
        check_scalar(self.folds, "folds", Integral, min_val=2)
        fit_params = {} if sample_weight is None else {"sample_weight": _check_sample_weight(sample_weight, X)}
        self.estimator_ = clone(self.estimator).fit(X, y, **fit_params)
        y = column_or_1d(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        scores = self._scores(X) if self.targets == "weka" else self._left_out(X, y, codes, fit_params)
        sample_weights = fit_params.get("sample_weight", np.ones(len(codes)))
        centered = scores - np.average(scores, axis=0, weights=sample_weights)
        spread = np.sqrt(np.average(centered**2, axis=0, weights=sample_weights))
        self.scale_ = np.where(spread > 0, spread, 1.0)
        self.logistic_ = _regression(scores / self.scale_, self._weights(codes) * sample_weights[:, None])
        note_features(self, [self.estimator_])
        return self

    def decision_function(self, X: Any) -> Array:
        """The log odds; for several classes, the scores of the multinomial regression."""
        check_is_fitted(self)
        return self.logistic_.decision_function(self._scores(X) / self.scale_)

    def predict(self, X: Any) -> Array:
        """The most probable label."""
        check_is_fitted(self)
        return self.classes_[self.logistic_.predict(self._scores(X) / self.scale_)]

    def predict_proba(self, X: Any) -> Array:
        """Probabilities of the classes."""
        check_is_fitted(self)
        return self.logistic_.predict_proba(self._scores(X) / self.scale_)

    def _scores(self, X: Any) -> Array:
        scores = self.estimator_.decision_function(X)
        return scores.reshape(-1, 1) if scores.ndim == 1 else scores

    def _left_out(self, X: Any, y: Any, codes: Array, fit_params: dict[str, Array]) -> Array:
        """Out-of-fold scores of every row, if all classes have enough rows."""
        folds = min(self.folds, np.bincount(codes).min())
        if folds < 2:
            return self._scores(X)
        scores = cross_val_predict(self.estimator, X, y, cv=int(folds), method="decision_function", params=fit_params)
        return scores.reshape(-1, 1) if scores.ndim == 1 else scores

    def _weights(self, codes: Array) -> Array:
        indicators = np.eye(len(self.classes_))[codes]
        if self.targets == "weka":
            return indicators
        n = np.bincount(codes)[codes][:, None]
        return np.where(indicators > 0, (n + 1) / (n + 2), 1 / (n + 2) / (len(self.classes_) - 1))

    def __sklearn_tags__(self) -> Any:
        tags, inner = super().__sklearn_tags__(), get_tags(self.estimator)
        tags.input_tags = inner.input_tags
        tags.classifier_tags = inner.classifier_tags
        return tags


def _regression(scores: Array, weights: Array) -> Any:
    """Logistic regression on rows with a weight for several classes: a copy of the row for each of them."""
    rows, classes = np.nonzero(weights)
    regression = LogisticRegression(C=1 / (2 * RIDGE), solver="newton-cholesky", tol=TOLERANCE, max_iter=STEPS)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # on separable rows only the last step ends it
        return regression.fit(scores[rows], classes, sample_weight=weights[rows, classes])
