"""Metrics and costs of errors as they are typed, for the classes of a table.

Metrics have scikit-learn's names and the class they are of. Costs may be in a file, with true classes in rows and
predicted ones in columns.
"""

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any

import numpy as np
import pandas as pd

from foldless.core._plain import plain_value
from foldless.errors import BadInput, CannotAnswer, some
from foldless.io import read_table
from foldless.judging._judge import Scoring, scorer_of
from foldless.judging.costs import Costs
from foldless.judging.metric import OF_ONE_CLASS, Metric, why_not

HOW_COSTS = "write yes:5 for what it costs to miss a yes, or 'yes>no:5' for saying no where yes is true"


def scorings(names: Sequence[str], positive: Any, classes: Sequence[Any]) -> list[Scoring]:
    """Metrics by their names, each once; those of one class are of ``positive``. Nobody is asked for the classes twice.

    ``classes`` is empty where numbers are predicted.
    """
    several = list(dict.fromkeys(names))
    for name in several:
        scorer_of(name)
    known = [plain_value(label) for label in classes]
    of_class = [name for name in several if name in OF_ONE_CLASS]
    if positive is not None:
        label = class_named(positive, known)
        if not of_class:
            raise BadInput(
                f"a positive class is for {', '.join(OF_ONE_CLASS)}, and {some(several) or 'no metric'} was named: "
                f"name one of these, or leave the class out",
                value=positive,
            )
        return [Metric(name, label) if name in OF_ONE_CLASS else name for name in several]
    why = next((why for name in several if (why := why_not(name, known)) is not None), None)
    if why is not None:
        problem = why.problem.replace(" cannot score these answers: it", "")
        raise CannotAnswer(problem, value=why.value, remedy=why.remedies)
    return list(several)


def class_named(typed: Any, classes: Sequence[Any]) -> Any:
    """The class that is called so, whatever its type."""
    if not len(classes):
        raise BadInput(f"there is no class {typed!r}, because numbers are predicted: leave it out", value=typed)
    matching = [label for label in classes if label == typed or str(label) == str(typed)]
    if not matching:
        near = get_close_matches(str(typed), list(map(str, classes)), n=1)
        hint = f"did you mean {near[0]!r}? " if near else ""
        raise BadInput(f"there is no class {typed!r}: {hint}the classes are {some(list(classes))}", value=typed)
    return matching[0]


def costs_of(table: str | None, entries: Sequence[str], classes: Sequence[Any]) -> Costs | None:
    """The costs in a file, or those that were typed; None where there are neither."""
    known = [plain_value(label) for label in classes]
    if table is None:
        return Costs(dict(_cost(text, known) for text in entries)) if entries else None
    if entries:
        raise BadInput(f"costs are in {table}, and others are typed, such as {entries[0]!r}: give one of the two")
    return Costs(_costs_in(table, known))


def _costs_in(path: str, classes: list[Any]) -> pd.DataFrame:
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


def _cost(text: str, classes: list[Any]) -> tuple[Any, float]:
    """A cost as it is typed: ``class:cost``, or ``true>predicted:cost``."""
    names, colon, number = text.rpartition(":")
    try:
        cost = float(number)
    except ValueError:
        cost = np.nan
    if not colon or not names.strip() or not np.isfinite(cost):
        raise BadInput(f"the cost {text!r} is not of the form class:number: {HOW_COSTS}", value=text)
    if names.strip() in map(str, classes) or ">" not in names:
        return class_named(names.strip(), classes), cost
    true, _, predicted = names.partition(">")
    return (class_named(true.strip(), classes), class_named(predicted.strip(), classes)), cost
