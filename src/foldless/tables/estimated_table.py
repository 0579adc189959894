"""The accuracy of a saved model on new rows, from a table of labels that it has not seen."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from foldless.accuracy._assumptions import CONFIDENCE
from foldless.io._dialect import FileOptions
from foldless.io._formats import Format
from foldless.results import Estimate
from foldless.saving import Kept
from foldless.selection.estimate import estimate
from foldless.tables._labeled_rows import labeled_rows
from foldless.tables._scoring_names import scorings


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
        Labeled rows that the model was not trained on; rows without a label are left out.
    unlabeled : path, optional
        The pool.
    scoring, confidence, random_state
        As for `foldless.estimate`.
    positive : str, optional
        The class that a metric of one class, such as "f1", is of.
    fmt : str or `foldless.io.FileOptions`, optional
        The format of standard input, or of a file whose ending does not name it.
    merge_labels : bool
        Whether labels are those of the model that differ from them by case and spaces only.
    groups : str, optional
        The column whose values are groups of rows that belong together: rows of one group count as one.
    """
    rows = labeled_rows(model, table, fmt, "foldless.estimate", merge_labels, groups)
    pool = None if unlabeled is None else rows.pool(unlabeled, fmt, random_state or 0)
    with rows.one_sentence():
        estimated = estimate(
            rows.kept.model, rows.X, rows.y,
            X_unlabeled=pool, groups=rows.groups, scoring=scorings([scoring], positive, rows.kept.classes)[0],
             confidence=confidence, random_state=random_state,
        )  # fmt: skip
    return replace(estimated, notes=rows.with_notes(estimated.notes))
