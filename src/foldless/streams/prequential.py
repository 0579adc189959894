"""How good a learner is while it learns: each batch is predicted before it is learned from.

Every row is a test row once, at the time when nothing was known of it (progressive validation). Counts of true against
predicted classes are all that is kept: over the whole stream, and with older batches fading.

References
----------
Blum, Kalai and Langford (1999). Beating the hold-out: bounds for k-fold and progressive cross-validation. COLT.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from foldless.core import Array

FADES = 0.9


@dataclass(eq=False)
class Counts:
    """Rows by true (first) and predicted (second) class."""

    table: Array

    @classmethod
    def of(cls, codes: Array, predicted: Array, n_classes: int) -> "Counts":
        flat = np.bincount(codes * n_classes + predicted, minlength=n_classes**2)
        return cls(flat.reshape(n_classes, n_classes))

    @property
    def n(self) -> float:
        return float(self.table.sum())

    def shares(self) -> tuple[Array, Array]:
        """True and predicted class shares, each count with +1/2 so that none is zero."""
        k = len(self.table)
        rows, columns = self.table.sum(axis=1), self.table.sum(axis=0)
        return (rows + 0.5) / (self.n + k / 2), (columns + 0.5) / (self.n + k / 2)

    def told(self) -> dict[str, Any]:
        """KLD of the class shares (lower is better), accuracy, and the mean of the classes' recalls."""
        if not self.n:
            return {"rows": 0, "kld": None, "accuracy": None, "balanced_accuracy": None}
        true, predicted = self.shares()
        sizes = self.table.sum(axis=1)
        recalls = np.diag(self.table)[sizes > 0] / sizes[sizes > 0]
        return {
            "rows": round(self.n),
            "kld": float(np.sum(true * np.log(true / predicted))),
            "accuracy": float(np.trace(self.table) / self.n),
            "balanced_accuracy": float(recalls.mean()),
        }


class Running:
    """Counts of a stream: all of them, and the recent ones."""

    def __init__(self, n_classes: int, whole: Array | None = None, recent: Array | None = None):
        empty = np.zeros((n_classes, n_classes))
        self.whole = Counts(empty.astype(np.int64) if whole is None else whole)
        self.recent = Counts(empty if recent is None else recent)

    def add(self, codes: Array, predicted: Array) -> None:
        """The predictions for a batch, made before it was learned from."""
        new = Counts.of(codes, predicted, len(self.whole.table)).table
        self.whole = Counts(self.whole.table + new)
        self.recent = Counts(FADES * self.recent.table + new)
