"""Class shares of an unlabeled stream, window by window, with an alarm when they drift."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from foldless.core import Array
from foldless.errors import BadInput
from foldless.io._faults import Ledger, OnError, silent
from foldless.io._formats import Format
from foldless.quantifiers import Quantifier
from foldless.results.stream_shares import PrevalenceWindow, StreamShares
from foldless.saving import model_files
from foldless.streams._batches import stream_of
from foldless.streams._record import answers_of, hold_out_of, schema_of
from foldless.streams._windows import ShareEstimator, windows
from foldless.streams.drift import DriftAlarm
from foldless.streams.training import StreamTraining

MAX_BATCH_ROWS = 10_000  # rows predicted at once
BEYOND = (
    "the rows of window {n} look like no mixture of the classes of training, so more than the class shares has "
    "changed: the shares of this window and of others near it may be wrong, also where there is an interval"
)


def shares(
    model: Any,
    data: Any,
    *,
    window: int = 10_000,
    method: str | Quantifier | None = None,
    false_alarm: float = 0.01,
    confidence: float = 0.95,
    on_error: OnError = "stop",
    format: Format | None = None,  # noqa: A002 (the word of the command line, and of pandas)
    on_window: Callable[[PrevalenceWindow], None] | None = None,
    on_message: Callable[[str], None] = silent,
) -> StreamShares:
    """Estimate the class shares of an unlabeled stream, window by window, and detect when they drift.

    The alarm compares the predictions for the stream with those for the rows held out in training (for a model without
    such rows: with the windows before). If rows are independent and nothing changes, the probability of any alarm is at
    most ``false_alarm``, however long the stream is. Rows in bursts of one class raise it without drift: pass one
    row of each burst.

    Parameters
    ----------
    model : StreamTraining, path, or what foldless.saving loads
        A model of `train`, or a file that `train` or ``foldless select`` has saved.
    data : path, list of paths, data frame or iterable of data frames
        As in `train`; a label column is not read.
    window : int
        Rows per window.
    method : the name of a quantifier, a Quantifier, or None
        As in `foldless.quantify`: "cc" counts the predicted classes, "acc" and "map" adjust these counts by the rates
        of right and wrong predictions for held-out rows, and the others read probabilities, or scores as such. None:
        "acc" where the model has held-out rows and separates the classes, else "cc".
    false_alarm : float
        The probability of any alarm over the whole stream if nothing changes.
    confidence : float
        Of the interval of each share, if rows are independent and held-out rows look like those to come.
    on_error : {"stop", "skip"}
        What to do about a faulty row.
    format : {"csv", "tsv", "parquet"} or None
        Of standard input, and of files whose ending does not say it.
    on_window : callable or None
        Called with each `PrevalenceWindow` as soon as it is full.
    on_message : callable
        Called with each sentence about the data on the way; all of them are in ``messages`` of the result too.

    Returns
    -------
    StreamShares

    Examples
    --------
    >>> import numpy as np, pandas as pd
    >>> from foldless.streams import shares, train
    >>> rng = np.random.default_rng(1)
    >>> def mail(n, share):
    ...     spam = rng.random(n) < share
    ...     return pd.DataFrame({"links": rng.normal(4 * spam), "words": rng.normal(size=n), "spam": spam})
    >>> training = train(mail(5000, 0.2), "spam", batch=500)
    >>> stream = pd.concat([mail(4000, 0.2), mail(2000, 0.6)]).drop(columns="spam")
    >>> found = shares(training, stream, window=1000)
    >>> found.windows["share_True"].round(1).tolist()
    [0.2, 0.2, 0.2, 0.2, 0.6, 0.6]
    >>> found.drift_detected, found.drift_row
    (True, 4001)
    """
    saved, name = _loaded(model)
    schema = schema_of(saved)
    if schema is None:
        raise BadInput(
            f"{name} reads no columns with names, so no stream",
            value=model, place="model", remedy="train a model with foldless.streams.train or foldless stream train",
        )  # fmt: skip
    classes, held = np.asarray(saved.model.classes_), hold_out_of(saved)
    table = None if held is None else held.table
    estimator = ShareEstimator(classes, table, method, confidence, answers_of(saved))
    alarm = DriftAlarm(np.zeros(len(classes)) if table is None else table.sum(axis=0), false_alarm)
    ledger = Ledger(on_error, on_message)
    stream = stream_of(data, min(MAX_BATCH_ROWS, window), format, schema=schema)
    for sentence in estimator.notes:
        ledger.tell(sentence)
    seen_windows = []
    drift_row: int | None = None
    doubted = False
    for latest in windows(stream, saved.model, estimator, alarm, ledger, window):
        seen_windows.append(latest)
        if estimator.alarms == 1 and not doubted:
            doubted = True
            ledger.tell(BEYOND.format(n=latest.number))
        if on_window is not None:
            on_window(latest)
        if drift_row is None and latest.drift_window is not None:
            drift_row = (latest.drift_window - 1) * window + 1
            ledger.tell(
                f"drift: the predicted class shares changed, most likely from row {drift_row:,} on (window "
                f"{latest.drift_window}); without drift, independent rows raise this alarm with probability "
                f"{false_alarm:g} at most; the intervals hold if nothing but the class shares has changed"
            )
    rows = [
        [each.number, each.first_row, each.last_row, *each.shares, each.method, each.evidence, each.drift_detected,
         *each.lower, *each.upper]
        for each in seen_windows
    ]  # fmt: skip
    frame = pd.DataFrame(rows, columns=column_names(classes))
    return StreamShares(
        classes, frame, alarm.drift_detected, drift_row, dict(ledger.counts),
        tuple(ledger.messages), tuple(seen_windows),
    )  # fmt: skip


def _loaded(model: Any) -> tuple[model_files.Kept, str]:
    if isinstance(model, StreamTraining):
        return model.saved(), "the model"
    if isinstance(model, model_files.Kept):
        return model, "the model"
    return model_files.load(model), str(model)


def column_names(classes: Array) -> list[str]:
    """The columns of a table of windows."""
    shares, lower, upper = ([f"{what}_{label}" for label in classes.tolist()] for what in ("share", "lower", "upper"))
    return ["window", "first_row", "last_row", *shares, "method", "evidence", "alarm", *lower, *upper]
