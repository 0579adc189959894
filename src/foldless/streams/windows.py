"""Class shares of an unlabeled stream, window by window, and an alarm when they drift.

Counted as the model predicts (classify and count), or adjusted by the rates of right and wrong predictions that the
model shows on rows set aside in training. The alarm watches the counts before they are adjusted.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from foldless.core import Array
from foldless.errors import BadInput, SetArgument
from foldless.io.batches import Stream
from foldless.io.faults import Ledger
from foldless.quantifiers import adjusted_count
from foldless.streams.classes import FEW, some
from foldless.streams.cleaning import clean
from foldless.streams.drift import DriftAlarm

Method = Literal["cc", "acc"]


@dataclass(frozen=True, eq=False)
class Window:
    """Consecutive rows of a stream: the numbers of the first and last among those that were read, and its shares.

    ``since`` is the window in which a drift most likely began, if there is one.
    """

    number: int
    first: int
    last: int
    shares: Array
    evidence: float
    alarm: bool
    since: int

    def plain(self, classes: Array) -> dict[str, Any]:
        """As JSON has it."""
        shares = {str(label): float(share) for label, share in zip(classes.tolist(), self.shares, strict=True)}
        told = {"window": self.number, "first_row": self.first, "last_row": self.last}
        since = self.since if self.alarm else None
        return {**told, "shares": shares, "evidence": self.evidence, "alarm": self.alarm, "since_window": since}


class Shares:
    """Turns counts of predicted classes into shares; ``table`` are the rows set aside, by true and predicted class.

    A class with hardly any row set aside shows no rates: it is taken as always recognized. ``notes`` say so, and when
    counts are not adjusted though nobody asked for that.
    """

    def __init__(self, classes: Array, table: Array | None, method: Method | None):
        if method == "acc" and table is None:
            raise BadInput(
                "adjusted counts need rows set aside in training, and the model has none",
                remedy=SetArgument("method", "cc"),
            )
        self.classes = classes
        self.method: Method = method or ("cc" if table is None else "acc")
        self.notes: list[str] = []
        if table is None and method is None:
            self.notes.append(
                "shares are those of the predicted classes (cc): the model has no rows set aside to adjust by"
            )
        if table is not None and self.method == "acc":
            few = table.sum(axis=1) < FEW
            table = np.where(few[:, None], np.eye(len(table), dtype=int), table)
            if few.any():
                self.notes.append(
                    f"fewer than {FEW} rows of {some(classes[few])} were set aside, so its counts are not adjusted"
                )
        self.table = table

    def of(self, counts: Array) -> Array:
        """The shares behind counts of predicted classes."""
        counted = counts / counts.sum()
        return adjusted_count(counted, self.table) if self.method == "acc" and self.table is not None else counted


def windows(
    stream: Stream, model: Any, shares: Shares, alarm: DriftAlarm, ledger: Ledger, size: int
) -> Iterator[Window]:
    """The windows of a stream of that many rows each; the last may have fewer."""
    if stream.schema is None:
        raise BadInput("the model does not tell its columns, so no stream can be read for it")
    k, number, last = len(shares.classes), 0, 0
    pending: list[Array] = []

    def closed(codes: Array) -> Window:
        counts = np.bincount(codes, minlength=k)
        verdict = alarm.update(counts)
        first = last - len(codes) + 1
        return Window(number, first, last, shares.of(counts), verdict.evidence, verdict.alarm, verdict.since)

    for batch in stream.batches():
        found = clean(batch, stream.schema)
        ledger.enter(found.faults)
        if len(found):
            pending.append(
                np.searchsorted(shares.classes, model.predict(found.frame[list(stream.schema.columns.kinds)]))
            )
        while sum(map(len, pending)) >= size:
            codes = np.concatenate(pending)
            pending = [codes[size:]]
            number, last = number + 1, last + size
            yield closed(codes[:size])
    codes = np.concatenate(pending) if pending else np.array([], dtype=int)
    if len(codes):
        number, last = number + 1, last + len(codes)
        yield closed(codes)
