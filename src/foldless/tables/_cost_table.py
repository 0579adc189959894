"""Costs of errors as they are typed, or as a table in a file: true classes in rows, predicted ones in columns."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from foldless.core._plain import plain_value
from foldless.errors import BadInput, some
from foldless.io import read_table
from foldless.judging.costs import Costs
from foldless.tables._scoring_names import class_named

HOW = "write yes:5 for what it costs to miss a yes, or 'yes>no:5' for saying no where yes is true"


def costs_of(table: str | None, entries: Sequence[str], classes: Sequence[Any]) -> Costs | None:
    """The costs in a file, or those that were typed; None where there are neither."""
    known = [plain_value(label) for label in classes]
    if table is None:
        return Costs(dict(_entry(text, known) for text in entries)) if entries else None
    if entries:
        raise BadInput(f"costs are in {table}, and others are typed, such as {entries[0]!r}: give one of the two")
    return Costs(_read(table, known))


def _read(path: str, classes: list[Any]) -> pd.DataFrame:
    """The costs by true class, in rows, and predicted class, in columns."""
    frame = read_table(path).frame
    rows, columns = [str(label) for label in frame.iloc[:, 0]], list(map(str, frame.columns[1:]))
    for names, what in ((rows, "row"), (columns, "column")):
        if sorted(names) != sorted(map(str, classes)):
            missing = [label for label in map(str, classes) if label not in names]
            strange = [name for name in names if name not in map(str, classes)]
            wrong = f"it has no {what} {missing[0]!r}" if missing else f"its {what} {strange[0]!r} is no class"
            raise BadInput(
                f"{path} must have a row for each true class, named in its first column, and a column for each "
                f"predicted class, and {wrong}: the classes are {some(classes)}",
                place=path,
            )
    try:
        values = frame.iloc[:, 1:].to_numpy(dtype=float)
    except (TypeError, ValueError) as error:
        raise BadInput(f"{path} holds a cost that is no number: write numbers", place=path) from error
    if not np.isfinite(values).all():
        raise BadInput(f"{path} holds a cost that is missing or not finite: write a number into each cell", place=path)
    by_text = {str(label): label for label in classes}
    return pd.DataFrame(values, index=[by_text[name] for name in rows], columns=[by_text[name] for name in columns])


def _entry(text: str, classes: list[Any]) -> tuple[Any, float]:
    """A cost as it is typed: ``class:cost``, or ``true>predicted:cost``."""
    names, colon, number = text.rpartition(":")
    try:
        cost = float(number)
    except ValueError:
        cost = np.nan
    if not colon or not names.strip() or not np.isfinite(cost):
        raise BadInput(f"the cost {text!r} is not of the form class:number: {HOW}", value=text)
    if names.strip() in map(str, classes) or ">" not in names:
        return class_named(names.strip(), classes), cost
    true, _, predicted = names.partition(">")
    return (class_named(true.strip(), classes), class_named(predicted.strip(), classes)), cost
