"""What `quantify` returns: the share of each class with its interval, of a pool or of each group of its rows."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from foldless.core import Array
from foldless.core._plain import plain_value
from foldless.errors import counted
from foldless.results import _drawn as drawn
from foldless.results._drawn import DrawnResult
from foldless.results.prior_shift import PriorShift
from foldless.results.shift import Shift

ALL = "all"
SHOWN = 3  # classes in a line
PRIOR, BOTH, NO_INTERVAL = "prior shift", "prior or covariate shift", "no interval"


def said_of(holds_under: str) -> str:
    """What an interval assumes, as it stands beside a number."""
    if holds_under == NO_INTERVAL:
        return "no interval: more than the class shares differs"
    return f"if labels and pool differ by {holds_under} only"


def group_text(name: Any) -> str:
    """A group as sentences and tables write it; midnight is a date.

    >>> group_text(pd.Timestamp("1996-05-01")), group_text("north")
    ('1996-05-01', 'north')
    """
    return str(name).removesuffix(" 00:00:00")


@dataclass(frozen=True, eq=False)
class Prevalence(DrawnResult):
    """Class shares of a pool, or of each group of its rows.

    Attributes
    ----------
    classes : the classes, in the order of all arrays
    shares, lower, upper : Series by class, or DataFrame with a row for each group
    rows : how many rows the pool has, or Series by group
    label_shares : Series, the share of each class in the labels
    confidence : how often the interval of a share contains the true share, each by itself
    method : how shares were counted, by its name
    assumes : sentences that must be true for them to hold
    by : the name of the groups, None without groups
    candidate : the model that was counted with
    n_labels : the number of labeled rows
    shift : whether the pool is like the labels, where that could be tested
    prior_shift : whether more than class shares differs, where that could be tested, in the pool as a whole
    prior_shifts : the same for each group; None where it could not be tested
    holds_under : for each group, what the interval assumes: "prior shift"; "prior or covariate shift" where the test
        leaves doubts, and the interval is wide enough for both; "no interval" after an alarm, where ends are NaN
    notes : sentences that a reader should know
    """

    classes: Array
    values: Array  # (groups, classes), as the two that follow
    lowest: Array
    highest: Array
    sizes: Array
    groups: tuple[Any, ...]
    labeled: Array
    confidence: float
    method: str
    assumes: tuple[str, ...]
    by: str | None = None
    candidate: str = ""
    n_labels: int = 0
    shift: Shift | None = None
    prior_shift: PriorShift | None = None
    notes: tuple[str, ...] = ()
    prior_shifts: tuple[PriorShift | None, ...] = ()
    holds_under: tuple[str, ...] = ()

    @property
    def has_interval(self) -> tuple[bool, ...]:
        """For each group, whether its shares have intervals; shares without are not to be trusted."""
        return tuple(np.asarray(np.isfinite(self.lowest).all(axis=1)).tolist())

    @property
    def shares(self) -> Any:
        return self._shaped(self.values, "share")

    @property
    def lower(self) -> Any:
        return self._shaped(self.lowest, "lower")

    @property
    def upper(self) -> Any:
        return self._shaped(self.highest, "upper")

    @property
    def rows(self) -> Any:
        return int(self.sizes[0]) if self.by is None else pd.Series(self.sizes, self._index(), name="rows")

    @property
    def label_shares(self) -> "pd.Series[float]":
        return pd.Series(self.labeled, self._classes(), name="share in labels")

    def to_frame(self) -> pd.DataFrame:
        """One row for each class, of each group: share, interval, and the number of rows that this makes."""
        many, k = len(self.groups), len(self.classes)
        columns: dict[str, Any] = {} if self.by is None else {self.by: np.repeat(np.array(self.groups, object), k)}
        columns |= {
            "class": np.tile(np.array(self._classes(), dtype=object), many),
            "share": self.values.ravel(),
            "lower": self.lowest.ravel(),
            "upper": self.highest.ravel(),
            "count": np.round(self.values * self.sizes[:, None]).astype(np.int64).ravel(),
            "in_labels": np.tile(self.labeled, many),
        }
        if self.by is not None:
            columns["rows"] = np.repeat(self.sizes, k)
        if self.holds_under:
            columns["holds_under"] = np.repeat(np.array(self.holds_under, dtype=object), k)
        return pd.DataFrame(columns).infer_objects()

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data for JSON."""
        groups = [
            {
                **({} if self.by is None else {"group": plain_value(name)}),
                "rows": int(size),
                **({"holds_under": self.holds_under[at]} if self.holds_under else {}),
                "shares": [
                    {
                        "class": plain_value(label), "share": float(p),
                        "lower": plain_value(low), "upper": plain_value(high),
                        "count": round(float(p) * int(size)),
                    }
                    for label, p, low, high in zip(self.classes, *each, strict=True)
                ],
            }
            for at, (name, size, *each) in enumerate(
                zip(self.groups, self.sizes, self.values, self.lowest, self.highest, strict=True)
            )
        ]  # fmt: skip
        return {
            "method": self.method,
            "confidence": self.confidence,
            "candidate": self.candidate,
            "by": self.by,
            "labels": self.n_labels,
            "classes": [
                {"class": plain_value(label), "in_labels": float(share)}
                for label, share in zip(self.classes, self.labeled, strict=True)
            ],
            "groups": groups,
            "assumes": list(self.assumes),
            "shift": None if self.shift is None else self.shift.to_dict(),
            "prior_shift": None if self.prior_shift is None else asdict(self.prior_shift),
            "notes": list(self.notes),
        }

    def plot(self, *, ax: Any = None) -> Any:
        """A picture of the shares: one row for each class, or a line over the groups."""
        return drawn.plot(self, ax=ax)

    def picture(self, path: Any) -> Path:
        """Write the picture in the size of a slide, as .png, .svg or .pdf."""
        return drawn.write_picture(self, path)

    def __str__(self) -> str:
        intervals = f"intervals of confidence {self.confidence:g}" if any(self.has_interval) else "no interval"
        lines = [f"class shares by {self.method}, with {intervals}"]
        every = zip(self.groups, self.sizes, self.values, self.lowest, self.highest, strict=True)
        for at, (name, size, *each) in enumerate(every):
            parts = [
                f"{label}: {p:.1%} ({low:.1%} to {high:.1%})" if np.isfinite(low) else f"{label}: {p:.1%}"
                for label, p, low, high in zip(self._classes(), *each, strict=True)
            ]
            if self.holds_under:
                parts[-1] += f"; {said_of(self.holds_under[at])}"
            rows = counted(int(size), "row")
            where = rows if self.by is None else f"{self.by} {group_text(name)} ({rows})"
            lines.append(f"{where}: {', '.join(parts)}")
        return "\n".join([*lines, *(f"note: {note}" for note in self.notes)])

    def __repr__(self) -> str:
        about = f"by {self.by!r}, groups={len(self.groups)}, classes={len(self.classes)}"
        if self.by is None:
            largest = [self._short(at) for at in np.argsort(-self.values[0], kind="stable")[:SHOWN]]
            about = ", ".join(largest) + f" and {len(self.classes) - SHOWN} more" * (len(self.classes) > SHOWN)
        return f"Prevalence({self.method}, {about}, rows={int(self.sizes.sum())}, labels={self.n_labels})"

    def _short(self, at: int) -> str:
        """The share of a class in the pool, with its interval."""
        low, high = self.lowest[0, at], self.highest[0, at]
        ends = f"{low:.3f} to {high:.3f}" if np.isfinite(low) else NO_INTERVAL
        return f"{self.classes[at]}={self.values[0, at]:.3f} ({ends})"

    def _classes(self) -> list[Any]:
        return [plain_value(label) for label in self.classes]

    def _index(self) -> pd.Index:
        return pd.Index(self.groups, name=self.by)

    def _shaped(self, values: Array, name: str) -> Any:
        if self.by is None:
            return pd.Series(values[0], self._classes(), name=name)
        return pd.DataFrame(values, self._index(), self._classes())
