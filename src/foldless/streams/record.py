"""What a saved model of a stream says about itself: how it was trained, how it did, and what `shares` needs."""

from typing import Any

from foldless.data.columns import Columns
from foldless.errors import BadInput, SaveModel
from foldless.io.faults import Ledger
from foldless.io.schemas import BY_KIND, StreamSchema
from foldless.saving.model_files import Kept, plain_value
from foldless.saving.plain_shapes import Values, misfit
from foldless.streams.plan import Plan
from foldless.streams.preparation import describe
from foldless.streams.prequential import ConfusionMatrix
from foldless.streams.trainer import State

PARTS = {"families": Values(str), "held": {"table": list | dict}}  # what `shares` reads
ASSUMES = (
    "the first rows look like the later ones: they fixed the classes and the scale of the features",
    "rows set aside look like rows to come, apart from the class shares",
    "the alarm of shares: rows are independent of each other, and do not come in bursts of one class",
)


def record_of(state: State, plan: Plan, ledger: Ledger, hold_out: ConfusionMatrix) -> dict[str, Any]:
    """A trained state as plain data."""
    name = str(plan.params["measure"])
    measure = getattr(state.learner, "measure", name)
    return {
        "criterion": None,
        "candidate": f"{plan.learner} for {name}" if hasattr(state.learner, "measure") else plan.learner,
        "score": None,
        "assumes": list(ASSUMES),
        "certificate": None,
        "stream": {
            "plan": plan.plain(),
            "families": dict(state.schema.families),
            "columns": describe(state.schema.columns),
            "classes": [plain_value(label) for label in state.classes],
            "rows": state.rows,
            "skipped": dict(ledger.counts),
            "measure": name,
            "progressive": _scores(state.evaluation.whole, measure),
            "recent": _scores(state.evaluation.recent, measure),
            "held": {**_scores(hold_out, measure), "table": hold_out.plain()},
        },
    }


def schema_of(kept: Kept) -> StreamSchema | None:
    """The columns of a saved model, as an unlabeled stream has them."""
    if kept.schema is None or kept.schema.columns.width:
        return None
    columns: Columns = kept.schema.columns
    record = _record(kept)
    families = record["families"] if record else {name: BY_KIND[kind] for name, kind in columns.kinds.items()}
    return StreamSchema(columns, families)


def hold_out_of(kept: Kept) -> ConfusionMatrix | None:
    """The rows set aside in training, by true and predicted class; None where there are none."""
    record = _record(kept)
    if record is None:
        return None
    try:
        counts = ConfusionMatrix.from_plain(record["held"]["table"], len(kept.model.classes_))
        if counts.table.dtype.kind == "f":
            raise ValueError("rows are whole")
    except (ValueError, OverflowError) as error:
        raise _untold("held.table") from error
    return counts if counts.n_rows else None


def _record(kept: Kept) -> dict[str, Any] | None:
    """What a saved model of a stream tells, once it is known to agree with the model."""
    record = kept.selection.get("stream")
    if record is None or kept.schema is None:
        return None
    wrong = misfit(record, PARTS)
    if wrong is None and not set(kept.schema.columns.kinds) <= set(record["families"]):
        wrong = "families"
    if wrong is not None:
        raise _untold(wrong)
    return dict(record)


def _untold(part: str) -> BadInput:
    return BadInput(f"the model does not tell its stream.{part}", remedy=SaveModel())


def _scores(counts: ConfusionMatrix, measure: Any) -> dict[str, Any]:
    return {**counts.scores(), "value": counts.value(measure)}
