"""The state of a run on disk, whole or not at all, so that it is resumed after a kill to the same weights.

A zip archive without pickle: the learner, the preparation and the held-out rows as a skops file, the rest as JSON, and
a digest over both. It is written beside its place, flushed to the disk, and then takes the place in one step: a kill
at any moment leaves either the old checkpoint or the new one.
"""

import io
import json
import os
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numba
import numpy as np
import sklearn

from foldless._version import __version__
from foldless.data._columns import Columns
from foldless.errors import BadInput, SetArgument, StartOver
from foldless.io._atomic import flush_folder, placed, reason
from foldless.io._faults import Ledger
from foldless.io._parts import Place, StreamPart, fingerprint
from foldless.io._sources import check_archive
from foldless.saving._old_names import with_public_names
from foldless.saving._plain_shapes import LABEL, NUMBER, EachValue, misfit, within
from foldless.saving._trusted import check_repeated, fault_of, harness
from foldless.saving.model_files import COLUMNS, bordered_digest, opened, with_tuples
from foldless.streams._out_of_range import Ranges
from foldless.streams._plan import Plan
from foldless.streams._reservoir import ReservoirRows
from foldless.streams._schemas import StreamSchema
from foldless.streams._trainer import State
from foldless.streams.prequential import ConfusionMatrix, PrequentialEvaluation

FORMAT = 2
READABLE = (1, FORMAT)  # 1: classes had the names of foldless 0.1
MODEL, REST, DIGEST = "learned.skops", "checkpoint.json", "digest"
DIFFERS = {"size": "its size differs", "changed": "its modification time differs", "head": "its first bytes differ"}
PARTS = {
    "format": int,
    "versions": EachValue(str),
    "plan": dict,
    "parts": [{"name": str, "size": int, "changed": int, "head": str}],
    "place": {"part": int, "row": int, "line": int, "offset": int, "digest": str},
    "rows": int,
    "schema": {"columns": COLUMNS, "families": EachValue(str), "label": str, "left_out": [str]},
    "classes": {"dtype": str, "values": [LABEL]},
    "whole": list | dict,
    "recent": list | dict,
    "drawn": int,
    "ranges": {"names": [str], "low": [NUMBER], "high": [NUMBER], "outside": [int], "rows": int},
    "skipped": EachValue(int),
}


def write(path: Path, state: State, plan: Plan, parts: Sequence[StreamPart], ledger: Ledger) -> None:
    """Put a checkpoint in its place; when this returns it is on the disk."""
    from skops.io import dumps  # looks at all of scikit-learn when it is imported

    held = state.held
    learned = dumps(
        {"learner": state.learner, "preparation": state.preparation, "held_X": held.X, "held_codes": held.codes}
    )
    rest = {
        "format": FORMAT,
        "versions": _versions(),
        "plan": plan.plain(),
        "parts": [fingerprint(part) for part in parts[: state.place.part + 1]],
        "place": asdict(state.place),
        "rows": state.rows,
        "schema": asdict(state.schema),
        "classes": {"dtype": state.classes.dtype.str, "values": state.classes.tolist()},
        "whole": state.evaluation.whole.plain(),
        "recent": state.evaluation.recent.plain(),
        "drawn": held.drawn,
        "ranges": state.ranges.plain(),
        "skipped": ledger.counts,
    }
    members = {MODEL: learned, REST: json.dumps(rest).encode()}
    with placed(path, private=True) as beside, beside.open("wb") as file:
        with zipfile.ZipFile(file, "w") as archive:
            for name, content in {**members, DIGEST: _digest(members)}.items():
                archive.writestr(name, content)
        file.flush()
        os.fsync(file.fileno())
    flush_folder(path)


def read(path: Path, plan: Plan, parts: Sequence[StreamPart], ledger: Ledger) -> State:
    """The state in a checkpoint, if plan and files are those that it was written with.

    Other versions of what computes are reported: they resume from the same state, and may round differently from there.
    """
    members = _members(path)
    try:
        rest = json.loads(members[REST])
        number = rest.get("format") if isinstance(rest, dict) else None
        wrong = misfit(rest, PARTS) if number in READABLE else None
    except Exception as error:  # JSON of another origin
        raise _unusable(path, f"is not a checkpoint of a stream ({reason(error)})") from error
    if number not in READABLE:
        raise _unusable(path, f"has format {number!r}, this foldless reads {FORMAT}")
    if wrong is not None:
        raise _unusable(path, f"does not record its {wrong} as a checkpoint does")
    plan.check_same(rest["plan"], str(path))
    _check_parts(path, rest["parts"], parts, Place(**rest["place"]))
    learned = _learned(path, members[MODEL])
    try:
        state = _state(rest, learned, plan, len(parts))
    except Exception as error:  # what no run wrote fails in its own way
        raise _unusable(path, f"holds a state that no training makes ({reason(error)})") from error
    ledger.counts.update(rest["skipped"])
    others = [f"{name} {was}" for name, was in rest["versions"].items() if _versions().get(name) != was]
    if others:
        ledger.tell(
            f"{path} was written with {', '.join(others)}: the weights may differ in the last bits from those of a run "
            f"that was not interrupted"
        )
    return state


def _learned(path: Path, content: bytes) -> Any:
    """The learner, the preparation and the held-out rows, once they are known to be what they say."""
    try:
        model = with_public_names(content)
        check_repeated(model)
        learned, strange = opened(model)
    except Exception as error:  # skops raises anything on what it did not write
        raise _unusable(path, f"cannot be loaded ({reason(error)})") from error
    if strange:
        raise BadInput(f"{path} holds untrusted types, {', '.join(strange[:5])}: resume only from what foldless wrote")
    if (fault := fault_of(learned)) is not None:
        raise _unusable(path, f"holds a {fault.part} that no training makes")
    return harness(learned)


def _state(rest: dict[str, Any], learned: Any, plan: Plan, n_parts: int) -> State:
    """The state that a checkpoint tells; parts that do not agree are a `ValueError`."""
    schema, place = rest["schema"], Place(**rest["place"])
    columns = Columns(**with_tuples(schema["columns"]))
    classes = np.array(rest["classes"]["values"], dtype=rest["classes"]["dtype"])
    whole, recent = (ConfusionMatrix.from_plain(rest[name], len(classes)) for name in ("whole", "recent"))
    held = ReservoirRows(plan.hold, plan.seed, learned["held_X"], learned["held_codes"], rest["drawn"])
    state = State(
        StreamSchema(**with_tuples({**schema, "columns": columns})), classes, learned["preparation"],
        learned["learner"], PrequentialEvaluation(len(classes), whole, recent), held, Ranges.kept(rest["ranges"]),
        place, rest["rows"],
    )  # fmt: skip
    n_held = 0 if held.X is None else held.X.shape[0]
    agree = {
        "columns": not columns.width,
        "classes": np.array_equal(state.learner.classes_, classes) and np.array_equal(np.unique(classes), classes),
        "place": min(place.part, place.row, place.line, place.offset, state.rows - 1) >= 0 and place.part <= n_parts,
        "held-out rows": held.codes.shape == (n_held,)
        and n_held <= min(plan.hold, held.drawn)
        and within(held.codes, len(classes)),
        "families": set(state.schema.names) <= set(state.schema.families),
        "label": state.schema.label == plan.label,
        "ranges": len({len(rest["ranges"][name]) for name in ("names", "low", "high", "outside")}) == 1,
        "skipped rows": min(rest["skipped"].values(), default=0) >= 0,
    }
    if wrong := [what for what, fine in agree.items() if not fine]:
        raise ValueError(f"its {wrong[0]} do not agree")
    return state


def _unusable(path: Path, problem: str) -> BadInput:
    return BadInput(f"{path} {problem}", remedy=StartOver(str(path)))


def _versions() -> dict[str, str]:
    return {
        "foldless": __version__,
        "numpy": np.__version__,
        "numba": numba.__version__,
        "scikit-learn": sklearn.__version__,
    }


def _members(path: Path) -> dict[str, bytes]:
    try:
        with zipfile.ZipFile(io.BytesIO(path.read_bytes())) as archive:
            check_archive(archive, str(path))
            members = {name: archive.read(name) for name in (MODEL, REST)}
            whole = archive.read(DIGEST) == _digest(members)
    except BadInput:
        raise
    except OSError as error:
        raise BadInput(f"{path} cannot be read ({reason(error)}): check its permissions") from error
    except Exception as error:  # zipfile raises errors of many kinds on files of another origin
        raise _unusable(path, f"is not a checkpoint of a stream ({reason(error)})") from error
    if not whole:
        raise _unusable(path, "does not match its digest, so it was damaged or changed")
    return members


def _digest(members: Mapping[str, bytes]) -> bytes:
    return bordered_digest(part for name in sorted(members) for part in (name.encode(), members[name])).encode()


def _check_parts(path: Path, before: Sequence[Mapping[str, Any]], parts: Sequence[StreamPart], place: Place) -> None:
    """Files that were read must be as they were; others may follow them.

    In a text file that was left in its middle only the bytes that were read count: they have a digest, which is checked
    where the file is opened. After them it may have been corrected, or have grown.
    """
    for at, was in enumerate(before):
        if at >= len(parts) or parts[at].name != was["name"]:
            now = f"{parts[at].name} is" if at < len(parts) else "nothing is"
            raise _unusable(path, f"has read {was['name']} as part {at + 1} of the stream, where {now} now")
        if at == place.part and place.digest:
            continue
        now_is = fingerprint(parts[at])
        how = next((what for key, what in DIFFERS.items() if now_is[key] != was[key]), None)
        if how is not None:
            raise BadInput(
                f"{was['name']} has changed since {path} was written ({how}), so no run can continue in it",
                place=was["name"],
                remedy=(
                    SetArgument("on_error", "skip", to="restore the file and leave out a bad row"),
                    StartOver(str(path)),
                ),
            )
