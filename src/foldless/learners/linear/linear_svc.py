"""Linear support vector classification that answers a whole path of C at once.

Minimizes ½‖w‖² + Σ C_i max(0, 1 − y s)², or the hinge without the square, for every class against the rest.
"""

from dataclasses import dataclass

from foldless.errors import BadInput
from foldless.learners.linear._path_classifier import PathClassifier
from foldless.saving._names import saved


@saved("foldless.learners")
@dataclass(eq=False, repr=False, kw_only=True)
class LinearSVC(PathClassifier):
    """Linear support vector classification, one-vs-rest, L2-regularized.

    In a search, all values of ``C`` are solved along one path, each from the solution before.

    Parameters
    ----------
    C : float, default=1.0
        Weight of the loss against ½‖w‖².
    loss : {"squared_hinge", "hinge"}, default="squared_hinge"
        max(0, 1 − y s)², or the same without the square.
    tol : float, default=1e-3
        Largest violation of the optimality conditions, in units of the margin; rounding errors of single precision do
        not count. With few features, the square root of the relative distance to the optimum.
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
    LogisticRegression : The same with the logistic loss and probabilities.
    KernelSVC : Support vector classification with a kernel.

    References
    ----------
    Fan et al. (2008). LIBLINEAR: a library for large linear classification. JMLR 9.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from foldless.learners import LinearSVC
    >>> X, y = load_iris(return_X_y=True)
    >>> LinearSVC().fit(X, y).score(X, y) > 0.9
    True
    """

    loss: str = "squared_hinge"

    def _loss(self) -> str:
        if self.loss not in ("squared_hinge", "hinge"):
            raise BadInput(f"loss must be 'squared_hinge' or 'hinge', got {self.loss!r}")
        return self.loss
