"""Logistic regression that answers a whole path of C at once.

Minimizes ½‖w‖² + Σ C_i log(1 + exp(−y s)) for every class against the rest.

References
----------
Yu, Huang & Lin (2011). Dual coordinate descent methods for logistic regression and maximum entropy models. Machine
Learning 85.
"""

from typing import Any

from foldless.core import Array
from foldless.learners.linear._path_classifier import PathClassifier, log_probabilities, probabilities


class LogisticRegression(PathClassifier):
    """Logistic regression, one-vs-rest, L2-regularized.

    Parameters and attributes are those of `LinearSVC`, without ``loss``; ``tol`` is in units of probability, and of a
    sixteenth of the margin. Probabilities of the classes are divided by their sum.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from foldless.learners import LogisticRegression
    >>> X, y = load_iris(return_X_y=True)
    >>> LogisticRegression().fit(X, y).predict_proba(X[:1]).round(1)
    array([[0.9, 0.1, 0. ]])
    """

    def __init__(
        self,
        *,
        C: float = 1.0,
        tol: float = 1e-3,
        max_iter: int = 1000,
        fit_intercept: bool = True,
        intercept_scaling: float = 1.0,
        class_weight: Any = None,
        random_state: Any = None,
    ):
        self.C = C
        self.tol = tol
        self.max_iter = max_iter
        self.fit_intercept = fit_intercept
        self.intercept_scaling = intercept_scaling
        self.class_weight = class_weight
        self.random_state = random_state

    def predict_proba(self, X: Any) -> Array:
        """Probabilities of the classes, of shape (n, K)."""
        return probabilities(self.decision_function(X))

    def predict_log_proba(self, X: Any) -> Array:
        """Logarithms of the probabilities."""
        return log_probabilities(self.decision_function(X))

    def _loss(self) -> str:
        return "logistic"
