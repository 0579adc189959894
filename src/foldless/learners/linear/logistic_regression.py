"""Logistic regression that answers a whole path of C at once.

Minimizes ½‖w‖² + Σ C_i log(1 + exp(−y s)) for every class against the rest.
"""

from typing import Any

from foldless.core import Array
from foldless.learners.linear._path_classifier import PathClassifier, log_probabilities, probabilities
from foldless.saving._names import saved


@saved("foldless.learners")
class LogisticRegression(PathClassifier):
    """Logistic regression, one-vs-rest, L2-regularized.

    In a search, all values of ``C`` are solved along one path, each from the solution before. The probabilities of more
    than two classes are divided by their sum.

    Parameters
    ----------
    C : float, default=1.0
        Weight of the loss against ½‖w‖².
    tol : float, default=1e-3
        Largest violation of the optimality conditions, in units of probability, and of a sixteenth of the margin. With
        few features, the square root of the relative distance to the optimum.
    max_iter : int, default=1000
        Maximum number of passes over the rows, or of Newton steps.
    fit_intercept : bool, default=True
        Whether to fit an intercept. It is the weight of a constant feature, and regularized with the others.
    intercept_scaling : float, default=1.0
        Value of the constant feature: the larger it is, the less the intercept is regularized.
    class_weight : dict, "balanced" or None, default=None
        Multiplies C for rows of a class.
    random_state : int, RandomState instance or None, default=None
        Seed of the order in which rows are visited.

    Attributes
    ----------
    classes_, n_features_in_, feature_names_in_
        The class labels, the number of features, and their names if X has names that are strings.
    coef_ : ndarray or sparse matrix of shape (1, n_features) or (n_classes, n_features)
        Weights of the features; a matrix of more than 128 MB is sparse if that is smaller.
    intercept_ : ndarray of shape (1,) or (n_classes,)
        Intercepts.
    n_iter_ : int
        Number of passes, or of Newton steps, of the class that took the most.

    See Also
    --------
    LinearSVC : The same with the hinge or its square.
    L1LogisticRegression : Logistic regression with an L1 penalty, for few labels.

    References
    ----------
    Yu, Huang & Lin (2011). Dual coordinate descent methods for logistic regression and maximum entropy models. Machine
    Learning 85.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from foldless.learners import LogisticRegression
    >>> X, y = load_iris(return_X_y=True)
    >>> LogisticRegression().fit(X, y).predict_proba(X[:1]).round(1)
    array([[0.9, 0.1, 0. ]])
    """

    def predict_proba(self, X: Any) -> Array:
        """Probabilities of the classes, of shape (n, K)."""
        return probabilities(self.decision_function(X))

    def predict_log_proba(self, X: Any) -> Array:
        """Logarithms of the probabilities."""
        return log_probabilities(self.decision_function(X))

    def _loss(self) -> str:
        return "logistic"
