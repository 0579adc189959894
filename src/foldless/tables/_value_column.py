"""The label column of a regression: numbers, one in a row; a row without one joins the pool."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from foldless.core import Array
from foldless.errors import BadInput, Note, SetArgument
from foldless.io import Table

RECOGNIZED = "the label {label!r} holds numbers with fractions, such as {value:g}, so this is a regression"
WHOLE = "the label {label!r} holds whole numbers from {low:.0f} to {high:.0f}, which are taken as {n} classes"
FEWEST, SURE, FAR = 20, 6.0, 0.4  # rows, standard errors and rank correlation from which on an order is seen
RUNS = (
    "neighboring rows of {source} have similar values of {label!r} (rank correlation {r:.2f}): if rows are in the "
    "order of time or source, random folds are optimistic"
)


def recognized(table: Table, label: str, notes: list[str]) -> bool:
    """Whether the labels are numbers of which some have a fraction, so that they cannot be classes; a note says so.

    Whole numbers are classes. Where they do not count from 0 or 1, as codes of classes do, a note says that too.
    """
    if label not in table.frame:
        return False
    values = table.frame[label]
    if not pd.api.types.is_numeric_dtype(values.dtype) or pd.api.types.is_bool_dtype(values.dtype):
        return False
    known = values.dropna().to_numpy(dtype=float)
    finite = known[np.isfinite(known)]
    parts = finite[finite != np.round(finite)]
    if len(parts) and len(np.unique(known)) > 2:
        notes.append(RECOGNIZED.format(label=label, value=float(parts[0])))
        return True
    numbers = np.setdiff1d(finite, [-1])  # −1 may mark unlabeled rows
    if len(numbers) > 2 and (numbers[0] not in (0, 1) or np.ptp(numbers) >= len(numbers)):
        whole = WHOLE.format(label=label, low=numbers[0], high=numbers[-1], n=len(numbers))
        notes.append(Note(whole, remedy=SetArgument("task", "regression", "predict them as numbers")))
    return False


class ValueColumn(NamedTuple):
    """A column of numbers to predict."""

    label: str

    def read(self, table: Table, notes: Sequence[str] = ()) -> "pd.Series[float]":  # noqa: ARG002 (classes have notes)
        """The values of a table; NaN where a row has none."""
        values = table.frame[self.label].astype(object)
        numbers = [_number(table, self.label, row, value) for row, value in enumerate(values, 1)]
        return pd.Series(numbers, index=values.index, dtype=float)

    def present(self, source: str, values: "pd.Series[float]", notes: list[str]) -> Array:
        """Values as an array, of which there must be some that differ; a note where neighboring rows are alike."""
        y = values.to_numpy(dtype=float)
        if len(np.unique(y)) < 2:
            raise BadInput(
                f"column {self.label!r} of {source} holds {len(y)} values that do not differ: regression needs two "
                f"that do",
                place=source,
            )
        if len(y) >= FEWEST:
            ranks = pd.Series(y).rank()
            r = float(ranks[1:].reset_index(drop=True).corr(ranks[:-1].reset_index(drop=True)))
            notes += [RUNS.format(source=source, label=self.label, r=r)] if r > max(FAR, SURE / np.sqrt(len(y))) else []
        return y

    def truth(self, table: Table, train: str, y: Array, notes: list[str]) -> Array:  # noqa: ARG002 (classes have types)
        if self.label not in table.frame:
            raise BadInput(f"{table.name} has no label column {self.label!r}: test rows need their values")
        values = self.read(table)
        if values.isna().any():
            row = int(np.argmax(values.isna())) + 1
            raise BadInput(
                f"row {row} of {table.name} has no value in column {self.label!r}: give it one, or take the row out"
            )
        return values.to_numpy(dtype=float)


def _number(table: Table, label: str, row: int, value: Any) -> float:
    if value is None or value is pd.NA or value == "":
        return np.nan
    try:
        number = float(value)
    except (TypeError, ValueError) as error:
        problem = f"column {label!r} of {table.name} holds {value!r} in row {row}, and a regression needs numbers"
        remedy = SetArgument("task", "classification", "take them as classes")
        raise BadInput(problem, value=value, place=table.name, remedy=remedy) from error
    if np.isinf(number):
        raise BadInput(f"column {label!r} of {table.name} holds {value!r} in row {row}: values must be finite")
    return number
