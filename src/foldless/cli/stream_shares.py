"""``foldless stream shares``: how many rows of each class, window by window, and an alarm when that drifts."""

import csv
import json
import sys
from typing import Any

import click
import numpy as np

from foldless.cli.options import with_options
from foldless.cli.stream_training import FILES, FORMAT, ON_ERROR, note, unread
from foldless.errors import BadInput
from foldless.io.batches import Stream
from foldless.io.faults import Ledger
from foldless.io.parts import parts_of
from foldless.saving import model_files
from foldless.streams import record as recording
from foldless.streams.drift import DriftAlarm
from foldless.streams.windows import Shares, windows

MOST = 10_000  # rows predicted at once


@click.command(short_help="Count the classes of an unlabeled stream, window by window, and watch for drift.")
@with_options(
    FILES,
    click.option("--model", required=True, metavar="FILE", help="A model that stream train or select has saved."),
    click.option("--window", type=click.IntRange(min=1), default=10_000, show_default=True, metavar="ROWS",
                 help="Rows that are counted together."),
    click.option("--method", type=click.Choice(["cc", "acc"]), show_default="acc where the model can",
                 help="Count what is predicted (cc), or adjust it by the rates on rows set aside (acc)."),
    click.option("--false-alarm", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=0.01,
                 show_default=True, metavar="P",
                 help="Probability of any alarm over the whole stream, if rows are independent and do not drift."),
    ON_ERROR,
    FORMAT,
    click.option("--json", "as_json", is_flag=True, help="Print one JSON object per window instead of CSV."),
)  # fmt: skip
def shares(
    files: tuple[str, ...], model: str, window: int, method: Any, false_alarm: float, as_json: bool, **given: Any
) -> None:
    """Print the class shares of the unlabeled stream FILES, one line per window, as soon as it is full.

    The alarm compares what is predicted for the stream with what is predicted for the rows set aside in training (for a
    model without such rows: with the windows before). If rows are independent and nothing changes, the probability that
    it ever rings is at most that of --false-alarm, however long the stream is. Rows in bursts of one class ring it
    without drift: show it one row of each burst. Once it has rung it stays on.

    \b
    Example:
      foldless stream shares --model model.skops today.parquet --window 10000
    """
    kept = model_files.load(model)
    schema = recording.schema_of(kept)
    if schema is None:
        raise BadInput(f"{model} reads no columns with names, so no stream: train a model with foldless stream train")
    classes, table = np.asarray(kept.model.classes_), recording.held_of(kept)
    counted = Shares(classes, table, method)
    alarm = DriftAlarm(np.zeros(len(classes)) if table is None else table.sum(axis=0), false_alarm)
    parts = parts_of(files, given["fmt"])
    for sentence in [*unread(parts), *counted.notes]:
        note(sentence)
    ledger, stream = Ledger(given["on_error"], note), Stream(parts, min(MOST, window), schema)
    out, rung = csv.writer(sys.stdout, lineterminator="\n"), False
    if not as_json:
        names = [f"share_{label}" for label in classes.tolist()]
        out.writerow(["window", "first_row", "last_row", *names, "method", "evidence", "alarm"])
    for one in windows(stream, kept.model, counted, alarm, ledger, window):
        if as_json:
            click.echo(json.dumps({**one.plain(classes), "method": counted.method}))
        else:
            numbers = [f"{share:.6g}" for share in one.shares]
            told = [counted.method, f"{one.evidence:.4g}", str(one.alarm).lower()]
            out.writerow([one.number, one.first, one.last, *numbers, *told])
        sys.stdout.flush()
        if one.alarm and not rung:
            rung = True
            note(
                f"drift: predicted shares changed, most likely since row {(one.since - 1) * window + 1:,} (window "
                f"{one.since}); independent rows without drift ring with probability {false_alarm:g} at most"
            )
