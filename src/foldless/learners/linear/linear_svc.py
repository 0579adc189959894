"""Linear support vector classification that answers a whole path of C at once.

Minimizes ½‖w‖² + Σ C_i max(0, 1 − y s)², or the hinge without the square, for every class against the rest.

References
----------
Fan et al. (2008). LIBLINEAR: a library for large linear classification. JMLR 9.
"""

from typing import Any

from foldless.errors import BadInput
from foldless.learners.linear._path_classifier import PathClassifier


class LinearSVC(PathClassifier):
    """Linear support vector classification, one-vs-rest, L2-regularized.

    Parameters
    ----------
    C : float
        Weight of the loss against ½‖w‖².
    loss : "squared_hinge" or "hinge"
    tol : float
        Largest violation of the optimality conditions, in units of the margin; what rounding in single precision adds
        does not count. With few features, the root of the relative distance to the optimum.
    max_iter : int
        Passes over the rows, or Newton steps.
    fit_intercept, intercept_scaling
        Whether there is a constant feature, and its value.
    class_weight : dict, "balanced" or None
        Multiplies C for rows of a class.
    random_state : int, RandomState or None
        The order of the rows.

    Attributes
    ----------
    classes_, coef_, intercept_, n_iter_, n_features_in_, feature_names_in_
        As in scikit-learn; a ``coef_`` of more than 128 MB is a sparse matrix where that is smaller.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from foldless.learners import LinearSVC
    >>> X, y = load_iris(return_X_y=True)
    >>> LinearSVC().fit(X, y).score(X, y) > 0.9
    True
    """

    def __init__(
        self,
        *,
        C: float = 1.0,
        loss: str = "squared_hinge",
        tol: float = 1e-3,
        max_iter: int = 1000,
        fit_intercept: bool = True,
        intercept_scaling: float = 1.0,
        class_weight: Any = None,
        random_state: Any = None,
    ):
        self.C = C
        self.loss = loss
        self.tol = tol
        self.max_iter = max_iter
        self.fit_intercept = fit_intercept
        self.intercept_scaling = intercept_scaling
        self.class_weight = class_weight
        self.random_state = random_state

    def _loss(self) -> str:
        if self.loss not in ("squared_hinge", "hinge"):
            raise BadInput(f"loss must be 'squared_hinge' or 'hinge', got {self.loss!r}")
        return self.loss
