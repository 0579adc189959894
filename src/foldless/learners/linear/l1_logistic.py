"""Logistic regression with an L1 penalty, for few labels.

Minimizes the mean of log(1 + exp(−y s)) plus λ‖w‖₁ with s = w·x + b; the intercept b is not penalized, so that the
classifier without any weight gives the shares of the classes. Several classes are solved one against the rest.

References
----------
Yuan, Ho and Lin (2012). An improved GLMNET for L1-regularized logistic regression. JMLR 13.
"""

import warnings
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from foldless.core import Array
from foldless.errors import BadInput
from foldless.learners._inputs import FORMS, check_positive
from foldless.saving.names import saved
from foldless.solvers.co_training.co_training import Settings, fit, posteriors
from foldless.solvers.linear.l1_table import Table

MAX_STEPS = 1000  # of Newton's method; ten do where classes overlap


@saved("foldless.learners")
class L1LogisticRegression(ClassifierMixin, BaseEstimator):
    """Logistic regression with an L1 penalty and a free intercept.

    Made to be solved thousands of times on few rows. The Hessian of the weights that are not zero is kept as a matrix:
    some thousand of them are the limit.

    Parameters
    ----------
    lam : float
        λ, the weight of the penalty.
    scale : "mean" or "sum"
        Whether λ stands beside the mean of the losses or their sum; the latter is 1 / C of scikit-learn.
    tol : float
        Largest violation of the optimality conditions, in units of λ.

    Attributes
    ----------
    classes_, coef_, intercept_, n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from foldless.learners import L1LogisticRegression
    >>> X, y = load_iris(return_X_y=True)
    >>> model = L1LogisticRegression(lam=0.05).fit(X, y)
    >>> model.score(X, y) > 0.9, (model.coef_ != 0).any(axis=0)
    (True, array([False,  True,  True, False]))
    """

    def __init__(self, *, lam: float = 1e-3, scale: str = "mean", tol: float = 1e-4):
        self.lam = lam
        self.scale = scale
        self.tol = tol

    def fit(self, X: Any, y: Any) -> "L1LogisticRegression":
        """Train on rows X with labels y."""
        X, y = validate_data(self, X, y, **FORMS)
        check_classification_targets(y)
        check_positive(self.lam, "lam")
        check_positive(self.tol, "tol")
        check_scale(self.scale)
        classes, codes = np.unique(y, return_inverse=True)
        if len(classes) < 2:
            raise BadInput(
                f"{type(self).__name__} needs at least 2 classes, the labels hold one class: {classes.tolist()[0]!r}"
            )
        weights = empty_weights(len(classes), X.shape[1])
        penalty = float(self.lam) / (len(y) if self.scale == "sum" else 1)
        settings = Settings(penalty, penalty, False, float(self.tol), MAX_STEPS)
        warn_unfinished(fit(Table.with_intercept(X), np.arange(len(y)), codes, penalty, settings, weights), self)
        return self._take_over(classes, weights)

    def decision_function(self, X: Any) -> Array:
        """Scores of shape (n, K); for two classes those of the second."""
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, **FORMS)
        scores = X @ self.coef_.T + self.intercept_
        return scores.ravel() if scores.shape[1] == 1 else scores

    def predict(self, X: Any) -> Array:
        """The label with the highest score."""
        scores = self.decision_function(X)
        return self.classes_[(scores > 0).astype(int) if scores.ndim == 1 else scores.argmax(axis=1)]

    def predict_proba(self, X: Any) -> Array:
        """Probabilities of the classes, of shape (n, K): σ(s), divided by their sum."""
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, **FORMS)
        weights = np.column_stack([self.coef_, self.intercept_])
        return posteriors(Table.with_intercept(X), weights, np.arange(X.shape[0]))

    def _take_over(self, classes: Array, weights: Array) -> "L1LogisticRegression":
        self.classes_ = classes
        self.n_features_in_ = weights.shape[1] - 1
        self.coef_ = weights[:, :-1]
        self.intercept_ = weights[:, -1]
        return self

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


def empty_weights(n_classes: int, n_features: int) -> Array:
    """Zeros: one row for two classes, else one for each; the last column is the intercept."""
    return np.zeros((1 if n_classes == 2 else n_classes, n_features + 1))


def check_scale(scale: Any) -> None:
    """The penalty stands beside the mean of the losses or beside their sum."""
    if scale not in ("mean", "sum"):
        raise BadInput(f"scale must be 'mean' or 'sum', got {scale!r}")


def warn_unfinished(unfinished: int, learner: Any) -> None:
    """Say that some problems did not end."""
    if unfinished:
        warnings.warn(
            f"{type(learner).__name__} did not converge in {MAX_STEPS} steps in {unfinished} of its fits: "
            f"raise tol or the penalty",
            ConvergenceWarning,
            stacklevel=3,
        )
