"""FL022: categories of the pool, or of test rows, that the labels never had, more often than chance allows."""

from typing import Any

import numpy as np

from foldless.checks._check import Diagnosis, DoesNotApply, check
from foldless.checks._checked_data import CheckedData
from foldless.checks._unseen import LEVEL, never_labeled
from foldless.checks._wording import listed, shown, table_of
from foldless.errors import counted
from foldless.results.finding import Finding

UNTOLD = "no label has such a value"


@check("FL022", "categories that the labels never had", kind="tip")
def new_categories(data: CheckedData) -> list[Diagnosis]:
    names = [name for name in data.of("categorical", "boolean") if name not in data.ids]
    parts = data.others
    if not names or not parts:
        raise DoesNotApply("there is no column of categories" if not names else "there are no rows beside the labels")
    diagnoses = []
    for part, frame in parts.items():
        for name in names:
            if name in frame:
                diagnoses += _new(data, name, part, frame[name], len(names))
    return diagnoses


def _new(data: CheckedData, name: Any, part: str, values: Any, n_columns: int) -> list[Diagnosis]:
    labels, others = (series.dropna().map(str) for series in (table_of(data)[name], values))
    counts = others.value_counts()
    unseen = counts[~counts.index.isin(labels.unique())]
    if not len(unseen) or not len(labels):
        return []
    chance = never_labeled(unseen.to_numpy(), len(labels), len(others)) * len(counts) * n_columns
    new = unseen[np.asarray(chance) < LEVEL]
    if not len(new):
        return []
    said = listed([f"{value!r} ({counted(count, 'row')})" for value, count in new.items()])
    problem = f"column {shown(name)} of {part} has {said}, which no label has"
    finding = Finding("FL022", problem, columns=[name], remedy="label some of these rows")
    return [Diagnosis(finding, untold=UNTOLD)]
