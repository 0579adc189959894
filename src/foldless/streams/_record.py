"""What a saved model of a stream says about itself: how it was trained, how it did, and what `shares` needs."""

from typing import Any

import numpy as np

from foldless.core import Array
from foldless.data._columns import Columns
from foldless.data._features import take
from foldless.errors import BadInput, SaveModel
from foldless.io._faults import Ledger
from foldless.judging._cross_fit import softened
from foldless.quantifiers import Held
from foldless.saving._plain_shapes import NUMBER, EachValue, misfit
from foldless.saving.model_files import Kept, plain_value
from foldless.streams._plan import Plan
from foldless.streams._preparation import describe
from foldless.streams._schemas import BY_KIND, StreamSchema
from foldless.streams._trainer import State
from foldless.streams.prequential import ConfusionMatrix

PARTS = {  # what `shares` reads
    "families": EachValue(str),
    "held": {"table": list | dict},
    "answers?": {"codes": [int], "probabilities": [[NUMBER]]},
}
MOST_ROWS, MOST_NUMBERS, DIGITS = 2_000, 20_000, 5  # of probabilities that are kept with a model


def record_of(state: State, plan: Plan, ledger: Ledger, hold_out: ConfusionMatrix) -> dict[str, Any]:
    name = str(plan.params["measure"])
    measure = getattr(state.learner, "measure", name)
    return {
        "criterion": None,
        "candidate": f"{plan.learner} for {name}" if hasattr(state.learner, "measure") else plan.learner,
        "score": None,
        "assumes": [
            "the first rows look like the later ones: they fixed the classes and the scale of the features",
            "held-out rows look like future rows, apart from the class shares",
            "the alarm of shares: rows are independent of each other, and do not come in bursts of one class",
        ],
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
            **_answers(state),
        },
    }


def _answers(state: State) -> dict[str, Any]:
    """Probabilities for some of the held-out rows (which are in no order), and their classes; nothing if too many."""
    k = len(state.classes)
    n = min(MOST_ROWS, len(state.held), MOST_NUMBERS // k)
    if n < 10 * k or not hasattr(state.learner, "decision_function"):
        return {}
    probabilities = soft_answers(state.learner, take(state.held.X, np.arange(n)))
    return {"answers": {"codes": state.held.codes[:n].tolist(), "probabilities": probabilities.round(DIGITS).tolist()}}


def soft_answers(model: Any, X: Any) -> Array:
    """Probabilities (n, K) of a model, or a softmax of its scores."""
    if hasattr(model, "predict_proba"):
        return np.asarray(model.predict_proba(X))
    return softened(model.decision_function(X))


def answers_of(kept: Kept) -> Held | None:
    """Probabilities for rows held out in training, with their classes; None where the model keeps none."""
    record = _record(kept)
    if record is None or "answers" not in record:
        return None
    return Held(np.array(record["answers"]["probabilities"], dtype=float), np.array(record["answers"]["codes"]),
                len(kept.model.classes_))  # fmt: skip


def schema_of(kept: Kept) -> StreamSchema | None:
    """The columns of a saved model, as an unlabeled stream has them."""
    if kept.schema is None or kept.schema.columns.width:
        return None
    columns: Columns = kept.schema.columns
    record = _record(kept)
    families = record["families"] if record else {name: BY_KIND[kind] for name, kind in columns.kinds.items()}
    return StreamSchema(columns, families)


def hold_out_of(kept: Kept) -> ConfusionMatrix | None:
    """The rows held out in training, by true and predicted class; None where there are none."""
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
    if wrong is None and "answers" in record:
        codes, rows, k = record["answers"]["codes"], record["answers"]["probabilities"], len(kept.model.classes_)
        numbers = [number for row in rows for number in row]
        sound = codes and len(codes) == len(rows) and all(len(row) == k for row in rows)
        if not sound or min(codes) < 0 or max(codes) >= k or not all(0 <= number <= 1 for number in numbers):
            wrong = "answers"
    if wrong is not None:
        raise _untold(wrong)
    return dict(record)


def _untold(part: str) -> BadInput:
    return BadInput(f"the model does not record its stream.{part}", remedy=SaveModel())


def _scores(counts: ConfusionMatrix, measure: Any) -> dict[str, Any]:
    return {**counts.scores(), "value": counts.value(measure)}
