"""``foldless stream train``: a classifier that counts right, from files of any size or from standard input."""

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from foldless.cli import documents, grids, streamed
from foldless.cli.options import with_options
from foldless.cli.outputs import check_outputs
from foldless.cli.remedies import worded
from foldless.data.columns import Kind
from foldless.engine.stopping import Stop
from foldless.errors import BadInput, Interrupted
from foldless.io.atomic import check_place
from foldless.io.batches import Stream
from foldless.io.faults import Ledger
from foldless.io.parts import STREAMED, Part, partitioned, parts_of
from foldless.measures import BY_NAME
from foldless.streams import record as recording
from foldless.streams import registry as learners
from foldless.streams.plan import Plan
from foldless.streams.resume import Resumable
from foldless.streams.trainer import State, Trainer

DEFAULTS = Plan("", "")
FILES = click.argument("files", nargs=-1, required=True)
ON_ERROR = click.option("--on-error", type=click.Choice(["skip", "stop"]), default="stop", show_default=True,
                        help="What to do about a faulty row; nothing is learned from it.")  # fmt: skip
FORMAT = click.option("--format", "fmt", type=click.Choice(STREAMED),
                      help="What standard input (-) holds, else csv; or files whose ending does not tell.")  # fmt: skip
NAMES = ", ".join(name.replace("_", "-") for name in BY_NAME)


@click.command(short_help="Learn from a stream, and keep the model.")
@with_options(
    FILES,
    click.option("--label", required=True, metavar="COL", help="The column that holds the classes."),
    click.option("--learner", type=click.Choice(list(learners.LEARNERS)), default=learners.USUAL, show_default=True,
                 help="What learns."),
    click.option("--measure", metavar="NAME", show_default=learners.MEASURES[learners.USUAL].replace("_", "-"),
                 help=f"What it learns to be good at, of those that it can: {NAMES}."),
    click.option("--param", "params", multiple=True, metavar="KEY=VALUE",
                 help="A parameter of the learner, such as eta0=0.1; may be repeated."),
    click.option("--classes", metavar="A,B,...",
                 help="All classes, where the first rows may not have each of them."),
    click.option("--drop", multiple=True, metavar="COL", help="A column to leave out; may be repeated."),
    click.option("--text", multiple=True, metavar="COL", help="A column to take as text; may be repeated."),
    click.option("--categorical", multiple=True, metavar="COL",
                 help="A column to take as categories, numbers too; may be repeated."),
    click.option("--missing", type=click.Choice(["error", "impute"]), default="error", show_default=True,
                 help="Whether a missing value is a fault of its row."),
    ON_ERROR,
    FORMAT,
    click.option("--batch", type=click.IntRange(min=1), default=DEFAULTS.batch, show_default=True, metavar="ROWS",
                 help="Rows taken together; the first so many fix classes and scale."),
    click.option("--hold", type=click.IntRange(min=0), default=DEFAULTS.hold, show_default=True, metavar="ROWS",
                 help="Rows to set aside at most, one in ten until these are full: they judge the model."),
    click.option("--seed", type=click.IntRange(0, 2**32 - 1), default=0, show_default=True, help="Behind that draw."),
    click.option("--checkpoint", metavar="FILE", show_default="MODEL.checkpoint until the end",
                 help="Where a run that is stopped or killed goes on."),
    click.option("--every", type=click.IntRange(min=1), default=500_000, show_default=True, metavar="ROWS",
                 help="Rows between two checkpoints."),
    click.option("--save", metavar="FILE", help="Keep the model, as .skops, for stream shares and predict."),
    click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead of a table."),
)  # fmt: skip
def train(files: tuple[str, ...], save: str | None, every: int, as_json: bool, **given: Any) -> None:
    """Learn from the stream FILES, in one pass and in constant memory.

    Numbers are scaled by the first rows, strings are hashed. Each batch is predicted before it is learned from, which
    shows how good the learner is on rows it has not seen. The same command goes on after a kill, to the same weights.

    \b
    Examples:
      foldless stream train --label spam mail.parquet --save model.skops
      foldless stream train --label spam --learner nemsis --measure bakld --on-error skip days/ --save model.skops
    """
    parts = parts_of(files, given["fmt"])
    for sentence in unread(parts):
        note(sentence)
    plan = _plan(given)
    learner = learners.make(plan.learner, plan.params)
    path = _checkpoint(parts, given["checkpoint"], save)
    check_outputs({"--save": save}, [str(part.path) for part in parts if part.path is not None])
    with Stop() as stop:  # to the very end: Ctrl-C during the last steps does not undo the others
        stream = Stream(parts, plan.batch, wants_stop=lambda: stop.reason is not None)
        ledger = Ledger(given["on_error"], note)
        trainer = Trainer(stream, plan, learner, ledger)
        state, notes, seconds = _learn(trainer, path, every, stop)
        record = recording.record_of(state, plan, ledger)
        if save is not None:
            recording.save(state, record, save)
        if path is not None and given["checkpoint"] is None:
            path.unlink(missing_ok=True)
        document = {
            **{key: record[key] for key in ("candidate", "stream", "assumes")},
            "rows_per_second": trainer.learned / max(seconds, 1e-9),
            "saved": save,
            "checkpoint": given["checkpoint"],
            "notes": [*notes, *map(worded, state.ranges.told())],
            "versions": documents.versions(),
        }
        if as_json:
            click.echo(documents.dumped(document))
        else:
            streamed.training(document)


def note(sentence: str) -> None:
    """Tell something on the way, beside the result."""
    click.echo(f"Note: {worded(sentence)}", err=True)


def unread(parts: Sequence[Part]) -> list[str]:
    """What the names of folders say and files do not."""
    names = partitioned(parts)
    said = ", ".join(f"{name}=…" for name in names)
    return [f"folders named {said} are read like others: what their names say is in no column"] if names else []


def _learn(trainer: Trainer, path: Path | None, every: int, stop: Stop) -> tuple[State, list[str], float]:
    """Take a trainer to the end of its stream; the state there, what there is to note, and how many seconds it took."""
    notes: list[str] = []
    with streamed.Line(str(trainer.plan.params["measure"])) as line:
        run = Resumable(trainer, path, every, stop, line.show)
        if run.go_on() and trainer.state is not None:
            notes.append(f"it went on from {path}, behind {trainer.state.rows:,} rows")
        start = time.monotonic()
        state = run.run()
        seconds = time.monotonic() - start
    if stop.interrupted and not (trainer.ended and trainer.stream.parts[0].path):
        _interrupted(trainer.stream.parts, path, state.rows, notes)
    return state, notes, seconds


def _plan(given: Mapping[str, Any]) -> Plan:
    name = given["learner"]
    measure = (given["measure"] or learners.MEASURES[name]).replace("-", "_")
    kinds: dict[str, Kind] = {
        **dict.fromkeys(given["text"], "text"),
        **dict.fromkeys(given["categorical"], "categorical"),
    }
    _check_columns(given)
    return Plan(
        given["label"], name, {"measure": measure, **_params(given["params"])}, given["drop"], kinds, given["missing"],
        tuple(text.strip() for text in (given["classes"] or "").split(",") if text.strip()),
        given["batch"], given["hold"], given["seed"],
    )  # fmt: skip


def _check_columns(given: Mapping[str, Any]) -> None:
    named = {"--label": (given["label"],), **{f"--{key}": given[key] for key in ("drop", "text", "categorical")}}
    seen: dict[str, str] = {}
    for option, names in named.items():
        for name in names:
            if name in seen:
                raise BadInput(f"column {name!r} is named by {seen[name]} and by {option}: name it once")
            seen[name] = option


def _params(texts: Sequence[str]) -> dict[str, Any]:
    params: dict[str, Any] = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals or not key.strip() or not value.strip():
            raise BadInput(f"--param {text!r} is not of the form key=value: write eta0=0.1")
        if key.strip() in ("measure", *params):
            raise BadInput(f"--param {text!r} gives {key.strip()} a second time: write it once")
        params[key.strip()] = grids.value(value.strip())
    return params


def _checkpoint(parts: Sequence[Part], named: str | None, save: str | None) -> Path | None:
    """Where the checkpoint is; standard input has none, for nobody can read it again."""
    if parts[0].path is None:
        if named is not None:
            raise BadInput(
                "standard input cannot be read again, so a run on it cannot go on: leave out --checkpoint, or it"
            )
        return None
    if named is None:
        return None if save is None else Path(f"{save}.checkpoint")
    taken = [part.path for part in parts if part.path is not None] + ([Path(save)] if save is not None else [])
    if Path(named).resolve() in [path.resolve() for path in taken]:
        raise BadInput(f"{named} is also read or saved in this run: name another file for --checkpoint")
    return check_place(named)


def _interrupted(parts: Sequence[Part], path: Path | None, rows: int, notes: list[str]) -> None:
    """Ctrl-C ends standard input, and leaves the rest of files for another time."""
    if parts[0].path is None:
        notes.append(f"it was interrupted: standard input ended behind {rows:,} rows, and cannot be resumed")
    elif path is None:
        raise Interrupted(f"interrupted behind {rows:,} rows; with --save or --checkpoint the same command could go on")
    else:
        raise Interrupted(f"interrupted behind {rows:,} rows; the same command goes on from {path}")
