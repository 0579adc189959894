"""How good a saved model is on a file of labeled rows that it has not seen."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from foldless.accuracy._assumptions import CONFIDENCE
from foldless.checks._shared_rows import among
from foldless.core import Array
from foldless.data._column_options import ColumnOptions
from foldless.data._features import take
from foldless.data._label_spelling import one_spelling, spelling_findings, strange_spellings
from foldless.data._overlap import hashes
from foldless.data.pool import Pool
from foldless.errors import BadInput, counted
from foldless.io import read_table
from foldless.io._dialect import FileOptions
from foldless.io._formats import Format
from foldless.judging.costs import Costs
from foldless.learners.decided_classifier import DecidedClassifier
from foldless.results import Estimate, Evaluation
from foldless.results.finding import Finding
from foldless.saving import Kept
from foldless.selection.estimate import FEWEST, estimate
from foldless.selection.evaluate import evaluated
from foldless.selection.predict_labels import refuse_regressor
from foldless.tables import _label_column as label_column
from foldless.tables._arguments import check_named
from foldless.tables._feature_columns import group_findings, keep_together
from foldless.tables._label_options import LEFT_OUT as WITHOUT_LABEL
from foldless.tables._row_groups import group_names
from foldless.tables._saved_model import features_of, one_sentence, opened, unread
from foldless.tables._scoring_names import scorings
from foldless.tables._stored_rows import stored_rows

LEFT_OUT = "they are left out, because they say nothing of new rows"


def evaluate_table(
    model: Kept | str | Path,
    table: str | Path,
    *,
    scoring: Sequence[str] = (),
    positive: Any = None,
    confidence: float = CONFIDENCE,
    fmt: Format | FileOptions | None = None,
    merge_labels: bool = False,
    groups: str | None = None,
    random_state: int | None = None,
) -> Evaluation:
    """Measure a saved model on a file of labeled rows: accuracy with its interval, classes and confusion.

    Parameters
    ----------
    model : path, or what `foldless.saving.load` returned
        A model that was saved with the schema of its table.
    table : path, or "-" for standard input
        Labeled rows that the model was not trained on; rows without a label are left out. Rows that it was trained on
        are counted in a note.
    scoring : list of str
        Metrics that are wanted too, by scikit-learn's names.
    positive : str, optional
        The class that metrics of one class, such as "f1", are of.
    confidence, random_state
        As for `foldless.evaluate`.
    fmt : str or `foldless.io.FileOptions`, optional
        The format of standard input, or of a file whose ending does not name it.
    merge_labels : bool
        Whether labels that differ from those of the model by case and spaces only are the same.
    groups : str, optional
        The column whose values are groups of rows that belong together: rows of one group count as one.
    """
    rows = labeled_rows(model, table, fmt, "foldless.evaluate", merge_labels, groups)
    with one_sentence(rows.kept, rows.name):
        evaluation = evaluated(
            rows.kept.model, rows.X, rows.y, rows.kept.trained_on,
            scoring=[*_own_costs(rows.kept), *scorings(scoring, positive, rows.kept.classes)], confidence=confidence,
            groups=rows.groups, random_state=random_state,
        )  # fmt: skip
    return replace(evaluation, notes=rows.with_notes(evaluation.notes))


def _own_costs(kept: Kept) -> list[Costs]:
    table = getattr(kept.model, "costs", None) if isinstance(kept.model, DecidedClassifier) else None
    if table is None:
        return []
    names = list(kept.model.classes_)
    return [Costs(pd.DataFrame(np.asarray(table, dtype=float), index=names, columns=names))]


def estimate_table(
    model: Kept | str | Path,
    table: str | Path,
    *,
    unlabeled: str | Path | None = None,
    scoring: str = "accuracy",
    positive: Any = None,
    confidence: float = CONFIDENCE,
    fmt: Format | FileOptions | None = None,
    merge_labels: bool = False,
    groups: str | None = None,
    random_state: int | None = None,
) -> Estimate:
    """Estimate how good a saved model is, from a file of labeled rows and, if there is one, a pool.

    Parameters
    ----------
    model : path, or what `foldless.saving.load` returned
        A model that was saved with the schema of its table.
    table : path, or "-" for standard input
        Labeled rows that the model was not trained on; rows without a label are left out, and so are rows of the
        training data, if the saved model tells which these are.
    unlabeled : path, optional
        The pool.
    scoring, confidence, random_state
        As for `foldless.estimate`.
    positive, fmt, merge_labels, groups
        As for `evaluate_table`.
    """
    rows = _unseen(labeled_rows(model, table, fmt, "foldless.estimate", merge_labels, groups))
    pool = None if unlabeled is None else rows.pool(unlabeled, fmt, random_state or 0)
    with one_sentence(rows.kept, rows.name):
        estimated = estimate(
            rows.kept.model, rows.X, rows.y,
            X_unlabeled=pool, groups=rows.groups, scoring=scorings([scoring], positive, rows.kept.classes)[0],
            confidence=confidence, random_state=random_state,
        )  # fmt: skip
    return replace(estimated, notes=rows.with_notes(estimated.notes))


def _unseen(rows: "LabeledRows") -> "LabeledRows":
    """The rows that the model was not trained on, with a note about the others: they say nothing of new rows."""
    if rows.kept.trained_on is None:
        return rows
    seen = among(rows.kept.trained_on, hashes(rows.X), rows.X)
    if not seen.any():
        return rows
    problem = f"{int(seen.sum()):,} of {len(seen):,} labeled rows are rows of the training data"
    at = np.flatnonzero(~seen)
    if len(at) < FEWEST:
        raise BadInput(
            f"{problem}: they say nothing of new rows, and an estimate needs at least {FEWEST} labeled rows that the "
            "model has not seen; what was estimated when it was chosen stands in its report"
        )
    groups = None if rows.groups is None else rows.groups[at]
    note = Finding("FL007", problem, rows=np.flatnonzero(seen), remedy=LEFT_OUT)
    return rows._replace(X=take(rows.X, at), y=take(rows.y, at), groups=groups, notes=(*rows.notes, note))


class LabeledRows(NamedTuple):
    """A model, features and labels of a file, and notes; messages call the model ``name``.

    ``groups`` are those of the rows, where a column names them.
    """

    kept: Kept
    name: str
    X: Any
    y: Array
    notes: tuple[str, ...]
    group_column: str | None = None
    groups: Array | None = None

    def pool(self, path: str | Path, fmt: Format | FileOptions | None, seed: int) -> Any:
        """Features of a file without labels; Parquet that is larger than memory stays in its files."""
        assert self.kept.schema is not None
        stored, _ = stored_rows(str(path), None, seed)
        if stored is not None:
            return stored.pool_of(self.kept.schema, self.name)
        read = read_table(str(path), fmt, self.kept.schema.dialect)
        X = features_of(read, self.kept.schema, self.name)
        if self.group_column is None or self.group_column not in read.frame:
            return X
        return Pool(X, groups=group_names(read, self.group_column))

    def with_notes(self, notes: Iterable[str]) -> tuple[str, ...]:
        """All notes; those on columns of groups name the column to pass."""
        named = [
            Finding(note.code, note.problem, columns=note.columns, remedy=keep_together(note.columns[0]))
            if isinstance(note, Finding) and note.code == "FL008"
            else note
            for note in notes
        ]
        return (*self.notes, *named)


def labeled_rows(
    model: Kept | str | Path,
    table: str | Path,
    fmt: Format | FileOptions | None,
    instead: str,
    merge_labels: bool = False,
    groups: str | None = None,
) -> LabeledRows:
    """The rows of a file that have a label; ``instead`` is what to use for models that read no columns.

    With ``merge_labels``, labels are those of the model that differ from them by case and spaces only. ``groups`` is
    the column whose values are groups of rows; without it, columns that look like groups have a note also where the
    model does not read them.
    """
    kept, schema, name = opened(model, instead)
    refuse_regressor(kept.model, f"the model in {name} is a regressor")
    read, notes = read_table(str(table), fmt, schema.dialect), list(kept.notes)
    labels = label_column.read(read, schema.label, None, notes)
    X = features_of(read, schema, name)
    known = np.flatnonzero(labels.notna())
    if len(known) < len(labels):
        notes.append(counted(len(labels) - len(known), *WITHOUT_LABEL).format(read.name))
    y = label_column.narrow(read.name, schema.label, labels.iloc[known])
    if all(isinstance(name, str) for name in kept.classes):
        y = label_column.as_text(y)  # 10 and 11 alone look like numbers, where 01 is a class
        alike = strange_spellings(y, kept.classes)
        notes += spelling_findings(alike, schema.label, merged=merge_labels, remedy=label_column.MERGE)
        y = label_column.renamed(y, one_spelling(y, kept.classes)) if merge_labels else y
    names = None
    if groups is not None:
        check_named(ColumnOptions(groups=groups), schema.label, read, [])
        names = group_names(read, groups, known)
    elif others := unread(list(read.frame), read.name, schema, name):
        notes += group_findings(read.frame[others], labels)
    return LabeledRows(kept, name, take(X, known), y, tuple(dict.fromkeys(notes)), groups, names)
