"""From logits to scores, labels or probabilities, one-vs-rest; classifiers that label by them.

Two classes have one logit, that of the second; with more, σ of each class is divided by the sum.
"""

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np
from scipy.special import expit, log_expit, log_softmax
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from foldless.core import Array, Response
from foldless.learners._inputs import EITHER_PRECISION, dense

BLOCK = 2**22  # scores at a time, where only labels or counts are wanted


def as_response(scores: Array, response: Response) -> Array:
    """Scores of shape (problems, n) as the predict methods return them; labels as class numbers."""
    scores = scores[0] if len(scores) == 1 else scores.T
    if response == "probabilities":
        return probabilities(scores)
    if response == "labels":
        return label_codes(scores)
    return scores


def as_answer(scores: Array, response: Response, classes: Array) -> Array:
    """The same with labels of these classes."""
    answer = as_response(scores, response)
    return classes[answer] if response == "labels" else answer


def label_codes(scores: Array) -> Array:
    """The class numbers with the highest scores, of shape (n, K), or (n,) for two classes."""
    return (scores > 0).astype(int) if scores.ndim == 1 else scores.argmax(axis=1)


def probabilities(scores: Array) -> Array:
    """σ(s), divided by the sum over classes where there are more than two."""
    if scores.ndim == 1:
        both = np.empty((len(scores), 2))
        expit(-scores, out=both[:, 0])
        expit(scores, out=both[:, 1])
        return both
    return np.exp(log_softmax(log_expit(scores), axis=1))


class SparseClassifier(ClassifierMixin, BaseEstimator):
    """A classifier that takes sparse matrices."""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


class ScoredClassifier(SparseClassifier):
    """A classifier whose label is the class with the highest score."""

    def predict(self, X: Any) -> Array:
        """The label with the highest score."""
        scores = self.decision_function(X)  # first, as it says what is not fitted
        return self.classes_[label_codes(scores)]


class LinearClassifier(ScoredClassifier):
    """A linear classifier for each class against the others; subclasses give ``coef_`` and ``intercept_``."""

    forms: ClassVar[dict[str, Any]] = EITHER_PRECISION

    def decision_function(self, X: Any) -> Array:
        """Scores of the classes, of shape (n, K); for two classes those of the second, of shape (n,)."""
        return _flat(_scores(*self._rows_and_weights(X)))

    def predict(self, X: Any) -> Array:
        """The label with the highest score."""
        blocks = in_blocks(*self._rows_and_weights(X))
        return self.classes_[np.concatenate([label_codes(_flat(scores)) for scores in blocks])]

    def _rows_and_weights(self, X: Any) -> tuple[Any, Any, Array]:
        check_is_fitted(self, "classes_")  # a fit that failed has left others
        return validate_data(self, X, reset=False, **self.forms), *self._linear()

    def _linear(self) -> tuple[Any, Array]:
        """Weights and intercepts."""
        return self.coef_, self.intercept_


def in_blocks(X: Any, coef: Any, intercept: Array) -> Iterator[Array]:
    """Scores of some rows at a time, so that those of many classes need no more memory than those of few."""
    step = max(1, BLOCK // coef.shape[0])
    if X.shape[0] <= step:
        yield _scores(X, coef, intercept)
    else:
        yield from (_scores(X[at : at + step], coef, intercept) for at in range(0, X.shape[0], step))


def _scores(X: Any, coef: Any, intercept: Array) -> Array:
    return dense(X @ coef.T) + intercept


def _flat(scores: Array) -> Array:
    """Scores of a single problem, that of the second of two classes, as a vector."""
    return scores.ravel() if scores.shape[1] == 1 else scores
