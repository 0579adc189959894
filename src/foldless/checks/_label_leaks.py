"""FL011: a column that gives the label away: alone it is nearly always right, and without it a model is much worse.

A column is looked at if, out of fold, it removes nine tenths of the errors of a constant prediction by itself: a small
tree for numbers, the most frequent class of each value otherwise. Such a column may be a good one, as the width of a
petal is. It gives the label away if a cheap model without it is worse than it is alone, by a paired interval. Of
several such columns the best is left out alone, because two good columns can replace each other. Columns that are
nearly always right (CERTAIN) are left out together. Classes whose names differ by case and spaces only are one class
here: no column tells how a person spelled them.
"""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from foldless.accuracy import paired_difference
from foldless.checks._check import Diagnosis, DoesNotApply, check
from foldless.checks._checked_data import CheckedData, Variant, as_floats
from foldless.checks._class_names import merged_codes
from foldless.checks._tables import factorized
from foldless.checks._wording import columns_named, held_out, table_of
from foldless.core import Array
from foldless.errors import DropColumns
from foldless.results.finding import Finding
from foldless.results.findings import share

LEVEL = 0.005
REMOVED = 0.9  # of the errors of a constant prediction: what no single honest column of our benchmarks does alone
CERTAIN = 0.995  # accuracy from which several columns count as one leak: two good columns stand in for each other
FOLDS, LEAVES = 5, 32
FEWEST = 20  # rows, below which a small tree is right by chance


@check("FL011", "columns that give the label away", kind="issue", level=LEVEL, first=True)
def label_leaks(data: CheckedData) -> list[Diagnosis]:
    table_of(data)
    codes = merged_codes(data)
    if not codes.max():
        raise DoesNotApply("all labels are one class")
    if data.n < FEWEST:
        raise DoesNotApply(f"there are fewer than {FEWEST} labels")
    least = 1 - (1 - REMOVED) * (1 - np.bincount(codes).max() / data.n)
    names = [name for name in data.read if name not in data.group_like]  # rows of a group have one class by nature
    right = {name: alone for name in names if (alone := _alone(data, name, codes, least)) is not None}
    if not right or data.fits is None or len(right) == len(data.read):
        return []
    names = sorted(right, key=lambda name: -float(right[name].mean()))
    names = [names[0], *(name for name in names[1:] if right[name].mean() >= CERTAIN)]
    words = "without it" if len(names) == 1 else "without them"
    variant = Variant(columns=tuple(names), words=words)
    others = held_out(data, replace(variant, codes=codes) if codes.max() + 1 < len(data.classes) else variant)
    best = right[names[0]][others.rows]
    behind = paired_difference(best, others.right, others.units, 1 - 2 * LEVEL)
    if behind is None or behind.lower <= 0:
        return []
    gives = "gives" if len(names) == 1 else "give"
    accuracy = share(float(right[names[0]].mean()))
    problem = f"{columns_named(names)} {gives} the label away (accuracy {accuracy} alone)"
    finding = Finding("FL011", problem, columns=names, remedy=DropColumns(tuple(map(str, names))))
    return [Diagnosis(finding, variant, masks=tuple(names))]


def _alone(data: CheckedData, name: Any, codes: Array, least: float) -> Array | None:
    """Whether a column alone is right about each row, out of fold; None where it is not often enough."""
    column, kind = table_of(data)[name], data.kinds[name]
    if kind == "text":
        return None
    by_tree = kind in ("numeric", "boolean", "date")
    values = as_floats(column) if by_tree else factorized(column)[0]
    if by_tree:
        values = np.where(np.isinf(values), np.nan, values)  # which trees do not read
    if _most(values, codes, by_tree, least) < least:
        return None
    folds = np.random.default_rng(0).permutation(data.n) % FOLDS
    right = np.zeros(data.n)
    for fold in range(FOLDS):
        train, test = folds != fold, folds == fold
        right[test] = _predicted(values[train], codes[train], values[test], by_tree) == codes[test]
    return right if right.mean() >= least else None


def _most(values: Array, codes: Array, by_tree: bool, least: float) -> float:
    """The accuracy that a column has at most, on the rows that it learns from: that of the best class of each value.

    Along sorted values, each error joins at most two runs of one class to their neighbors, and a tree has as many runs
    as leaves; where that is below ``least``, values are not looked at.
    """
    if by_tree:
        along = codes[np.lexsort((codes, values))]
        runs = 1 + int(np.count_nonzero(along[1:] != along[:-1]))
        by_runs = 1 - max(0, runs - LEAVES) / 2 / len(codes)
        if by_runs < least:
            return by_runs
        values = np.asarray(pd.factorize(values, use_na_sentinel=False)[0])
    return float(np.mean(_predicted(values, codes, values, by_tree=False) == codes))


def _predicted(values: Array, codes: Array, asked: Array, by_tree: bool) -> Array:
    if by_tree:
        from sklearn.tree import DecisionTreeClassifier

        tree = DecisionTreeClassifier(max_leaf_nodes=LEAVES, random_state=0).fit(values[:, None], codes)
        return np.asarray(tree.predict(asked[:, None]))
    counts = np.zeros((int(max(values.max(), asked.max())) + 1, int(codes.max()) + 1))
    np.add.at(counts, (values, codes), 1)
    known = np.where(counts.any(axis=1), counts.argmax(axis=1), np.bincount(codes).argmax())
    return np.asarray(known[asked])
