"""FL021: dates of the pool, or of test rows, beyond those of the labels, more than chance allows.

If labels and pool are draws of one time, the k latest dates are all of the pool with probability
m (m − 1) … / ((n + m) (n + m − 1) …).
"""

from typing import Any

import numpy as np
import pandas as pd

from foldless.checks._check import Diagnosis, DoesNotApply, check
from foldless.checks._checked_data import CheckedData
from foldless.checks._unseen import never_labeled
from foldless.checks._wording import shown, table_of
from foldless.core import Array
from foldless.data._columns import moments
from foldless.results.finding import Finding

LEVEL = 0.001


@check("FL021", "dates outside of those of the labels", kind="tip")
def date_range(data: CheckedData) -> list[Diagnosis]:
    dates, others = data.of("date"), data.others.items()
    columns = [(name, part, frame[name]) for name in dates for part, frame in others if name in frame]
    if not columns:
        raise DoesNotApply("there are no rows beside the labels" if dates else "there is no column of dates")
    diagnoses = []
    for name, part, values in columns:
        labels, known = _known(table_of(data)[name]), _known(values)
        if not len(labels) or not len(known):
            continue
        for word, beyond in (("until", known > labels.max()), ("from", known < labels.min())):
            n = int(beyond.sum())
            if n and never_labeled(np.array([n]), len(labels), len(known))[0] < LEVEL / (2 * len(columns)):
                theirs, mine = (known.max(), labels.max()) if word == "until" else (known.min(), labels.min())
                there, here = _written(theirs, mine)
                problem = f"{part} has dates {word} {there}, {data.names.labeled} {word} {here} (column {shown(name)})"
                remedy = "label rows of that time, if you want numbers for it"
                finding = Finding("FL021", problem, columns=[name], remedy=remedy)
                diagnoses.append(Diagnosis(finding, untold="no label is of that time"))
    return diagnoses


def _known(values: "pd.Series[Any]") -> Array:
    dates = moments(values).to_numpy(dtype="datetime64[us]")
    return np.asarray(dates[~np.isnat(dates)])


def _written(first: Any, second: Any) -> tuple[str, str]:
    """Two dates, as short as they differ: by month, by day, or with the time."""
    for unit in ("M", "D", "m"):
        texts = np.datetime_as_string(first, unit=unit), np.datetime_as_string(second, unit=unit)
        if texts[0] != texts[1]:
            return str(texts[0]), str(texts[1])
    return str(first), str(second)
