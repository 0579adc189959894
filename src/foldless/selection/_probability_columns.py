"""Columns beside predicted labels: how probable the label is, how far members agree on it, and every class.

A model that has scores and no probabilities, such as a linear SVM, has them from a temperature: the softmax of its
scores, divided by it. Of an average, the agreement is the weight of the members that predict the label by themselves.
"""

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from foldless.accuracy._temperature import probabilities as calibrated
from foldless.core import Array
from foldless.data._features import n_rows, take
from foldless.errors import BadInput
from foldless.selection.predict_labels import predict_labels

Wanted = bool | Literal["auto"]
"""Whether probabilities are wanted: of all classes, none, or by default of each class where there are not too many."""
MAX_CLASSES = 20  # classes with a column each, unless all are asked for
BLOCK = 10_000_000  # numbers of a table of rows and classes that is in memory at once
LABELS = str | int | float | np.generic | None  # what a class may be


@dataclass(frozen=True, eq=False)
class LabelAnswers:
    """What a model says of rows: labels, and where they are wanted the probability of each and of the classes."""

    labels: Array
    probability: Array | None = None
    agreement: Array | None = None
    classes: dict[str, Array] = field(default_factory=dict)

    def beside(self, column: str) -> dict[str, Array]:
        """The columns behind that of the labels."""
        first = {probability_of(column): self.probability, agreement_of(column): self.agreement}
        return {**{name: values for name, values in first.items() if values is not None}, **self.classes}


def probability_of(column: str) -> str:
    """The column of the probability of the predicted label."""
    return f"{column}_probability"


def agreement_of(column: str) -> str:
    """The column of the weight of the members that predict the label too."""
    return f"{column}_agreement"


class Answering:
    """A model with the probabilities that are wanted of it.

    Parameters
    ----------
    model : a fitted classifier or regressor
    temperature : what divides the scores of a classifier without probabilities, where it is known
    wanted : whether probabilities are wanted, of all classes (True), of each up to 20 ("auto"), or not at all
    """

    def __init__(self, model: Any, temperature: float | None, wanted: Wanted):
        self._model, self._temperature = model, temperature
        self.classes = [] if not wanted else list(getattr(model, "classes_", ()))
        self.known = bool(self.classes) and (
            hasattr(model, "predict_proba") or (temperature is not None and hasattr(model, "decision_function"))
        )
        self.by_class = self.known and (wanted is True or len(self.classes) <= MAX_CLASSES)
        self.votes = self.known and hasattr(model, "vote_on")

    def columns(self, column: str) -> list[str]:
        """The names of the columns beside the one of the labels."""
        names = [probability_of(column)] * self.known + [agreement_of(column)] * self.votes
        return names + [f"P({label})" for label in self.classes] * self.by_class

    def labels_only(self) -> "Answering":
        return Answering(self._model, None, False)

    def about(self, X: Any) -> LabelAnswers:
        size = max(1, BLOCK // max(1, len(self.classes)))
        if not self.known or self.by_class or n_rows(X) <= size:
            return self._block(X)
        parts = [self._block(take(X, slice(at, at + size))) for at in range(0, n_rows(X), size)]

        def joined(of: Callable[[LabelAnswers], Array | None]) -> Array | None:
            values = [value for part in parts if (value := of(part)) is not None]
            return np.concatenate(values) if values else None

        labels = joined(lambda part: part.labels)
        assert labels is not None
        return LabelAnswers(labels, joined(lambda part: part.probability), joined(lambda part: part.agreement))

    def _block(self, X: Any) -> LabelAnswers:
        if not self.known:
            return LabelAnswers(labels_of(self._model, X))
        agreement = None
        with warnings.catch_warnings(), np.errstate(invalid="ignore"):
            warnings.simplefilter("ignore")  # rows without a label are in the notes
            if self.votes:
                shares, agreement = self._model.vote_on(X)
                labels = np.asarray(self._model.classes_)[shares.argmax(axis=1)]
            else:
                labels, shares = labels_of(self._model, X), self._shares(X)
        each = {f"P({label})": shares[:, at] for at, label in enumerate(self.classes)} if self.by_class else {}
        return LabelAnswers(labels, _of_labels(shares, labels, self.classes), agreement, each)

    def _shares(self, X: Any) -> Array:
        """A column of probabilities for each class."""
        if not hasattr(self._model, "predict_proba"):
            return calibrated(self._model.decision_function(X), self._temperature or 1.0)
        table = np.asarray(self._model.predict_proba(X), dtype=float)
        if table.shape[1:] != (len(self.classes),):
            raise ValueError(f"it has probabilities of shape {table.shape} for {len(self.classes)} classes")
        return table


def free_columns(
    asked: Answering, column: str, wanted: Wanted, check_free: Callable[[Sequence[str]], None], notes: list[str]
) -> Answering:
    """The answers for whose columns a table has room: labels alone, with a note, if nobody asked for more."""
    check_free([column])
    try:
        check_free(asked.columns(column))
    except BadInput as error:
        if wanted is True:
            raise
        notes.append(f"{str(error).rpartition(': ')[0]}: probabilities are left out")
        return asked.labels_only()
    return asked


def labels_of(model: Any, X: Any) -> Array:
    """A label for each row; a forged model may give anything."""
    labels = np.asarray(predict_labels(model, X))
    if labels.ndim != 1 or (labels.dtype == object and not all(isinstance(label, LABELS) for label in labels)):
        raise ValueError("its predictions are not labels")
    return labels


def _of_labels(shares: Array, labels: Array, classes: list[Any]) -> Array:
    """The probability of the label of each row; NaN where it has none."""
    codes = {label: at for at, label in enumerate(classes)}
    at = np.array([codes.get(label, -1) for label in labels.tolist()], dtype=np.intp)
    return np.where(at >= 0, shares[np.arange(len(at)), at], np.nan)
