"""Labels for a table in Parquet that is larger than memory, read and written block by block."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from foldless.saving import Kept
from foldless.selection._probability_columns import Wanted, free_columns
from foldless.tables._saved_model import opened
from foldless.tables._stored_rows import LabelColumns, stored_rows
from foldless.tables.predictions import answering, answers_of, counted, predicted_column, unread_notes


@dataclass(frozen=True, eq=False)
class PredictedFile:
    """What `predict_file` has written: how many rows, how often each class was predicted, and notes."""

    kept: Kept
    label: str
    counts: dict[Any, int]
    rows: int
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Everything but the model as plain data for JSON."""
        known = counted(self.kept, self.label, self.counts, self.rows)
        return {**known, "labels": None, "probabilities": None, "notes": list(self.notes)}


def predict_file(
    model: Kept | str | Path, table: str | Path, output: str | Path, *, probabilities: Wanted = False
) -> PredictedFile | None:
    """Label the rows of Parquet files that are larger than memory; None where the table is small, or of another format.

    Parameters
    ----------
    model : path, or what `foldless.saving.load` returned
    table : a Parquet file, or a folder of them
    output : the file to write, with all columns of the table and the predicted labels behind them
    probabilities : whether to write probabilities too, as for `predict_table`
    """
    stored, notes = stored_rows(str(table), None, 0)
    if stored is None:
        return None
    kept, schema, name = opened(model, "foldless.saving.load")
    notes = [*kept.notes, *notes]
    notes += unread_notes(stored.source.schema.names, stored.source.name, schema, name)
    pool, labels, column = stored.pool_of(schema, name), LabelColumns(kept.model), predicted_column(schema.label)
    asked = answering(kept, name, probabilities)
    asked = free_columns(asked, column, probabilities, stored.check_free, notes)
    stored.write(output, pool, lambda X: labels.of(answers_of(kept, asked, X, name), column))
    return PredictedFile(kept, schema.label, labels.counts, labels.rows, (*notes, *labels.notes))
