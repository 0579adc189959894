"""A stream on the terminal: one line while it is read, a summary at its end, and class shares window by window."""

import csv
import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from math import isnan, sqrt
from typing import Any

import click
from rich.console import Console
from rich.live import Live
from rich.text import Text

from foldless.cli.terminal._console import Screen, dashed, number
from foldless.cli.terminal._printable import PrintableFile
from foldless.streams import PrevalenceWindow, Progress
from foldless.streams.shares import column_names

REFRESHES = 4  # times a second
PACE = 60.0  # seconds between two lines of a log
NAMED: Mapping[str, str] = {"kld": "KLD", "balanced_accuracy": "bal. acc."}
COIN = 2.0  # standard errors of the balanced accuracy within which a model is a coin
WHY: Mapping[str, str] = {
    "bad line": "bad lines:", "missing label": "no label:", "unseen class": "unseen class:",
    "missing value": "missing value:", "value": "value of another type:", "schema": "other columns or truncated:",
}  # fmt: skip


@contextmanager
def progress_line() -> Iterator[Callable[[Progress], None]]:
    """What shows a batch in one line on standard error: on a terminal at once, in a log every minute."""
    console = Console(file=sys.stderr)
    live = Live(console=console, transient=True, refresh_per_second=REFRESHES) if console.is_terminal else None
    shown = 0.0 if live else time.monotonic()

    def show(progress: Progress) -> None:
        nonlocal shown
        now = time.monotonic()
        if now - shown < (PACE if live is None else 1 / REFRESHES):
            return
        shown = now
        if live is None:
            click.echo(sentence(progress), err=True)
        else:
            live.update(Text(sentence(progress), no_wrap=True, overflow="ellipsis"))

    with live or nullcontext():
        yield show


def sentence(progress: Progress) -> str:
    recent, measure = progress.recent, progress.measure
    parts = [f"{progress.rows:,} rows ({progress.rows_per_second:,.0f}/s)"]
    if recent.n_rows:
        scores = recent.scores()
        shown = {"kld": f"{scores['kld']:.2g}", "balanced_accuracy": number(scores["balanced_accuracy"], 3)}
        shown = {measure: number(recent.value(measure)), **shown}
        parts += ["now " + ", ".join(f"{NAMED.get(name, dashed(name))} {score}" for name, score in shown.items())]
    parts += [f"{progress.skipped:,} skipped"] * bool(progress.skipped)  # last: a narrow terminal cuts it off
    return ", ".join(parts)


def doubts(stream: Mapping[str, Any]) -> list[str]:
    """A sentence where the model is no better than a coin on the rows it had not learned from."""
    k, scores = len(stream["classes"]), max(stream["held"], stream["progressive"], key=lambda part: part["rows"])
    rows, accuracy = scores["rows"], scores["balanced_accuracy"]
    if not rows or k < 2 or accuracy is None or accuracy > 1 / k + COIN * sqrt(k / rows) / 2:
        return []
    return [
        f"balanced accuracy is {accuracy:.3f} on {rows:,} rows, not significantly better than guessing "
        f"({1 / k:.3f}): the stream may be ordered by label or time, or its columns may say little about the label"
    ]


def training(document: Mapping[str, Any]) -> None:
    """A training, as ``stream train --json`` prints it."""
    screen, stream = Screen(), document["stream"]
    screen.say(
        f"{stream['rows']:,} rows of {len(stream['classes'])} classes read by {document['candidate']}, "
        f"{stream['held']['rows']:,} of them held out, {document['rows_per_second']:,.0f} rows per second; "
        f"columns: {stream['columns']}"
    )
    rows = {"while learning": stream["progressive"], "recent": stream["recent"], "held-out rows": stream["held"]}
    rows = {title: scores for title, scores in rows.items() if scores["rows"]}
    screen.table(
        {
            "evaluated": list(rows),
            "rows": [f"{scores['rows']:,}" for scores in rows.values()],
            dashed(stream["measure"]): [number(scores["value"]) for scores in rows.values()],
            "KLD of shares": [f"{scores['kld']:.2g}" for scores in rows.values()],
            "balanced accuracy": [number(scores["balanced_accuracy"]) for scores in rows.values()],
            "accuracy": [number(scores["accuracy"]) for scores in rows.values()],
        }
    )
    screen.say("KLD: of the class shares, lower is better; other measures: higher is better", style="dim")
    if stream["skipped"]:
        screen.note(skipped(stream["skipped"]))
    screen.note(*document["notes"])
    if document["saved"]:
        screen.say(f"The model is in {document['saved']}")


def skipped(counts: Mapping[str, int]) -> str:
    """How many rows and files were left out, and why."""
    files = counts.get("schema", 0)
    rows = sum(counts.values()) - files
    both = [f"{n:,} {noun}{'s' * (n != 1)}" for n, noun in ((rows, "row"), (files, "file")) if n]
    kinds = ", ".join(f"{WHY[kind]} {n:,}" for kind, n in counts.items())
    return f"{' and '.join(both)} {'was' if rows + files == 1 else 'were'} skipped ({kinds})"


class Windows:
    """Class shares by window on standard output, as JSON or as CSV below a header."""

    def __init__(self, as_json: bool):
        self._as_json, self._begun = as_json, False
        self._csv = csv.writer(PrintableFile(sys.stdout), lineterminator="\n")

    def header(self, classes: Any) -> None:
        """The names of the columns, once."""
        if not self._begun and not self._as_json:
            self._csv.writerow(column_names(classes))
        self._begun = True

    def show(self, window: PrevalenceWindow) -> None:
        self.header(window.classes)
        if self._as_json:
            click.echo(json.dumps(window.to_dict()))
        else:
            shares = [f"{share:.6g}" for share in window.shares]
            alarm = str(window.drift_detected).lower()
            ends = ["" if isnan(end) else f"{end:.4g}" for end in (*window.lower, *window.upper)]
            self._csv.writerow(
                [window.number, window.first_row, window.last_row, *shares, window.method, f"{window.evidence:.4g}",
                 alarm, *ends]
            )  # fmt: skip
        sys.stdout.flush()
