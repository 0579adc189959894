"""The result of `train`: the model, how good it is, and what to know about it."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
from sklearn.pipeline import Pipeline

from foldless.core import Array
from foldless.data._columns import prepare
from foldless.data._features import in_pandas
from foldless.errors import BadInput
from foldless.io._atomic import check_place
from foldless.io._faults import Ledger
from foldless.saving.model_files import Kept, Schema, keep
from foldless.streams._plan import Plan
from foldless.streams._record import record_of
from foldless.streams._schemas import StreamSchema
from foldless.streams._trainer import State
from foldless.streams.prequential import ConfusionMatrix, PrequentialEvaluation

ENDING = ".skops"


@dataclass(frozen=True, eq=False)
class StreamTraining:
    """What `train` returns.

    Attributes
    ----------
    model : Pipeline
        The preparation of the columns and the fitted learner; `predict` reads data frames.
    classes : array of shape (K,)
        The classes, in the order of the confusion matrices.
    rows : int
        Rows that were learned from or held out.
    skipped : mapping
        How many faulty rows were skipped, by the kind of fault.
    evaluation : PrequentialEvaluation
        Predictions made before a batch was learned from: of the ``whole`` stream, and of ``recent`` batches.
    hold_out : ConfusionMatrix
        Predictions of the final model for the held-out rows.
    rows_per_second : float
        The speed of this run.
    notes : tuple of str
        What to know about the result.
    messages : tuple of str
        What was found on the way: faulty rows, rare classes.
    """

    model: Pipeline
    classes: Array
    rows: int
    skipped: Mapping[str, int]
    evaluation: PrequentialEvaluation
    hold_out: ConfusionMatrix
    rows_per_second: float
    notes: tuple[str, ...]
    messages: tuple[str, ...]
    schema: StreamSchema
    record: Mapping[str, Any]

    @classmethod
    def of(
        cls, state: State, plan: Plan, ledger: Ledger, notes: Sequence[str], rows_per_second: float
    ) -> "StreamTraining":
        """The result of a training that has come to its end."""
        hold_out = state.held_counts()
        return cls(
            Pipeline([("columns", state.preparation), ("model", state.learner)]), state.classes, state.rows,
            dict(ledger.counts), state.evaluation, hold_out, rows_per_second, (*notes, *state.ranges.notes()),
            tuple(ledger.messages), state.schema, record_of(state, plan, ledger, hold_out),
        )  # fmt: skip

    def predict(self, frame: Any) -> Array:
        """The labels that the model predicts for a data frame with the columns of the stream; others are not read."""
        frame = in_pandas(frame)
        known = frame[[name for name in self.schema.columns.kinds if name in frame]]
        return self.model.predict(prepare(known, self.schema.columns, "the data frame", "the stream"))

    def table(self) -> pd.DataFrame:
        """The evaluation: one row each for the whole stream, recent batches, and the held-out rows."""
        stream = self.record["stream"]
        shown = {"whole": stream["progressive"], "recent": stream["recent"], "hold_out": stream["held"]}
        columns = ["rows", "value", "kld", "balanced_accuracy", "accuracy"]
        return pd.DataFrame(
            [{name: scores[name] for name in columns} for scores in shown.values()], index=list(shown)
        ).rename(columns={"value": str(stream["measure"])})

    def saved(self) -> Kept:
        """The model as it is after saving and loading."""
        schema = Schema(str(self.schema.label), self.schema.columns)
        return Kept(self.model, tuple(self.record["stream"]["classes"]), schema, self.record, {})

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to a .skops file, for `shares` and ``foldless predict``."""
        keep(self.model, check_model_file(path), self.classes.tolist(), self.record, self.saved().schema)

    def to_dict(self) -> dict[str, Any]:
        """As plain data for JSON; ``foldless stream train`` prints it."""
        stream = {key: part for key, part in self.record["stream"].items() if key != "answers"}  # long, for `shares`
        return {
            **{key: self.record[key] for key in ("candidate", "assumes")},
            "stream": stream,
            "rows_per_second": self.rows_per_second,
            "notes": list(self.notes),
        }


def check_model_file(path: str | os.PathLike[str]) -> Path:
    """Whether a model can be saved there, as far as one can know before."""
    place = check_place(path)
    if place.suffix.lower() != ENDING:
        shown = f"the ending {place.suffix!r}" if place.suffix else "no ending"
        raise BadInput(f"{place} has {shown}", value=str(place), place="save", remedy=f"models are saved as {ENDING}")
    return place
