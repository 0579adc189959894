"""Prevalence windows: class shares of an unlabeled stream, window by window, and an alarm when they drift.

Shares are those of the predicted classes (classify and count), or adjusted by the rates of right and wrong predictions
for rows set aside in training (adjusted count), with an interval for the chance in both. The alarm watches the counts
before they are adjusted.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from scipy import sparse

from foldless.core import Array
from foldless.core.resampling import check_share
from foldless.errors import BadInput, SaveModel, SetArgument
from foldless.io.atomic import reason
from foldless.io.batches import Stream
from foldless.io.faults import Ledger
from foldless.quantifiers import adjusted_count, adjusted_interval, ill_conditioned
from foldless.streams.classes import FEW, some
from foldless.streams.cleaning import clean
from foldless.streams.drift import DriftAlarm
from foldless.streams.prequential import FEW_CLASSES

Method = Literal["cc", "acc"]
ALWAYS = 10**6  # imagined rows of a class that is taken as always recognized
MOST_ADJUSTED = 300  # classes: an interval draws K² rates many times


@dataclass(frozen=True, eq=False)
class PrevalenceWindow:
    """Consecutive rows of a stream and their class shares; rows and windows are counted from 1.

    Attributes
    ----------
    number, first_row, last_row : int
        Which window it is, and its first and last row among those that were read.
    classes, shares : arrays of shape (K,)
        The classes, and the share of each.
    lower, upper : arrays of shape (K,)
        The interval of each share, where counts are adjusted; else NaN, because how far the predictions of a class are
        from its share is then not known.
    method : "cc" or "acc"
        How shares were counted.
    evidence, drift_detected, drift_window
        As in `DriftAlarm`, after this window.
    """

    number: int
    first_row: int
    last_row: int
    classes: Array
    shares: Array
    lower: Array
    upper: Array
    method: Method
    evidence: float
    drift_detected: bool
    drift_window: int | None

    def to_dict(self) -> dict[str, Any]:
        """As plain data, with one entry for each class."""
        by_class = [
            {
                str(label): None if np.isnan(value) else float(value)
                for label, value in zip(self.classes.tolist(), values, strict=True)
            }
            for values in (self.shares, self.lower, self.upper)
        ]
        return {
            "window": self.number,
            "first_row": self.first_row,
            "last_row": self.last_row,
            **dict(zip(("shares", "lower", "upper"), by_class, strict=True)),
            "evidence": self.evidence,
            "alarm": self.drift_detected,
            "since_window": self.drift_window,
            "method": self.method,
        }


class ShareEstimator:
    """Turns counts of predicted classes into shares; ``table`` are the rows set aside, by true and predicted class.

    A class with hardly any row set aside shows no rates: it is taken as always recognized. Where the predictions hardly
    tell the classes apart, so that an adjusted count would be anything, counts are not adjusted; nor are those of more
    than 100 classes, unless it is asked for. ``notes`` say so, and when counts are not adjusted although this was not
    asked for.
    """

    def __init__(self, classes: Array, table: Any, method: Method | None, confidence: float = 0.95):
        check_share("confidence", confidence)
        if method == "acc" and table is None:
            raise BadInput(
                "adjusted counts need rows set aside in training, and the model has none",
                value=method, place="method", remedy=SetArgument("method", "cc"),
            )  # fmt: skip
        if method == "acc" and len(classes) > MOST_ADJUSTED:
            raise BadInput(
                f"adjusted counts of {len(classes):,} classes need the rates of all their pairs",
                value=method, place="method", remedy=SetArgument("method", "cc"),
            )  # fmt: skip
        self.classes, self.confidence, self._rng = classes, confidence, np.random.default_rng(0)
        self.method: Method = method or ("cc" if table is None else "acc")
        self.notes: list[str] = []
        if table is None and method is None:
            self.notes.append(
                "shares are those of the predicted classes (cc): the model has no rows set aside to adjust by"
            )
        if table is not None and method is None and len(classes) > FEW_CLASSES:
            self.method, table = "cc", None
            self.notes.append(
                f"shares are those of the predicted classes (cc): rows set aside do not tell how often each of "
                f"{len(classes):,} classes is taken for each other"
            )
        table = table.toarray() if sparse.issparse(table) else table
        if table is not None and self.method == "acc":
            few = table.sum(axis=1) < FEW
            table = np.where(few[:, None], np.eye(len(table), dtype=int) * ALWAYS, table)
            if few.any() and not few.all():
                self.notes.append(
                    f"fewer than {FEW} rows of {some(classes[few])} were set aside, so it is taken as recognized"
                )
            if few.all():
                self.method = "cc"
                self.notes.append(
                    f"shares are those of the predicted classes (cc): fewer than {FEW} rows of each class were set "
                    f"aside"
                )
            elif ill_conditioned(table, self._rng):
                self.method = "cc"
                self.notes.append(
                    "shares are those of the predicted classes (cc): on the rows set aside, predictions hardly tell "
                    "the classes apart, so adjusted counts would be anything"
                )
        self.table = table

    def of(self, counts: Array) -> Array:
        """The shares behind counts of predicted classes."""
        counted = counts / counts.sum()
        return adjusted_count(counted, self.table) if self.method == "acc" and self.table is not None else counted

    def interval(self, counts: Array) -> tuple[Array, Array]:
        """Lower and upper ends for the shares; not a number where counts are not adjusted."""
        if self.method == "cc" or self.table is None:
            return np.full(len(counts), np.nan), np.full(len(counts), np.nan)
        return adjusted_interval(counts, self.table, self.confidence, self._rng)


def windows(
    stream: Stream, model: Any, estimator: ShareEstimator, alarm: DriftAlarm, ledger: Ledger, size: int
) -> Iterator[PrevalenceWindow]:
    """The windows of a stream of that many rows each; the last may have fewer."""
    if stream.schema is None:
        raise BadInput("the model has no columns with names, so it cannot read a stream")
    number, last = 0, 0
    for codes in _cut(_predictions(stream, model, estimator.classes, ledger), size):
        counts = np.bincount(codes, minlength=len(estimator.classes))
        alarm.update(counts)
        number, first, last = number + 1, last + 1, last + len(codes)
        yield PrevalenceWindow(
            number, first, last, estimator.classes, estimator.of(counts), *estimator.interval(counts),
            estimator.method, alarm.evidence, alarm.drift_detected, alarm.drift_window,
        )  # fmt: skip


def _predictions(stream: Stream, model: Any, classes: Array, ledger: Ledger) -> Iterator[Array]:
    """The codes of the predicted classes, batch by batch."""
    assert stream.schema is not None
    for batch in stream.batches():
        found = clean(batch, stream.schema)
        ledger.enter(found.faults)
        if len(found):
            try:
                labels = model.predict(found.frame[list(stream.schema.columns.kinds)])
                codes = np.minimum(np.searchsorted(classes, labels), len(classes) - 1)
            except Exception as error:  # a model of another version, or a forged one, fails in its own way
                raise BadInput(f"the model cannot label these rows ({reason(error)})", remedy=SaveModel()) from error
            yield codes


def _cut(batches: Iterator[Array], size: int) -> Iterator[Array]:
    """The same numbers in pieces of one size, each as soon as it is full; the last may be shorter."""
    pending = np.array([], dtype=int)
    for codes in batches:
        pending = np.concatenate([pending, codes])
        while len(pending) >= size:
            yield pending[:size]
            pending = pending[size:]
    if len(pending):
        yield pending
