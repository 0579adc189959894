"""A metric of one class against all others, whatever the classes are called: F1, precision, recall, AUC of that class.

scikit-learn's ``"f1"`` takes 1 for the positive class, and refuses classes that are words. Here the class is named, and
the metric is that of "is it this class?": y = positive against the predicted label, or against the probability or score
of that class. With more than two classes it is one against the rest.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.metaestimators import available_if

from foldless.core._plain import plain_value
from foldless.core.rows import Array
from foldless.errors import BadInput, CannotAnswer, NamePositive, some
from foldless.judging._judge import AnswerScorer, Scoring, scorer_of

OF_ONE_CLASS = ("f1", "precision", "recall", "jaccard", "average_precision", "roc_auc")
"""Names of scikit-learn's metrics that are of one class; of two classes the last has the same value for both."""

CANNOT = "scoring {!r} cannot score these answers"


@dataclass(frozen=True)
class Metric(AnswerScorer):
    """A metric of one class against all others, as a scorer for ``scoring=``.

    Parameters
    ----------
    name : str
        A scikit-learn metric of a positive class, such as "f1", "precision", "recall", "average_precision" or
        "roc_auc".
    positive : the class

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from foldless import FoldlessSearch, Metric
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> names = y.map({0: "setosa", 1: "versicolor", 2: "virginica"})
    >>> search = FoldlessSearch(GaussianNB(), scoring=Metric("f1", positive="virginica"), random_state=0)
    >>> search.fit(X, names).best_score_ > 0.8
    True
    """

    name: str
    positive: Any

    def __post_init__(self) -> None:
        if self.name not in OF_ONE_CLASS:
            raise BadInput(f"a Metric is of one class, one of {', '.join(OF_ONE_CLASS)}, got {self.name!r}")

    def __call__(self, model: Any, X: Any, y: Any, **params: Any) -> float:
        """The score of a fitted model on some rows; higher is better."""
        actual = np.asarray(np.asarray(y) == self.positive, dtype=int)
        return float(scorer_of(self.name)(_OneClass(model, self.positive), X, actual, **params))

    def check(self, classes: Iterable[Any]) -> None:
        """Refuse a class that is not there."""
        known = [plain_value(label) for label in classes]
        if plain_value(self.positive) not in known:
            raise BadInput(
                f"there is no class {plain_value(self.positive)!r} to score: the classes are {some(known)}",
                value=self.positive,
            )

    def __str__(self) -> str:
        return f"{self.name} of {plain_value(self.positive)!r}"


def why_not(scoring: Scoring, classes: Iterable[Any]) -> CannotAnswer | None:
    """Why the name of a metric says nothing of these classes: it does not say which of them it is of. None if it does.

    Of several classes scikit-learn has ``average_precision`` of each, and takes 1 for the positive of two.
    """
    known = [plain_value(label) for label in classes]
    if not isinstance(scoring, str) or scoring not in OF_ONE_CLASS or len(known) < 2:
        return None
    remedy = NamePositive(scoring, tuple(known))
    if len(known) > 2 and scoring != "average_precision":
        of_all = "roc_auc_ovr" if scoring == "roc_auc" else f"{scoring}_macro"
        problem = f"{CANNOT.format(scoring)}: it is of one class, and there are {len(known)}"
        return CannotAnswer(problem, value=scoring, remedy=(f"choose {of_all}, of all classes", remedy))
    if len(known) == 2 and scoring != "roc_auc" and 1 not in known:
        problem = (
            f"{CANNOT.format(scoring)}: it is of a positive class, and the classes are {known[0]!r} and {known[1]!r}"
        )
        return CannotAnswer(problem, value=scoring, remedy=remedy)
    return None


def _has(method: str) -> Any:
    return available_if(lambda view: hasattr(view.model, method))


class _OneClass(ClassifierMixin, BaseEstimator):
    """A fitted classifier, asked whether rows are of one class: 1 for yes, 0 for no."""

    def __init__(self, model: Any, positive: Any):
        self.model = model
        self.positive = positive
        self.classes_ = np.arange(2)

    def predict(self, X: Any) -> Array:
        return np.asarray(np.asarray(self.model.predict(X)) == self.positive, dtype=int)

    @_has("predict_proba")
    def predict_proba(self, X: Any) -> Array:
        shares = np.asarray(self.model.predict_proba(X))[:, self._columns()].sum(axis=1)
        return np.column_stack([1 - shares, shares])

    @_has("decision_function")
    def decision_function(self, X: Any) -> Array:
        scores = np.asarray(self.model.decision_function(X))
        if scores.ndim == 1:
            return scores if self.model.classes_[-1] == self.positive else -scores
        return np.asarray(scores[:, self._columns()].max(axis=1, initial=-np.inf))

    def _columns(self) -> Array:
        return np.flatnonzero(np.asarray(self.model.classes_) == self.positive)
