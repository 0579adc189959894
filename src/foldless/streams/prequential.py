"""Prequential evaluation: each batch is predicted before it is learned from.

Every row is a test row once, at a time when the learner had not seen it. A confusion matrix is all that is kept: one of
the whole stream, and one in which older batches fade. Of K classes it has K² cells, and of many classes hardly any of
them holds a row: then only those that do are kept.

References
----------
Blum, Kalai and Langford (1999). Beating the hold-out: bounds for k-fold and progressive cross-validation. COLT.
Gama, Sebastião and Rodrigues (2013). On evaluating stream learning algorithms. Machine Learning 90.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from foldless.core import Array
from foldless.measures import resolve
from foldless.saving._plain_shapes import NUMBER, misfit

FADING = 0.9  # what a batch counts after the next
FEW_CLASSES = 100  # up to here a confusion matrix is an array
MOST_ROWS = 2**53
CELLS = {"true": [int], "predicted": [int], "rows": [NUMBER]}


@dataclass(frozen=True, eq=False)
class ConfusionMatrix:
    """Rows by true (first) and predicted (second) class: an array, or a sparse one of more than 100 classes."""

    table: Any

    @classmethod
    def of(cls, codes: Array, predicted: Array, n_classes: int) -> "ConfusionMatrix":
        """From the codes of true and predicted classes."""
        if n_classes > FEW_CLASSES:
            return cls.of_cells(codes, predicted, np.ones(len(codes), dtype=np.int64), n_classes)
        flat = np.bincount(codes * n_classes + predicted, minlength=n_classes**2)
        return cls(flat.reshape(n_classes, n_classes))

    @classmethod
    def of_cells(cls, codes: Array, predicted: Array, rows: Array, n_classes: int) -> "ConfusionMatrix":
        """From numbers of rows with their true and predicted classes, kept as a sparse array."""
        return cls(sparse.coo_array((rows, (codes, predicted)), (n_classes, n_classes)).tocsr())

    @classmethod
    def empty(cls, n_classes: int, dtype: Any = np.int64) -> "ConfusionMatrix":
        """Without a row."""
        shape = n_classes, n_classes
        return cls(np.zeros(shape, dtype) if n_classes <= FEW_CLASSES else sparse.csr_array(shape, dtype=dtype))

    @classmethod
    def from_plain(cls, plain: Any, n_classes: int) -> "ConfusionMatrix":
        """From what `plain` wrote; a `ValueError` or `OverflowError` where it is not of so many classes."""
        if isinstance(plain, dict) and misfit(plain, CELLS) is None:
            codes, predicted = (np.array(plain[name], dtype=np.int64) for name in ("true", "predicted"))
            rows = np.array(plain["rows"])
            fits = len(codes) == len(predicted) == len(rows) and _are_counts(rows)
            if fits and not len(rows):
                return cls.empty(n_classes)
            if fits and min(codes.min(), predicted.min()) >= 0 and max(codes.max(), predicted.max()) < n_classes:
                return cls.of_cells(codes, predicted, rows, n_classes)
        if misfit(plain, [[NUMBER]]) is None and [*map(len, plain)] == [n_classes] * n_classes:
            table = np.array(plain)
            if _are_counts(table):
                return cls(table if n_classes <= FEW_CLASSES else sparse.csr_array(table))
        raise ValueError("its counts do not agree")

    def plain(self) -> Any:
        """As JSON writes it: a list of lists, or of many classes the cells that hold rows."""
        if not sparse.issparse(self.table):
            return self.table.tolist()
        cells = self.table.tocoo()
        return {"true": cells.row.tolist(), "predicted": cells.col.tolist(), "rows": cells.data.tolist()}

    @property
    def n_classes(self) -> int:
        return int(self.table.shape[0])

    @property
    def n_rows(self) -> float:
        return float(self.table.sum())

    def shares(self) -> tuple[Array, Array]:
        """True and predicted class shares, each count with +1/2 so that none is zero."""
        k, n = self.n_classes, self.n_rows
        rows, columns = self.table.sum(axis=1), self.table.sum(axis=0)
        return (rows + 0.5) / (n + k / 2), (columns + 0.5) / (n + k / 2)

    def scores(self) -> dict[str, Any]:
        """KLD of the class shares (lower is better), accuracy, and balanced accuracy; None where there are no rows."""
        n = self.n_rows
        if not n:
            return {"rows": 0, "kld": None, "accuracy": None, "balanced_accuracy": None}
        true, predicted = self.shares()
        sizes, right = self.table.sum(axis=1), self.table.diagonal()
        return {
            "rows": round(n),
            "kld": float(np.sum(true * np.log(true / predicted))),
            "accuracy": float(right.sum() / n),
            "balanced_accuracy": float((right[sizes > 0] / sizes[sizes > 0]).mean()),
        }

    def value(self, measure: Any) -> float | None:
        """A measure's value, larger is better; of more than two classes the mean of each class against the rest."""
        n = self.n_rows
        if not n:
            return None
        measure, table = resolve(measure), self.table.astype(float)
        sizes, predicted, right = table.sum(axis=1), table.sum(axis=0), table.diagonal()
        values = []
        for k in [1] if self.n_classes == 2 else range(self.n_classes):
            rest = n - sizes[k]
            P = right[k] / sizes[k] if sizes[k] else 1.0
            N = 1 - (predicted[k] - right[k]) / rest if rest else 1.0
            values.append(float(measure.value(P, N, sizes[k] / n, n)))
        return float(np.mean(values))


def _are_counts(rows: Array) -> bool:
    return rows.dtype.kind in "iuf" and bool((rows >= 0).all()) and float(rows.sum(dtype=float)) <= MOST_ROWS


class PrequentialEvaluation:
    """Confusion matrices of a stream: ``whole`` of all predictions, ``recent`` with older batches fading."""

    def __init__(self, n_classes: int, whole: ConfusionMatrix | None = None, recent: ConfusionMatrix | None = None):
        self.whole = ConfusionMatrix.empty(n_classes) if whole is None else whole
        self.recent = ConfusionMatrix.empty(n_classes, np.float64) if recent is None else recent

    def add(self, codes: Array, predicted: Array) -> None:
        """The predictions for a batch, made before it is learned from."""
        new = ConfusionMatrix.of(codes, predicted, self.whole.n_classes).table
        self.whole = ConfusionMatrix(self.whole.table + new)
        self.recent = ConfusionMatrix(FADING * self.recent.table + new)
