"""What a saved model gets right and wrong on a table of labels that it has not seen."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from foldless.accuracy._assumptions import CONFIDENCE
from foldless.io._dialect import FileOptions
from foldless.io._formats import Format
from foldless.judging.costs import Costs
from foldless.learners.decided_classifier import DecidedClassifier
from foldless.results import Evaluation
from foldless.saving import Kept
from foldless.selection.evaluate import evaluated
from foldless.tables._labeled_rows import labeled_rows
from foldless.tables._scoring_names import scorings


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
        Whether labels are those of the model that differ from them by case and spaces only.
    groups : str, optional
        The column whose values are groups of rows that belong together: rows of one group count as one.
    """
    rows = labeled_rows(model, table, fmt, "foldless.evaluate", merge_labels, groups)
    with rows.one_sentence():
        evaluation = evaluated(
            rows.kept.model, rows.X, rows.y, rows.kept.trained_on,
            scoring=[*_own_costs(rows.kept), *scorings(scoring, positive, rows.kept.classes)], confidence=confidence,
            groups=rows.groups,
            random_state=random_state,
        )  # fmt: skip
    return replace(evaluation, notes=rows.with_notes(evaluation.notes))


def _own_costs(kept: Kept) -> list[Costs]:
    """The costs by which a saved model decides, if it does."""
    table = getattr(kept.model, "costs", None) if isinstance(kept.model, DecidedClassifier) else None
    if table is None:
        return []
    names = list(kept.model.classes_)
    return [Costs(pd.DataFrame(np.asarray(table, dtype=float), index=names, columns=names))]
