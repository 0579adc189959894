"""What ``y`` may be: one label per row, or a set of labels per row.

Sets are an indicator matrix (array, sparse matrix or frame of 0 and 1, one column per class) or a sequence of lists,
sets or tuples. They become single labels by replication: one copy of the row for each of its labels. Of the copies of
one row a classifier is right about one at most, so that

    accuracy ≤ rows / copies
"""

import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.utils import column_or_1d

from foldless.core import Array
from foldless.data._dates import iso
from foldless.errors import BadInput, SetArgument

REMEDY = "pass one label per row, or 0 and 1 for every class, or a list with a list of labels for each row"


@dataclass(frozen=True, eq=False)
class LabelSets:
    """The labels of ``n`` rows: ``labels[j]`` is one of row ``rows[j]``; by row, then by label."""

    n: int
    rows: Array
    labels: Array

    @property
    def labeled(self) -> Array:
        return np.unique(self.rows)

    @property
    def ceiling(self) -> float:
        """The accuracy on copies that no classifier exceeds."""
        return len(self.labeled) / len(self.rows)


def label_sets(y: Any, name: str = "y") -> LabelSets | None:
    """The label sets that were passed, or None where there is one label per row."""
    if sparse.issparse(y):
        return _indicated(y, range(y.shape[1]), name)
    if hasattr(y, "columns") and len(y.columns) > 1:
        return _indicated(np.asarray(y), list(y.columns), name)
    if not hasattr(y, "columns") and np.ndim(y if hasattr(y, "shape") else 0) == 2 and y.shape[1] > 1:
        return _indicated(np.asarray(y), range(y.shape[1]), name)
    rows = _rows(y)
    if not any(map(_is_set, rows)):
        return None
    if _is_indicator(rows):
        return _indicated(np.asarray(rows), range(len(rows[0])), name)
    return _gathered(rows, name)


def n_columns(y: Any) -> int:
    """How many columns the targets have: those of a matrix or frame, or of lists of 0 and 1 as long as each other."""
    if len(getattr(y, "shape", ())) == 2:
        return int(y.shape[1])
    rows = _rows(y)
    return len(rows[0]) if rows and all(map(_is_set, rows)) and _is_indicator(rows) else 1


def one_per_row(y: Any, name: str = "y") -> Array:
    """Labels, one per row and none missing; dates as ISO writes them."""
    labels, missing = present_labels(y, name)
    if missing.any():
        row = int(np.argmax(missing))
        raise BadInput(
            f"{name} has no label (NaN or None) in {int(missing.sum())} rows, the first is row {row}",
            place=name,
            remedy=("drop them", SetArgument("X_unlabeled", to="pass them")),
        )
    return labels


def present_labels(y: Any, name: str = "y") -> tuple[Array, Array]:
    """The labels of the rows that have one, and which rows have none (NaN or None)."""
    if isinstance(dtype := getattr(y, "dtype", None), pd.CategoricalDtype):
        y = np.asarray(y)
    elif getattr(dtype, "kind", "") == "T":  # NumPy's strings of any length
        y = y.astype(object)
    try:
        y = column_or_1d(y, warn=True)
    except ValueError as error:
        raise BadInput(f"{name} must hold one label per row: {error}") from error
    missing = np.asarray(pd.isna(y))
    y = y[~missing] if missing.any() else y
    if getattr(y.dtype, "kind", "O") == "M":
        y = np.array([iso(moment) for moment in pd.Series(y).tolist()], dtype=object)
    y = np.asarray(y) if y.dtype.kind in "OUSbiuf" else np.asarray(y).astype(str)
    if y.dtype.kind == "O" and any(isinstance(label, datetime.date) for label in y):
        y = np.array([iso(label) if isinstance(label, datetime.date) else label for label in y], dtype=object)
    if y.dtype.kind == "f" and not np.isfinite(y).all():
        row = int(np.flatnonzero(~missing)[np.argmax(~np.isfinite(y))])
        raise BadInput(f"{name} contains infinity at row {row}: labels must be finite")
    return y, missing


def lacks_labels(y: Any, minus_one: bool) -> bool:
    """Whether rows have no label: None or NaN, or −1 where that marks them."""
    if y is None or len(getattr(y, "shape", ())) > 1:
        return False
    labels = np.asarray(y, dtype=object)
    if labels.ndim != 1 or any(map(_is_set, labels)):
        return False
    marked = minus_one and any(isinstance(v, int | float | np.number) and v == -1 for v in labels)
    return bool(pd.isna(labels).any() or marked)


def is_column(y: Any) -> bool:
    """Whether labels are one flat column of plain labels, which a learner can be given as it is, cut to its rows."""
    if isinstance(y, list):
        return all(isinstance(label, str | int | float | np.bool_ | np.number) for label in y)
    if not isinstance(getattr(y, "dtype", None), np.dtype) or len(y.shape) != 1:
        return hasattr(y, "iloc") and not isinstance(y, pd.Series | pd.DataFrame) and len(y.shape) == 1
    return y.dtype.kind in "iufbUS" or (y.dtype.kind == "O" and all(isinstance(label, str) for label in y))


def narrow(y: Array) -> Array:
    """Labels of dtype object as the plain type they all have, so that they sort and compare fast."""
    if y.dtype.kind != "O":
        return y
    kinds = {type(label) for label in y}
    if all(issubclass(kind, str) for kind in kinds):
        return y
    if all(issubclass(kind, int | np.integer | np.bool_) for kind in kinds):
        return y.astype(bool if kinds <= {bool, np.bool_} else np.int64)
    if all(issubclass(kind, int | float | np.number) for kind in kinds):
        return y.astype(float)
    names = " and ".join(sorted(kind.__name__ for kind in kinds))
    raise BadInput(f"y mixes labels of the types {names}: make them all strings or all numbers")


def plain_label(label: Any) -> Any:
    """A label as Python has it, as messages show it."""
    return label.item() if isinstance(label, np.generic) else label


def objects(labels: Sequence[Any]) -> Array:
    """Labels as an array of one dimension, tuples of them too."""
    array = np.empty(len(labels), dtype=object)
    array[:] = labels
    return array


def _rows(y: Any) -> list[Any]:
    """The elements of what may be a sequence of label sets; nothing for numbers and strings, which are none."""
    if isinstance(y, list | tuple):
        return list(y)
    if hasattr(y, "to_list") and not hasattr(y, "columns"):  # pandas and polars
        return list(y.to_list()) if str(y.dtype).lower().startswith(("object", "list", "large_list")) else []
    return list(y) if isinstance(y, np.ndarray) and y.dtype == object and y.ndim == 1 else []


def _indicated(y: Any, names: Sequence[Any], name: str) -> LabelSets:
    """The sets of an indicator matrix; its columns are the classes."""
    values = y.data if sparse.issparse(y) else y
    if getattr(values, "dtype", np.dtype(object)).kind not in "biuf":
        values = np.asarray(values, dtype=object)
        wrong = np.array([value not in (0, 1) for value in values.ravel()]).reshape(values.shape)
    else:
        wrong = (values != 0) & (values != 1)
    if wrong.any():
        value = values.ravel()[int(np.argmax(wrong))]
        raise BadInput(
            f"{name} has {y.shape[1]} columns and holds {plain_label(value)!r}, so it is not an indicator matrix of 0 "
            f"and 1: {REMEDY}"
        )
    if y.shape[1] < 2:
        raise BadInput(f"{name} is a sparse matrix of one column: {REMEDY}")
    rows, columns = y.nonzero() if sparse.issparse(y) else np.nonzero(y.astype(bool))
    return _sorted(int(y.shape[0]), np.asarray(rows), objects(list(names))[columns], name)


def _gathered(rows: list[Any], name: str) -> LabelSets:
    where: list[int] = []
    gathered: list[Any] = []
    for row, labels in enumerate(rows):
        if not _is_set(labels) and not _is_missing(labels):
            raise BadInput(f"{name} holds the single label {plain_label(labels)!r} in row {row} among lists: {REMEDY}")
        for label in labels if _is_set(labels) else ():
            if _is_set(label) or _is_missing(label):
                raise BadInput(f"{name} holds {label!r} inside the labels of row {row}: {REMEDY}")
            where.append(row)
            gathered.append(iso(label) if isinstance(label, datetime.date) else plain_label(label))
    return _sorted(len(rows), np.array(where, dtype=np.intp), objects(gathered), name)


def _sorted(n: int, rows: Array, labels: Array, name: str) -> LabelSets:
    """Every label of a row once, in an order that does not depend on that of a Python set."""
    if not len(labels):
        raise BadInput(f"{name} holds no label in any row: label rows of at least two classes")
    labels = narrow(labels)
    classes, codes = np.unique(labels, return_inverse=True)
    pairs = np.unique(np.column_stack([rows, codes]), axis=0)
    return LabelSets(n, pairs[:, 0], classes[pairs[:, 1]])


def _is_set(value: Any) -> bool:
    return isinstance(value, list | tuple | set | frozenset) or (isinstance(value, np.ndarray) and value.ndim == 1)


def _is_missing(value: Any) -> bool:
    return value is None or value is pd.NA or (isinstance(value, float) and np.isnan(value))


def _is_indicator(rows: list[Any]) -> bool:
    """Rows of equal length, at least 2, that hold only 0 and 1: a matrix written as lists."""
    if not all(isinstance(row, list | tuple | np.ndarray) and len(row) == len(rows[0]) > 1 for row in rows):
        return False
    numbers = (bool, int, float, np.number, np.bool_)
    return all(isinstance(value, numbers) and value in (0, 1) for row in rows for value in row)
