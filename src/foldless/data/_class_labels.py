"""Labels that are classes: one per row or a set per row, and which rows have none.

A label that is None or NaN is none, and so is −1 where it marks the pool. Label sets become one copy of the row per
label. Copies of a row are one group, so that no fold trains on one and tests on another.
"""

import warnings
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.utils.multiclass import check_classification_targets

from foldless.core import Array, Classes, Target
from foldless.data._features import n_rows, take
from foldless.data._minus_one import ASSUMED, TAKEN, UNLABELED
from foldless.data._parts import Parts, RowsForTests
from foldless.data._targets import (
    LabelSets,
    is_column,
    label_sets,
    n_columns,
    narrow,
    one_per_row,
    plain_label,
    present_labels,
)
from foldless.errors import AmbiguousLabels, BadInput, DecideMinusOne, counted, warn_user


class MeasuredClasses(Classes):
    """The kind of labels by which a model is only measured: −1 is a class, and there may be one alone."""


@dataclass(frozen=True, eq=False)
class ClassLabels:
    """The labels of rows: ``y`` of those that are not ``missing``, or ``sets``.

    ``marked`` says whether −1 marks rows without a label, and ``unlabeled`` what the user said of it.
    """

    passed: Any
    y: Array
    missing: Array
    sets: LabelSets | None
    marked: bool
    unlabeled: Any

    def sort(self, parts: Parts) -> Parts:
        """Rows with a label apart from those without one, which join the pool."""
        if self.sets is not None:
            if n_columns(self.passed) > 1:
                warn_user(
                    f"y has {n_columns(self.passed)} columns, and these classifiers predict one label: they train on "
                    "one copy of a row for each of its labels; use multilabel classifiers, such as "
                    "OneVsRestClassifier, or pass a list of labels for each row to confirm"
                )
            return _replicated(parts, self.sets)
        present, without = np.flatnonzero(~self.missing), np.flatnonzero(self.missing)
        labeled = parts.at(present, self.y) if len(without) else replace(parts, y=self.y)
        if self.marked:
            labeled = _without_marked(labeled)
        n_marked = len(self.y) - n_rows(labeled.X)
        labeled = replace(labeled, y=narrow(labeled.y))
        if len(without):
            labeled = labeled.joined_by(parts, without, "without a label")
        if n_marked and self.unlabeled == ASSUMED:
            warn_user(TAKEN.format(n=n_marked))
        return labeled

    @property
    def replicated(self) -> bool:
        return self.sets is not None

    def target(self, parts: Parts) -> Classes:
        """The codes of the labels that are left."""
        y = parts.y
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of many classes, which the fits say too
                check_classification_targets(y)
        except (ValueError, TypeError) as error:
            raise BadInput(f"y holds no class labels: {error}") from error
        classes, codes = np.unique(y, return_inverse=True)
        as_it_is = self.sets is None and len(y) == len(self.missing) and is_column(self.passed)
        return Classes(codes.astype(np.int64), classes, passed=self.passed if as_it_is else None)

    def test(self, test: Any, y_test: Any, target: Target) -> RowsForTests:
        """Test rows with the codes of their labels; −1 for a class that no labeled row has."""
        notes: tuple[str, ...] = ()
        sets = label_sets(y_test, "y_test")
        labels = one_per_row(y_test, "y_test") if sets is None else sets.labels
        n = len(labels) if sets is None else sets.n
        if n_rows(test) != n or not n:
            raise BadInput(
                f"X_test has {n_rows(test)} rows and y_test has {n} labels: pass as many of both, at least one"
            )
        if sets is not None:
            if len(sets.labeled) < n:
                row = int(np.setdiff1d(np.arange(n), sets.rows)[0])
                raise BadInput(f"y_test has no label in row {row}: leave the row out of the test set, or label it")
            notes, test = _ceiling(sets, "y_test"), take(test, sets.rows)
        codes = encode(narrow(labels), target.classes).astype(np.int64)
        if (codes < 0).all():
            raise BadInput(
                f"no label of y_test, such as {plain_label(labels[0])!r}, is a class of y, such as "
                f"{plain_label(target.classes[0])!r}: give both the same type and names"
            )
        if n_strange := int((codes < 0).sum()):
            notes = (*notes, _strange(n_strange, list(dict.fromkeys(labels[codes < 0].tolist()))))
        return RowsForTests(test, codes, notes)


def read_classes(y: Any, n: int, *, marked: bool, unlabeled: Any) -> ClassLabels:
    if y is None:
        raise BadInput("foldless requires y to be passed, but the target y is None: pass one label per row of X")
    sets = label_sets(y)
    labels, missing = (np.empty(0), np.zeros(0, dtype=bool)) if sets is not None else present_labels(y)
    n_labels = len(missing) if sets is None else sets.n
    if n != n_labels:
        raise BadInput(f"X has {n} rows and y has {n_labels} labels: they must be of equal length")
    if not n:
        raise BadInput("X has no rows (0 samples): pass at least two labeled rows of different classes")
    if len(missing) and missing.all():
        raise BadInput("y has no label in any row (NaN or None): pass at least two labeled rows of different classes")
    return ClassLabels(y, labels, missing, sets, marked, unlabeled)


def encode(labels: Array, classes: Array) -> Array:
    """Class codes in the smallest integer type; a label that is none of the classes becomes −1."""
    kind = np.int8 if len(classes) <= 127 else np.int16 if len(classes) <= 32_767 else np.int32
    labels = np.asarray(labels)
    if "O" in (classes.dtype.kind, labels.dtype.kind):  # may mix types, which do not sort
        code = {label: at for at, label in enumerate(classes.tolist())}
        return np.array([code.get(label, -1) for label in labels.tolist()], dtype=kind)
    if classes.dtype.kind in "OUS" and labels.dtype.kind in "iufb":
        return np.full(len(labels), -1, dtype=kind)
    plain = len(labels) and labels.dtype.kind in "iu" and np.array_equal(classes, np.arange(len(classes)))
    if plain and labels.min() >= 0 and labels.max() < len(classes):  # they are codes already
        return labels.astype(kind)
    at = np.minimum(np.searchsorted(classes, labels), len(classes) - 1)
    return np.where(classes[at] == labels, at, -1).astype(kind)


def _without_marked(parts: Parts) -> Parts:
    """The rows whose label is not −1; the others are the pool."""
    y = parts.y
    if y.dtype.kind in "OUS" and any(isinstance(label, str) and label == str(UNLABELED) for label in y):
        raise AmbiguousLabels(
            "y holds the string '-1'",
            place="y",
            remedy=(DecideMinusOne(), "make y an array of dtype object with the number −1"),
        )
    if y.dtype.kind == "O":
        marked = np.array([isinstance(label, int | float | np.number) and label == UNLABELED for label in y])
    else:
        marked = y == UNLABELED if y.dtype.kind in "if" else np.zeros(len(y), dtype=bool)
    if not marked.any():
        return parts
    others = np.unique(y[~marked].astype(str if y.dtype.kind == "O" else y.dtype))
    if len(others) < 2:
        values = f"−1 and {plain_label(others[0])!r}" if len(others) else "only −1"
        raise AmbiguousLabels(
            f"y holds {values}, and −1 marks unlabeled rows here, which leaves fewer than two classes",
            place="y",
            remedy=DecideMinusOne(),
        )
    labeled = np.flatnonzero(~marked)
    return parts.at(labeled, y[labeled]).joined_by(parts, np.flatnonzero(marked))


def _replicated(parts: Parts, sets: LabelSets) -> Parts:
    """One copy of a row per label; a row without one goes to the pool."""
    without = np.setdiff1d(np.arange(sets.n), sets.rows)
    if sets.ceiling < 1 and parts.groups is None:  # each row of the table is a group of its own
        parts = replace(parts, groups=np.arange(sets.n), pool_groups=sets.n + np.arange(parts.n_pool))
    copies = parts.at(sets.rows, sets.labels)
    if len(without):
        copies = copies.joined_by(parts, without, "without any label")
    return replace(copies, notes=(*copies.notes, *_ceiling(sets, "y")))


def _ceiling(sets: LabelSets, name: str) -> tuple[str, ...]:
    """What is said of rows that are copied."""
    if sets.ceiling == 1:
        return ()
    return (
        f"{name} holds {len(sets.rows)} labels for {len(sets.labeled)} rows, and a row is copied for each of its "
        f"labels: accuracy on the copies cannot exceed {sets.ceiling:.4f}",
    )


def _strange(rows: int, names: list[Any]) -> str:
    """What is said of test rows whose classes have no labeled row."""
    first, more = repr(names[0]), len(names) - 1
    which = f"class {first}" if not more else f"class {first} and {more} other{'s' * (more > 1)}"
    count = counted(rows, "test row is", "test rows are")
    return (
        f"{count} of {which}, which no labeled row has: every candidate is wrong about {'it' if rows == 1 else 'them'}"
    )
