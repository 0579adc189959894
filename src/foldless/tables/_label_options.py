"""What a user says of the label column, and how it is read: as classes, or as values."""

from collections import Counter
from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd

from foldless.core import Array
from foldless.data._label_spelling import near_equal, one_spelling, spelling_findings, strange_spellings
from foldless.errors import BadInput, DecideMinusOne, Note, counted
from foldless.io import Table
from foldless.tables import _label_column as labeling
from foldless.tables._value_column import ValueColumn, recognized

LabelTask = Literal["classification", "regression"]
JOINING = "row of {} without a label joins the pool", "rows of {} without a label join the pool"
LEFT_OUT = "row of {} without a label is left out", "rows of {} without a label are left out"
MARKED = "row of {} with the label −1 is the pool", "rows of {} with the label −1 are the pool"


class ClassColumn(NamedTuple):
    """A column of classes, of which a row may have several, and each class some rows.

    ``merge`` says that names which differ by case and spaces only are one class.
    """

    label: str
    separator: str | None
    min_per_class: int
    merge: bool = False

    def read(self, table: Table, notes: list[str]) -> "pd.Series[Any]":
        return labeling.read(table, self.label, self.separator, notes)

    def present(self, source: str, labels: "pd.Series[Any]", notes: list[str]) -> Array:
        if not len(labels) and not self.min_per_class:
            return np.empty(0, dtype=object)
        y = labeling.narrow(source, self.label, labels)
        alike = near_equal(Counter(labeling.flat(y).tolist()))
        notes += spelling_findings(alike, self.label, merged=self.merge, remedy=labeling.MERGE)
        if self.merge and alike:
            y = labeling.renamed(y, one_spelling(labeling.flat(y)))
        labeling.check_classes(source, self.label, y, self.min_per_class)
        if self.separator is None and y.dtype.kind in "OU" and not isinstance(y[0], tuple):
            notes += labeling.joined_notes(self.label, sorted(set(y.tolist()), key=str))
        notes += labeling.order_notes(source, y)
        return y

    def truth(self, table: Table, train: str, y: Array, notes: list[str]) -> Array:
        """The labels of test rows, in the type of those of training, and in their spelling where names are merged."""
        read = self.read(table, [])
        if read.isna().any():
            row = int(np.argmax(read.isna())) + 1
            raise BadInput(
                f"row {row} of {table.name} has no label in column {self.label!r}: label it, or take the row out"
            )
        truth = labeling.narrow(table.name, self.label, read)
        labels, known = labeling.flat(truth), labeling.flat(y)
        if (labels.dtype.kind in "OU") != (known.dtype.kind in "OU"):
            if known.dtype.kind not in "OU":
                raise BadInput(
                    f"labels are numbers in {train} and text such as {labeling.shown(labels[0])} in {table.name}: use "
                    f"the same in both"
                )
            truth = labeling.as_text(truth)
            labels = labeling.flat(truth)
        alike = strange_spellings(labels, known)
        if not self.merge:
            notes += spelling_findings(alike, self.label, remedy=labeling.MERGE)
            return truth
        return labeling.renamed(truth, one_spelling(labels, known))


class LabelOptions(NamedTuple):
    """How labels are read: the mark between several of a row, whether they are classes, and what −1 is.

    ``merge_labels`` says that names which differ by case and spaces only are one class, and ``keep_labeled`` that rows
    of the pool that have a label stay in it.
    """

    separator: str | None
    min_per_class: int
    minus_one_is_class: bool
    task: LabelTask | None
    merge_labels: bool = False
    keep_labeled: bool = False

    def check(self) -> None:
        """Refuse a mark that is none."""
        if self.separator == "":
            raise BadInput("the label separator is empty: give the mark between labels, such as ';'")

    def column(self, table: Table, label: str, notes: list[str]) -> ClassColumn | ValueColumn:
        """The label column: numbers to predict where the user says so, or where they show it."""
        if self.task not in (None, "classification", "regression"):
            raise BadInput(f"task must be 'classification' or 'regression', got {self.task!r}")
        if self.task == "regression" and label not in table.frame:
            raise BadInput(f"{table.name} has no label column {label!r}: {labeling.near(label, list(table.frame))}")
        if self.task == "regression" and self.separator is not None:
            raise BadInput("a row of a regression has one value: leave the label separator out")
        if self.task == "regression" or (self.task is None and recognized(table, label, notes)):
            return ValueColumn(label)
        return ClassColumn(label, self.separator, self.min_per_class, self.merge_labels)


def without_label(source: str, labels: "pd.Series[Any]", decided: bool, notes: list[str]) -> Array:
    """Which rows have no label; ``decided`` if −1 does not mark them."""
    empty = labels.isna().to_numpy()
    if empty.any():
        notes.append(counted(int(empty.sum()), *JOINING).format(source))
    if decided or empty.any():
        return empty
    marked = np.array([label in (-1, "-1") for label in labels])
    if not marked.any():
        return empty
    others = labels[~marked].unique()
    if len(others) < 2 or "-1" in labels.to_numpy():
        raise BadInput(
            f"{source} has the label −1 and no other pool, so −1 may be a class or mark unlabeled rows",
            value=-1, place=source, remedy=DecideMinusOne(in_files=True),
        )  # fmt: skip
    problem = counted(int(marked.sum()), *MARKED).format(source)
    notes.append(Note(problem, remedy=DecideMinusOne(in_files=True)))
    return marked
