"""A classifier whose labels are decided by costs or by a threshold, from the probabilities of another.

Costs: ŷ = argmin_j Σ_i p_i c_ij. A threshold: the positive class where its probability is at least t, no label below.
"""

from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

from foldless.accuracy._temperature import probabilities
from foldless.core import Array
from foldless.errors import BadInput
from foldless.learners._inputs import note_features
from foldless.saving._names import saved


@saved("foldless.learners")
@dataclass(eq=False, repr=False)
class DecidedClassifier(MetaEstimatorMixin, ClassifierMixin, BaseEstimator):
    """Decide by probabilities of a model: the label of least expected cost, or one class where it is probable enough.

    Parameters
    ----------
    estimator : classifier
        One that has probabilities, or scores with a ``temperature``.
    costs : array of shape (n_classes, n_classes), optional
        By true class and predicted class.
    positive : class, optional
        The class that is predicted from ``threshold`` on. Other rows have no label, None.
    threshold : float, optional
        The least probability of ``positive``.
    temperature : float, optional
        The number by which the scores of an estimator without probabilities are divided before their softmax.

    Attributes
    ----------
    estimator_ : the fitted classifier
    classes_ : ndarray of shape (n_classes,)
        The class labels.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.linear_model import LogisticRegression
    >>> from foldless.learners import DecidedClassifier
    >>> X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array(["no", "no", "yes", "yes"], dtype=object)
    >>> careful = DecidedClassifier(LogisticRegression(), costs=np.array([[0, 1], [9, 0]])).fit(X, y)
    >>> careful.predict([[-2.0], [1.0]]).tolist()
    ['no', 'yes']
    >>> sure = DecidedClassifier(LogisticRegression(), positive="yes", threshold=0.7).fit(X, y)
    >>> sure.predict([[1.5], [3.0]]).tolist()
    [None, 'yes']
    """

    estimator: Any
    _: KW_ONLY
    costs: Any = None
    positive: Any = None
    threshold: float | None = None
    temperature: float | None = None

    def __sklearn_tags__(self) -> Any:
        tags, inner = super().__sklearn_tags__(), get_tags(self.estimator).input_tags
        tags.input_tags.sparse, tags.input_tags.allow_nan = inner.sparse, inner.allow_nan
        return tags

    def fit(self, X: Any, y: Any) -> "DecidedClassifier":
        """Train the classifier."""
        return self.around(clone(self.estimator).fit(X, y))

    def around(self, fitted: Any) -> "DecidedClassifier":
        """Decide for a classifier that is fitted already."""
        self.estimator_, self.classes_ = fitted, np.asarray(fitted.classes_)
        note_features(self, [fitted])
        return self

    def predict(self, X: Any) -> Array:
        """The labels that are decided on; None where the probability of the positive class is below the threshold."""
        return self.decide(self.predict_proba(X))

    def predict_proba(self, X: Any) -> Array:
        """The probabilities of the classifier."""
        check_is_fitted(self)
        if hasattr(self.estimator_, "predict_proba"):
            return np.asarray(self.estimator_.predict_proba(X))
        if self.temperature is None:
            raise BadInput("decisions need probabilities, which the estimator does not have: choose another")
        return probabilities(np.asarray(self.estimator_.decision_function(X)), self.temperature)

    def decide(self, shares: Array) -> Array:
        """Labels from probabilities (n, K)."""
        if self.costs is not None:
            return np.asarray(self.classes_[(shares @ np.asarray(self.costs, dtype=float)).argmin(axis=1)])
        at = np.flatnonzero(self.classes_ == self.positive)
        if self.threshold is None or not len(at):
            return np.asarray(self.classes_[shares.argmax(axis=1)])
        labels = np.full(len(shares), None, dtype=object)
        labels[shares[:, at[0]] >= self.threshold] = self.classes_[at[0]]
        return labels

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "estimator_")
