"""What `evaluate` returns: what a model gets right and wrong on labeled rows that it has not seen, class by class."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from foldless.core import Array
from foldless.core._plain import plain_value
from foldless.results._drawn import DrawnResult
from foldless.results.baseline import Baseline
from foldless.results.estimate import Estimate
from foldless.results.measured import MeasuredScore


@dataclass(frozen=True, eq=False)
class Evaluation(DrawnResult):
    """A model on labeled rows that it has not seen.

    Attributes
    ----------
    accuracy, macro_f1 : estimates for new rows, with intervals
    classes : the classes of the rows, then those that only the model predicts
    confusion : (K, K) counts of rows by their class and the class that the model names
    unlabeled : for each class, the rows to which the model gives no label
    recall_intervals : (K, 2) the ends of the interval of each class's recall; NaN for a class without rows
    notes : sentences a user should read
    measures : the metrics that were named with ``scoring=``, each with its interval
    """

    accuracy: Estimate
    macro_f1: Estimate
    classes: tuple[Any, ...]
    confusion: Array = field(repr=False)
    unlabeled: Array = field(repr=False)
    recall_intervals: Array = field(repr=False)
    notes: tuple[str, ...] = ()
    measures: tuple[MeasuredScore, ...] = ()

    @property
    def rows(self) -> int:
        return int(self.confusion.sum() + self.unlabeled.sum())

    @property
    def baseline(self) -> Baseline:
        """What always saying the most frequent class of these rows has, beside which the accuracy stands."""
        rows = self.confusion.sum(axis=1) + self.unlabeled
        most = int(rows.argmax())
        return Baseline(plain_value(self.classes[most]), float(rows[most] / rows.sum()))

    def table(self) -> pd.DataFrame:
        """One row per class; recall has an interval with the confidence of the estimates. Higher is better."""
        right, rows = self.confusion.diagonal(), self.confusion.sum(axis=1) + self.unlabeled
        named = self.confusion.sum(axis=0)
        with np.errstate(invalid="ignore"):
            recall, precision, f1 = right / rows, right / named, 2 * right / (rows + named)
        return pd.DataFrame(
            {
                "class": list(self.classes), "rows": rows, "predicted": named, "precision": precision,
                "recall": recall, "recall_lower": self.recall_intervals[:, 0],
                "recall_upper": self.recall_intervals[:, 1], "f1": f1,
            }
        )  # fmt: skip

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data for JSON."""
        return {
            "rows": self.rows,
            "accuracy": self.accuracy.to_dict(),
            "macro_f1": self.macro_f1.to_dict(),
            "baseline": self.baseline.to_dict(),
            **({"measures": [each.to_dict() for each in self.measures]} if self.measures else {}),
            "classes": [
                {key: plain_value(value) for key, value in row.items()} for row in self.table().to_dict("records")
            ],
            "confusion": self.confusion.tolist(),
            "notes": list(self.notes),
        }

    def __str__(self) -> str:
        return "; ".join(map(str, (*self.measures, self.accuracy, self.macro_f1)))
