"""FL013: labeled rows that are copies and have different labels: one label is wrong, or a column is missing.

Rows that are equal by chance, as in a table of a few categories, may have any label: only copies count.
"""

import numpy as np
import pandas as pd

from foldless.checks._check import Diagnosis, check
from foldless.checks._checked_data import CheckedData, Variant
from foldless.checks._coincidence import RARE
from foldless.checks._together import joined, spanning
from foldless.results.finding import Finding


@check("FL013", "equal rows with different labels", kind="issue", level=RARE)
def conflicting_labels(data: CheckedData) -> list[Diagnosis]:
    sets = data.units.equal
    labels = pd.Series(data.sample.y).groupby(sets).transform("nunique").to_numpy()
    rows = np.flatnonzero(spanning(sets, None) & (labels > 1))
    if not len(rows):
        return []
    n_sets = len(np.unique(sets[rows]))
    problem = f"{len(rows):,} labeled rows are {n_sets:,} contents with different labels"
    remedy = "look at them, and correct or take out"
    finding = Finding("FL013", problem, rows=np.unique(data.numbers(rows)), remedy=remedy)
    return [Diagnosis(finding, Variant(rows=rows, units=joined(sets, data.sample.groups)))]
