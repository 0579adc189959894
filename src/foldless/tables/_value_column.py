"""The label column of a regression: numbers, one in a row; a row without one joins the pool."""

from typing import Any

import numpy as np
import pandas as pd

from foldless.core import Array
from foldless.errors import BadInput, SetArgument
from foldless.io import Table

RECOGNIZED = "the label {label!r} holds numbers with fractions, such as {value:g}, so this is a regression"
FEWEST, SURE, FAR = 20, 6.0, 0.4  # rows, standard errors and rank correlation from which on an order is seen
RUNS = (
    "neighboring rows of {source} have similar values of {label!r} (rank correlation {r:.2f}): if rows are in the "
    "order of time or source, random folds are optimistic"
)


def recognized(table: Table, label: str, notes: list[str]) -> bool:
    """Whether the labels are numbers of which some have a fraction, so that they cannot be classes; a note says so."""
    if label not in table.frame:
        return False
    values = table.frame[label]
    if not pd.api.types.is_numeric_dtype(values.dtype) or pd.api.types.is_bool_dtype(values.dtype):
        return False
    known = values.dropna().to_numpy(dtype=float)
    parts = known[np.isfinite(known) & (known != np.round(known))]
    if not len(parts) or len(np.unique(known)) < 3:
        return False
    notes.append(RECOGNIZED.format(label=label, value=float(parts[0])))
    return True


def read(table: Table, label: str) -> "pd.Series[float]":
    """The values of a table; NaN where a row has none."""
    values = table.frame[label].astype(object)
    numbers = [_number(table, label, row, value) for row, value in enumerate(values, 1)]
    return pd.Series(numbers, index=values.index, dtype=float)


def present(source: str, label: str, values: "pd.Series[float]") -> Array:
    """Values as an array, of which there must be some that differ."""
    known = values.to_numpy(dtype=float)
    if len(np.unique(known)) < 2:
        raise BadInput(
            f"column {label!r} of {source} holds {len(known)} values that do not differ: regression needs two that do",
            place=source,
        )
    return known


def truth(table: Table, label: str) -> Array:
    """The values of test rows."""
    if label not in table.frame:
        raise BadInput(f"{table.name} has no label column {label!r}: test rows need their values")
    values = read(table, label)
    if values.isna().any():
        row = int(np.argmax(values.isna())) + 1
        raise BadInput(f"row {row} of {table.name} has no value in column {label!r}: give it one, or take the row out")
    return values.to_numpy(dtype=float)


def order_notes(source: str, label: str, y: Array) -> list[str]:
    """A sentence where neighboring rows are more alike than chance explains."""
    if len(y) < FEWEST:
        return []
    ranks = pd.Series(y).rank()
    r = float(ranks[1:].reset_index(drop=True).corr(ranks[:-1].reset_index(drop=True)))
    return [RUNS.format(source=source, label=label, r=r)] if r > max(FAR, SURE / np.sqrt(len(y))) else []


def _number(table: Table, label: str, row: int, value: Any) -> float:
    if value is None or value is pd.NA or value == "":
        return np.nan
    try:
        number = float(value)
    except (TypeError, ValueError) as error:
        raise BadInput(
            f"column {label!r} of {table.name} holds {value!r} in row {row}, and a regression needs numbers",
            value=value,
            place=table.name,
            remedy=SetArgument("task", "classification", "take them as classes"),
        ) from error
    if np.isinf(number):
        raise BadInput(f"column {label!r} of {table.name} holds {value!r} in row {row}: values must be finite")
    return number
