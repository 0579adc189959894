"""The accuracy of a saved model on new rows, from a table of labels that it has not seen."""

import warnings
from pathlib import Path
from typing import Any

import numpy as np

from foldless.data.features import take
from foldless.errors import BadInput, FoldlessError
from foldless.estimators import Estimate
from foldless.estimators.interval_estimate import CONFIDENCE
from foldless.io import Table, read_table
from foldless.io.atomic import reason
from foldless.io.formats import Format
from foldless.saving import Kept, Schema, load
from foldless.selection.estimate import estimate
from foldless.tables import label_column
from foldless.tables.problem import features


def estimate_table(
    model: Kept | str | Path,
    table: str | Path,
    *,
    unlabeled: str | Path | None = None,
    scoring: str = "accuracy",
    confidence: float = CONFIDENCE,
    fmt: Format | None = None,
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
    fmt : str, optional
        The format of standard input, or of a file whose ending does not name it.
    """
    kept, name = (model, "the model") if isinstance(model, Kept) else (load(model), str(model))
    if kept.schema is None:
        raise BadInput(f"{name} was not trained on a table, so it reads no columns: use foldless.estimate in Python")
    read, notes = read_table(str(table), fmt), list[str]()
    labels = label_column.read(read, kept.schema.label, None, notes)
    X = _features(read, kept.schema, name)
    known = np.flatnonzero(labels.notna())
    y = label_column.narrow(read.name, kept.schema.label, labels.iloc[known])
    if all(isinstance(name, str) for name in kept.classes):
        y = label_column.as_text(y)  # 10 and 11 alone look like numbers, where 01 is a class
    pool = None if unlabeled is None else _features(read_table(str(unlabeled), fmt), kept.schema, name)
    given: dict[str, Any] = {
        "X_unlabeled": pool,
        "scoring": scoring,
        "confidence": confidence,
        "random_state": random_state,
    }
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the note says that the version is another
            return estimate(kept.model, take(X, known), y, **given)
    except FoldlessError:
        raise
    except Exception as error:  # a model of another version, or a forged one, fails in its own way
        why = "; ".join(kept.notes) or "save the model again"
        raise BadInput(f"{name} cannot label these rows ({reason(error)}): {why}") from error


def _features(read: Table, schema: Schema, model: str) -> Any:
    """The columns that the model reads, in its order and types."""
    lacks = [name for name in schema.columns.kinds if name not in read.frame]
    if lacks:
        raise BadInput(f"{read.name} lacks column {lacks[0]!r} that {model} was trained on: add or rename it")
    others = [str(name) for name in read.frame if name not in schema.columns.kinds]
    return features(read, schema.columns, model, list(dict.fromkeys([schema.label, *others])))
