"""Quantifiers of other packages in ours, and ours in QuaPy.

`Foreign` makes a `Quantifier` of one that QuaPy, qunfold or mlquantify has: it is built around a classifier that hands
answers through, so it learns from the same answers as ours and counts the same bags. `quapy_quantifier` is the way
back: an aggregative quantifier of QuaPy, for its evaluation, protocols and grid search.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

from foldless.core import Array
from foldless.errors import BadInput
from foldless.quantifiers import Bags, Held, Learned, Quantifier, resolve
from foldless.quantifiers.quantifier import probabilities_of, summing_to_one


class HandedThrough(ClassifierMixin, BaseEstimator):
    """A classifier whose features are the probabilities that it predicts; qunfold reads them as out-of-bag ones."""

    oob_score = True

    def __init__(self, n_classes: int = 2):
        self.n_classes = n_classes

    def fit(self, X: Any, y: Any) -> "HandedThrough":  # noqa: ARG002 (scikit-learn's)
        """Nothing is learned."""
        self.classes_ = np.arange(self.n_classes)
        self.oob_decision_function_ = np.asarray(X)
        return self

    def predict_proba(self, X: Any) -> Array:
        return np.asarray(X)

    def decision_function(self, X: Any) -> Array:
        """The probability of the second class, or of each class."""
        return np.asarray(X)[:, 1] if self.n_classes == 2 else np.asarray(X)

    def predict(self, X: Any) -> Array:
        return np.asarray(np.asarray(X).argmax(axis=1))


@dataclass(frozen=True)
class Foreign(Quantifier):
    """A quantifier of QuaPy, qunfold or mlquantify as one of ours.

    Parameters
    ----------
    make : callable
        Returns the quantifier around a classifier, which it may fit and ask as it likes: such as
        ``lambda classifier: quapy.method.aggregative.ACC(classifier)``.
    called : str
        The name of the method in results.

    Examples
    --------
    >>> from foldless.integrations.quapy import Foreign
    >>> class Mean:  # as those packages have it: fit, and shares from predict
    ...     def __init__(self, classifier):
    ...         self.classifier = classifier
    ...     def fit(self, X, y):
    ...         self.classifier.fit(X, y)
    ...     def predict(self, X):
    ...         return self.classifier.predict_proba(X).mean(axis=0)
    >>> held = Held(np.eye(2), np.array([0, 1]), n_classes=2)
    >>> Foreign(Mean).learn(held).aggregate(np.array([[0.8, 0.2], [0.4, 0.6]])).round(2)
    array([0.6, 0.4])
    """

    make: Callable[[Any], Any]
    called: str = "foreign"

    assumes: ClassVar[tuple[str, ...]] = ("what the quantifier of the other package assumes",)

    @property
    def name(self) -> str:
        return self.called

    def learn(self, held: Held) -> "LearnedElsewhere":
        times = 1 if held.weights is None else held.weights.astype(int)
        rows = np.repeat(np.arange(len(held.y)), times)
        quantifier = self.make(HandedThrough(held.n_classes))
        answers = probabilities_of(held.answers, held.n_classes)
        quantifier.fit(answers[rows], held.y[rows])
        return LearnedElsewhere(quantifier, held.n_classes)


@dataclass(frozen=True, eq=False)
class LearnedElsewhere(Learned):
    """A fitted quantifier of another package, asked bag by bag."""

    quantifier: Any
    n_classes: int

    def aggregate_many(self, answers: Array, bags: Any) -> Array:
        probabilities = probabilities_of(answers, self.n_classes)
        every = Bags.of(bags, len(probabilities))
        shares = [self._shares(self.quantifier.predict(probabilities[rows])) for rows in every.parts()]
        return summing_to_one(np.maximum(shares, 0)) if shares else np.empty((0, self.n_classes))

    def _shares(self, predicted: Any) -> Array:
        """An array of shares, from an array or from a mapping of classes to shares."""
        if isinstance(predicted, Mapping):
            shares = np.array([float(predicted.get(k, predicted.get(str(k), 0.0))) for k in range(self.n_classes)])
        else:
            shares = np.asarray(predicted, dtype=float).ravel()
        if shares.shape != (self.n_classes,) or not np.isfinite(shares).all():
            raise BadInput(f"the quantifier returned {predicted!r}, and there are {self.n_classes} classes")
        return shares


def quapy_quantifier(classifier: Any = None, method: str | Quantifier = "em", **options: Any) -> Any:
    """One of our quantifiers as an aggregative quantifier of QuaPy.

    Parameters
    ----------
    classifier : a scikit-learn classifier with probabilities, or a learner of `foldless.online`
    method : the name of a quantifier, or a Quantifier; a parameter that QuaPy's grid search can vary
    options : ``fit_classifier`` and ``val_split``, as QuaPy has them
    """
    return quapy_class()(classifier, method=method, **options)


@cache
def quapy_class() -> Any:
    """The class behind `quapy_quantifier`; QuaPy is imported here."""
    from quapy.method.aggregative import AggregativeSoftQuantifier

    class FoldlessQuantifier(AggregativeSoftQuantifier):
        """A quantifier of foldless with a classifier, as QuaPy has them."""

        def __init__(
            self,
            classifier: Any = None,
            fit_classifier: bool = True,
            val_split: Any = 5,
            method: str | Quantifier = "em",
        ):
            super().__init__(classifier, fit_classifier, val_split)
            self.method = method

        def aggregation_fit(self, classif_predictions: Array, labels: Array) -> None:
            classes = np.asarray(self.classes_)
            held = Held(np.asarray(classif_predictions), np.searchsorted(classes, labels), len(classes))
            self.learned_ = resolve(self.method).learn(held)

        def aggregate(self, classif_predictions: Array) -> Array:
            shares: Array = self.learned_.aggregate(np.asarray(classif_predictions))
            return shares

    return FoldlessQuantifier
