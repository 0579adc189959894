"""What a model of a stream tells about itself: how it was made, how it did, and what shares and alarms need."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline

from foldless.core import Array
from foldless.data.columns import Columns
from foldless.io.faults import Ledger
from foldless.io.schemas import BY_KIND, StreamSchema
from foldless.saving import model_files
from foldless.streams.plan import Plan
from foldless.streams.preparation import describe
from foldless.streams.prequential import Counts
from foldless.streams.registry import judged
from foldless.streams.trainer import State

ASSUMES = (
    "the first rows look like the later ones: they fixed the classes and the scale of the features",
    "rows set aside look like rows to come, apart from the class shares",
    "the alarm of shares: rows are independent of each other, and do not come in bursts of one class",
)


def record_of(state: State, plan: Plan, ledger: Ledger) -> dict[str, Any]:
    """A trained state as plain data."""
    held, measure = state.held_counts(), str(plan.params["measure"])
    return {
        "criterion": None,
        "candidate": f"{plan.learner} for {measure}",
        "score": None,
        "assumes": list(ASSUMES),
        "certificate": None,
        "stream": {
            "plan": plan.plain(),
            "families": dict(state.schema.families),
            "columns": describe(state.schema.columns),
            "classes": [model_files.plain_value(label) for label in state.classes],
            "rows": state.rows,
            "skipped": dict(ledger.counts),
            "measure": measure,
            "progressive": _told(state.running.whole, measure),
            "recent": _told(state.running.recent, measure),
            "held": {**_told(held, measure), "table": held.table.tolist()},
        },
    }


def save(state: State, record: Mapping[str, Any], path: str) -> None:
    """Write the model of a state, which reads tables like any other that is kept."""
    model = Pipeline([("columns", state.preparation), ("model", state.learner)])
    schema = model_files.Schema(str(state.schema.label), state.schema.columns)
    model_files.keep(model, path, state.classes.tolist(), record, schema)


def schema_of(kept: model_files.Kept) -> StreamSchema | None:
    """The columns of a kept model, as an unlabeled stream has them."""
    if kept.schema is None or kept.schema.columns.width:
        return None
    columns: Columns = kept.schema.columns
    told = kept.selection.get("stream")
    families = told["families"] if told else {name: BY_KIND[kind] for name, kind in columns.kinds.items()}
    return StreamSchema(columns, families)


def held_of(kept: model_files.Kept) -> Array | None:
    """The rows set aside in training, by true and predicted class; None where there are none."""
    told = kept.selection.get("stream")
    table = None if told is None else np.array(told["held"]["table"])
    return None if table is None or not table.sum() else table


def _told(counts: Counts, measure: str) -> dict[str, Any]:
    return {**counts.told(), "value": judged(measure, counts)}
