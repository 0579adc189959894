"""A stream for people: one line while it is read, and what there is to say at its end."""

import sys
import time
from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.live import Live
from rich.text import Text

from foldless.cli.console import Screen, dashed, number
from foldless.streams.registry import judged
from foldless.streams.trainer import Trainer

REFRESHES = 4  # times a second
WHY: Mapping[str, str] = {
    "bad line": "bad lines:", "missing label": "no label:", "unseen class": "unseen class:",
    "missing value": "missing value:", "value": "value of another kind:", "schema": "other columns or cut off:",
}  # fmt: skip


class Line:
    """Rows, rows per second and the recent measure on standard error, where it is a terminal."""

    def __init__(self, measure: str):
        console = Console(file=sys.stderr)
        self._live = (
            Live(console=console, transient=True, refresh_per_second=REFRESHES) if console.is_terminal else None
        )
        self._measure, self._start, self._before, self._shown = measure, time.monotonic(), None, 0.0
        self._rows = 0

    def __enter__(self) -> "Line":
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()

    def show(self, trainer: Trainer) -> None:
        """The line after a batch."""
        state, now = trainer.state, time.monotonic()
        if self._live is None or state is None or now - self._shown < 1 / REFRESHES:
            return
        self._shown = now
        self._live.update(Text(sentence(trainer, self._measure, now - self._start)))


def sentence(trainer: Trainer, measure: str, seconds: float) -> str:
    """How a training goes."""
    state = trainer.state
    if state is None:
        return "reading the first rows"
    recent = state.running.recent
    parts = [f"{state.rows:,} rows", f"{trainer.learned / max(seconds, 1e-9):,.0f} rows a second"]
    if recent.n:
        told = recent.told()
        parts += [f"recent {dashed(measure)} {number(judged(measure, recent))}", f"KLD {told['kld']:.2g}"]
        parts += [f"balanced accuracy {number(told['balanced_accuracy'], 3)}"]
    parts += [f"{trainer.ledger.total:,} skipped"] * bool(trainer.ledger.total)
    return ", ".join(parts)


def training(document: Mapping[str, Any]) -> None:
    """A training, as ``stream train --json`` prints it."""
    screen, stream = Screen(), document["stream"]
    screen.say(
        f"{stream['rows']:,} rows of {len(stream['classes'])} classes read by {document['candidate']}, "
        f"{stream['held']['rows']:,} of them set aside, {document['rows_per_second']:,.0f} rows a second; "
        f"columns: {stream['columns']}"
    )
    rows = {"while learning": stream["progressive"], "lately": stream["recent"], "rows set aside": stream["held"]}
    rows = {title: told for title, told in rows.items() if told["rows"]}
    screen.table(
        {
            "measured": list(rows),
            "rows": [f"{told['rows']:,}" for told in rows.values()],
            dashed(stream["measure"]): [number(told["value"]) for told in rows.values()],
            "KLD of shares": [f"{told['kld']:.2g}" for told in rows.values()],
            "balanced accuracy": [number(told["balanced_accuracy"]) for told in rows.values()],
            "accuracy": [number(told["accuracy"]) for told in rows.values()],
        }
    )
    if stream["skipped"]:
        screen.note(skipped(stream["skipped"]))
    for note in document["notes"]:
        screen.note(note)
    if document["saved"]:
        screen.say(f"The model is in {document['saved']}")


def skipped(counts: Mapping[str, int]) -> str:
    """How many rows and files were left out, and why."""
    files = counts.get("schema", 0)
    rows = sum(counts.values()) - files
    both = [f"{n:,} {one}{'s' * (n != 1)}" for n, one in ((rows, "row"), (files, "file")) if n]
    kinds = ", ".join(f"{WHY[kind]} {n:,}" for kind, n in counts.items())
    return f"{' and '.join(both)} {'was' if rows + files == 1 else 'were'} skipped ({kinds})"
