"""Labels for a new table by a model that was saved.

The table is prepared as the training table of the model was: kinds of columns are not recognized again, and missing
values are treated as they were then. All columns are kept as they were written, a label column too, and predicted
labels come behind them as ``predicted_<label>``.

A model that has scores and no probabilities, such as a linear SVM, is saved with a temperature from out-of-fold
scores; the softmax of its scores, divided by it, is the probability of each class.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd

from foldless.core import Array
from foldless.core._plain import plain_value
from foldless.errors import BadInput, some_columns
from foldless.errors import counted as number_of
from foldless.io import read_table
from foldless.io._dialect import FileOptions
from foldless.io._formats import Format
from foldless.saving import Kept, Schema
from foldless.selection._probability_columns import Answering, LabelAnswers, Wanted, free_columns
from foldless.tables._kept_rows import BytesFile, KeptRows
from foldless.tables._saved_model import features_of, one_sentence, opened, unread
from foldless.tables._stored_rows import UNLABELED


@dataclass(frozen=True, eq=False)
class Predictions:
    """What a saved model predicts for a table.

    Attributes
    ----------
    kept : the saved model, with how it was chosen
    label : the name of the label column that the model was trained on
    column : the name of the column of predicted labels, ``predicted_<label>``
    labels : the predicted labels; None where no labeled row reaches a row
    probability : the probability of each predicted label; None where it is not known or was not asked for
    agreement : of an average, the weight of the members that predict the label by themselves; None for other models
    probabilities : an array for each class, named ``P(class)``; empty where they were not asked for
    rows : the rows of the table as they were written
    notes : sentences a user should read
    """

    kept: Kept
    label: str
    answers: LabelAnswers = field(repr=False)
    rows: KeptRows = field(repr=False)
    notes: tuple[str, ...] = ()

    @cached_property
    def frame(self) -> pd.DataFrame:
        """The table with its predicted labels, and probabilities, in the last columns."""
        return self.rows.labeled(self._new)

    def write(self, path: str | Path) -> None:
        """Put the table with its labels into a file; text of the same format is copied byte for byte."""
        self.rows.write(path, self._new)

    def print_csv(self, file: BytesFile) -> None:
        """The table with its labels as CSV."""
        self.rows.print_csv(file, self._new)

    @property
    def labels(self) -> Array:
        return self.answers.labels

    @property
    def probability(self) -> Array | None:
        return self.answers.probability

    @property
    def agreement(self) -> Array | None:
        return self.answers.agreement

    @property
    def probabilities(self) -> Mapping[str, Array]:
        return self.answers.classes

    @property
    def _new(self) -> dict[str, Array]:
        return {self.column: self.labels, **self.answers.beside(self.column)}

    @property
    def column(self) -> str:
        return predicted_column(self.label)

    def to_dict(self) -> dict[str, Any]:
        """Everything but the model and the table, as plain data for JSON."""
        answers, beside = _plain(self.labels), {"probability": self.probability, "agreement": self.agreement}
        return {
            **counted(self.kept, self.label, {name: answers.count(name) for name in self.kept.classes}, len(answers)),
            "labels": answers,
            **{name: _plain(values) for name, values in beside.items() if values is not None},
            "probabilities": {name: _plain(values) for name, values in self.probabilities.items()} or None,
            "notes": list(self.notes),
        }


def _plain(values: Array) -> list[Any]:
    return [plain_value(value) for value in values]


def counted(kept: Kept, label: str, counts: Mapping[Any, int], rows: int) -> dict[str, Any]:
    """How a saved model was chosen, and how often it predicts each class, as plain data."""
    how = {key: kept.selection[key] for key in ("candidate", "criterion", "score", "assumes", "certificate")}
    return {
        "model": {**how, "versions": dict(kept.versions)},
        "label": label,
        "column": predicted_column(label),
        "rows": rows,
        "shares": [{"class": name, "predicted": counts.get(name, 0) / rows} for name in kept.classes],
    }


def predict_table(
    model: Kept | str | Path,
    table: str | Path,
    *,
    fmt: Format | FileOptions | None = None,
    probabilities: Wanted = False,
) -> Predictions:
    """Label the rows of a file with a saved model.

    Parameters
    ----------
    model : path, or what `foldless.saving.load` returned
        A model that was saved with the schema of its table: ``save(search.selection_, path, problem.schema)``.
    table : path, or "-" for standard input
        The rows to label. It needs the columns that the model was trained on; others are kept and not read.
    fmt : str or `foldless.io.FileOptions`, optional
        The format of standard input, or of a file whose ending does not name it, or more that is to be said of it.
    probabilities : bool or "auto"
        Predict the probability of the label and of each class too, and of an average the agreement of its members. A
        model without probabilities of its own has them from out-of-fold scores, if it was saved by a search that made
        an estimate. "auto" leaves out what the model or the table has no room for: probabilities of more than 20
        classes, and columns whose names are taken.

    Examples
    --------
    >>> import pandas as pd
    >>> from foldless import FoldlessSearch
    >>> from foldless.saving import save
    >>> from foldless.tables import candidates, predict_table, read_problem
    >>> pd.DataFrame({"x": [0, 1, 2, 7, 8, 9], "size": list("sssLLL")}).to_csv("train.csv", index=False)
    >>> problem = read_problem("train.csv", "size")
    >>> search = FoldlessSearch(candidates("naive-bayes", problem.columns), criterion="k_fold", random_state=0)
    >>> search = search.fit(problem.X, problem.y)
    >>> save(search.selection_, "model.skops", problem.schema)
    >>> pd.DataFrame({"x": [1, 8], "id": [10, 20]}).to_csv("new.csv", index=False)
    >>> predict_table("model.skops", "new.csv").frame.columns.tolist()
    ['x', 'id', 'predicted_size']
    """
    kept, schema, name = opened(model, "foldless.saving.load")
    read = read_table(str(table), fmt, schema.dialect)
    X = features_of(read, schema, name)
    notes = [*kept.notes, *read.notes, *unread_notes(list(read.frame), read.name, schema, name)]
    rows = KeptRows([(read, None)], schema.label)
    column, asked = predicted_column(schema.label), answering(kept, name, probabilities)
    asked = free_columns(asked, column, probabilities, rows.check_free, notes)
    answers = answers_of(kept, asked, X, name)
    notes += unlabeled_note(answers.labels, kept.model)
    return Predictions(kept, schema.label, answers, rows, tuple(notes))


def predicted_column(label: str) -> str:
    """The column of predicted labels."""
    return f"predicted_{label}"


def unlabeled_note(labels: Array | None, model: Any = None) -> list[str]:
    """A note on the rows that stay without a label, where there are any: ``model`` may have a threshold."""
    n = 0 if labels is None or labels.dtype.kind != "O" else sum(label is None for label in labels)
    if n and labels is not None and getattr(model, "threshold", None) is not None:
        label = plain_value(model.positive)
        return [
            f"{n:,} of {len(labels):,} rows are left empty: the probability of {label!r} is below {model.threshold:.3f}"
        ]
    return [number_of(n, *UNLABELED)] if n else []


def unread_notes(columns: Sequence[Any], table: str, schema: Schema, model: str) -> list[str]:
    """Notes on the columns of a table that the model does not read; an error where it lacks one."""
    notes = []
    if others := unread(columns, table, schema, model):
        are = "are" if len(others) > 1 else "is"
        notes.append(f"{some_columns(others)} of {table} {are} not read by the model, and kept in the output")
    if schema.label in columns:
        notes.append(
            f"the column {schema.label!r} of {table} is kept and not read: predicted labels are in "
            f"{predicted_column(schema.label)!r}"
        )
    return notes


def answers_of(kept: Kept, asked: Answering, X: Any, model: str) -> LabelAnswers:
    """What a saved model answers about rows, as many as they are; one sentence where it cannot."""
    with one_sentence(kept, model):
        answers = asked.about(X)
        if len(answers.labels) != X.shape[0]:
            raise ValueError(f"it has {len(answers.labels)} answers for {X.shape[0]} rows")
    return answers


def answering(kept: Kept, model: str, wanted: Wanted) -> Answering:
    """The saved model with the probabilities that are wanted; an error where it has none and they were asked for."""
    answers = Answering(kept.model, kept.temperature, wanted)
    if wanted is True and not answers.known:
        chosen = kept.selection.get("candidate", "the model")
        raise BadInput(
            f"{chosen} in {model} gives no probabilities, and was saved without out-of-fold scores: ask for labels "
            f"only, or save it again from a search with an estimate"
        )
    return answers
