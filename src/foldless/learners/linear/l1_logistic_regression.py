"""Logistic regression with an L1 penalty, for few labels.

Minimizes the mean of log(1 + exp(−y s)) plus λ‖w‖₁ with s = w·x + b. The intercept b is not penalized: a classifier
whose weights are all zero predicts the class shares. Several classes are solved one-vs-rest.
"""

from typing import Any, ClassVar

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from foldless.core import Array
from foldless.errors import BadInput, warn_user
from foldless.learners._inputs import FORMS, check_positive, classes_and_codes
from foldless.learners._logits import LinearClassifier
from foldless.saving._names import saved
from foldless.solvers._co_training import CoTrainingSettings, fit, posteriors
from foldless.solvers.linear._l1_table import L1Table

MAX_STEPS = 1000  # of Newton's method; ten are enough where classes overlap


@saved("foldless.learners")
class L1LogisticRegression(LinearClassifier):
    """Logistic regression with an L1 penalty and an unpenalized intercept, one-vs-rest.

    It is designed to be fitted thousands of times on few rows. The Hessian of the nonzero weights is a dense matrix: a
    few thousand nonzero weights are the limit.

    Parameters
    ----------
    lam : float, default=1e-3
        λ, the weight of the penalty ‖w‖₁.
    scale : {"mean", "sum"}, default="mean"
        Whether the penalty is added to the mean of the losses or to their sum. With "sum", λ is 1 / C of scikit-learn.
    tol : float, default=1e-4
        Largest violation of the optimality conditions, in units of λ.

    Attributes
    ----------
    classes_, n_features_in_, feature_names_in_
        The class labels, the number of features, and their names if X has names that are strings.
    coef_ : ndarray of shape (1, n_features) or (n_classes, n_features)
        Weights of the features.
    intercept_ : ndarray of shape (1,) or (n_classes,)
        Intercepts.

    References
    ----------
    Yuan, Ho and Lin (2012). An improved GLMNET for L1-regularized logistic regression. JMLR 13.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from foldless.learners import L1LogisticRegression
    >>> X, y = load_iris(return_X_y=True)
    >>> model = L1LogisticRegression(lam=0.05).fit(X, y)
    >>> model.score(X, y) > 0.9, (model.coef_ != 0).any(axis=0)
    (True, array([False,  True,  True, False]))
    """

    forms: ClassVar[dict[str, Any]] = FORMS

    def __init__(self, *, lam: float = 1e-3, scale: str = "mean", tol: float = 1e-4):
        self.lam = lam
        self.scale = scale
        self.tol = tol

    def fit(self, X: Any, y: Any) -> "L1LogisticRegression":
        """Fit the model on rows X with labels y."""
        X, y = validate_data(self, X, y, **FORMS)
        check_classification_targets(y)
        check_positive(self.lam, "lam")
        check_positive(self.tol, "tol")
        check_scale(self.scale)
        classes, codes = classes_and_codes(y, type(self).__name__)
        weights = empty_weights(len(classes), X.shape[1])
        penalty = float(self.lam) / (len(y) if self.scale == "sum" else 1)
        settings = CoTrainingSettings(penalty, penalty, False, float(self.tol), MAX_STEPS)
        unfinished = fit(L1Table.with_intercept(X), np.arange(len(y)), codes, penalty, settings, weights)
        warn_unfinished(unfinished, MAX_STEPS, self)
        return self._take_over(classes, weights)

    def predict_proba(self, X: Any) -> Array:
        """Probabilities of the classes, of shape (n, K): σ(s), divided by their sum."""
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, **FORMS)
        weights = np.column_stack([self.coef_, self.intercept_])
        return posteriors(L1Table.with_intercept(X), weights, np.arange(X.shape[0]))

    def _take_over(self, classes: Array, weights: Array) -> "L1LogisticRegression":
        self.classes_ = classes
        self.n_features_in_ = weights.shape[1] - 1
        self.coef_ = weights[:, :-1]
        self.intercept_ = weights[:, -1]
        return self


def empty_weights(n_classes: int, n_features: int) -> Array:
    """Zeros: one row for two classes, else one for each; the last column is the intercept."""
    return np.zeros((1 if n_classes == 2 else n_classes, n_features + 1))


def check_scale(scale: Any) -> None:
    """The penalty is added to the mean of the losses or to their sum."""
    if scale not in ("mean", "sum"):
        raise BadInput(f"scale must be 'mean' or 'sum', got {scale!r}")


def warn_unfinished(unfinished: int, max_steps: int, learner: Any) -> None:
    """Warn that some problems did not converge."""
    if unfinished:
        warn_user(
            f"{type(learner).__name__} did not converge in {max_steps} steps in {unfinished} of its fits: "
            f"raise tol or the penalty",
            ConvergenceWarning,
        )
