"""What `foldless.streams.shares` returns: class shares of a stream, window by window."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from foldless.core import Array
from foldless.core._plain import plain_value
from foldless.errors import BadInput
from foldless.results import _drawn as drawn


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
        The interval of each share, where the method corrects for shift; else NaN, because how far the predictions of a
        class are from its share is then not known. NaN too where more than class shares has changed: no shares of the
        classes explain the predictions of the window.
    method : str
        How shares were counted, by the name of a quantifier.
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
    method: str
    evidence: float
    drift_detected: bool
    drift_window: int | None

    def to_dict(self) -> dict[str, Any]:
        """As plain data, with one entry for each class."""
        labels = [str(label) for label in self.classes.tolist()]
        columns = {"shares": self.shares, "lower": self.lower, "upper": self.upper}
        return {
            "window": self.number,
            "first_row": self.first_row,
            "last_row": self.last_row,
            **{name: dict(zip(labels, map(plain_value, values), strict=True)) for name, values in columns.items()},
            "evidence": self.evidence,
            "alarm": self.drift_detected,
            "since_window": self.drift_window,
            "method": self.method,
        }


@dataclass(frozen=True, eq=False)
class StreamShares:
    """What `shares` returns.

    Attributes
    ----------
    classes : array of shape (K,)
    windows : DataFrame
        One row per window: its number, first and last row, the share of each class as ``share_<class>``, the method,
        the evidence for a drift, whether there is an alarm, and the interval of each share as ``lower_<class>`` and
        ``upper_<class>``, which are missing where counts are not adjusted.
    drift_detected : bool
        Whether the class shares drifted in any window.
    drift_row : int or None
        The row at which the drift most likely began, counted from 1.
    skipped : mapping
        How many faulty rows were skipped, by the kind of fault.
    messages : tuple of str
        What was found on the way.
    """

    classes: Array
    windows: pd.DataFrame
    drift_detected: bool
    drift_row: int | None
    skipped: Mapping[str, int]
    messages: tuple[str, ...]
    details: tuple[PrevalenceWindow, ...]

    def plot(self, *, ax: Any = None) -> Any:
        """A picture of the shares over the rows of the stream."""
        return drawn.plot(self, ax=ax)

    def picture(self, path: Any) -> Path:
        """Write that picture in the size of a slide, as .png, .svg or .pdf."""
        if not self.details:
            raise BadInput("the stream has no rows, so there is nothing to draw")
        return drawn.write_picture(self, path)

    def to_dict(self) -> dict[str, Any]:
        """As plain data; the entries of ``windows`` are what ``foldless stream shares`` prints as JSON."""
        return {
            "classes": [plain_value(label) for label in self.classes],
            "windows": [window.to_dict() for window in self.details],
            "drift_detected": self.drift_detected,
            "drift_row": self.drift_row,
            "skipped": dict(self.skipped),
            "messages": list(self.messages),
        }
