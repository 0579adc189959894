"""Prequential evaluation: each batch is predicted before it is learned from.

Every row is a test row once, at a time when the learner had not seen it. A confusion matrix is all that is kept: one of
the whole stream, and one in which older batches fade.

References
----------
Blum, Kalai and Langford (1999). Beating the hold-out: bounds for k-fold and progressive cross-validation. COLT.
Gama, Sebastião and Rodrigues (2013). On evaluating stream learning algorithms. Machine Learning 90.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from foldless.core import Array
from foldless.measures import resolve

FADING = 0.9  # what a batch counts after the next


@dataclass(frozen=True, eq=False)
class ConfusionMatrix:
    """Rows by true (first) and predicted (second) class."""

    table: Array

    @classmethod
    def of(cls, codes: Array, predicted: Array, n_classes: int) -> "ConfusionMatrix":
        """From the codes of true and predicted classes."""
        flat = np.bincount(codes * n_classes + predicted, minlength=n_classes**2)
        return cls(flat.reshape(n_classes, n_classes))

    @property
    def n_rows(self) -> float:
        return float(self.table.sum())

    def shares(self) -> tuple[Array, Array]:
        """True and predicted class shares, each count with +1/2 so that none is zero."""
        k = len(self.table)
        rows, columns = self.table.sum(axis=1), self.table.sum(axis=0)
        return (rows + 0.5) / (self.n_rows + k / 2), (columns + 0.5) / (self.n_rows + k / 2)

    def scores(self) -> dict[str, Any]:
        """KLD of the class shares (lower is better), accuracy, and balanced accuracy; None where there are no rows."""
        if not self.n_rows:
            return {"rows": 0, "kld": None, "accuracy": None, "balanced_accuracy": None}
        true, predicted = self.shares()
        sizes = self.table.sum(axis=1)
        recalls = np.diag(self.table)[sizes > 0] / sizes[sizes > 0]
        return {
            "rows": round(self.n_rows),
            "kld": float(np.sum(true * np.log(true / predicted))),
            "accuracy": float(np.trace(self.table) / self.n_rows),
            "balanced_accuracy": float(recalls.mean()),
        }

    def value(self, measure: Any) -> float | None:
        """A measure's value, larger is better; of more than two classes the mean of each class against the rest."""
        if not self.n_rows:
            return None
        table = np.asarray(self.table, dtype=float)
        sizes, predicted, right = table.sum(axis=1), table.sum(axis=0), np.diag(table)
        values = []
        for k in [1] if len(table) == 2 else range(len(table)):
            rest = self.n_rows - sizes[k]
            P = right[k] / sizes[k] if sizes[k] else 1.0
            N = 1 - (predicted[k] - right[k]) / rest if rest else 1.0
            values.append(float(resolve(measure).value(P, N, sizes[k] / self.n_rows, self.n_rows)))
        return float(np.mean(values))


class PrequentialEvaluation:
    """Confusion matrices of a stream: ``whole`` of all predictions, ``recent`` with older batches fading."""

    def __init__(self, n_classes: int, whole: Array | None = None, recent: Array | None = None):
        empty = np.zeros((n_classes, n_classes))
        self.whole = ConfusionMatrix(empty.astype(np.int64) if whole is None else whole)
        self.recent = ConfusionMatrix(empty if recent is None else recent)

    def add(self, codes: Array, predicted: Array) -> None:
        """The predictions for a batch, made before it is learned from."""
        new = ConfusionMatrix.of(codes, predicted, len(self.whole.table)).table
        self.whole = ConfusionMatrix(self.whole.table + new)
        self.recent = ConfusionMatrix(FADING * self.recent.table + new)
