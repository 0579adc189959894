"""Class shares with their intervals: one row for each class, or a line for each class over the groups."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.dates import AutoDateLocator, ConciseDateFormatter

from foldless.report._wording import clean, counted, shorten
from foldless.report.displays._drawing import CHOICE, DATA, PLAIN, Display, height, legend, name_rows
from foldless.results import Prevalence, StreamShares

MOST_CLASSES, MOST_LINES = 12, 6
MARKERS = "oDs^vP"


class PrevalenceDisplay(Display):
    """Shares of a pool as a dot with its interval; shares of many groups as lines with bands.

    Parameters
    ----------
    classes : the names of the classes
    shares, lower, upper : (groups, classes); ends that are not known are NaN
    groups : the names of the groups, in their order
    labels : the shares of the labels, optional
    by : what the groups are; None for one group
    since : the position of the group from which on shares drift, optional

    Attributes
    ----------
    ax_, figure_ : where it was plotted
    lines_ : by class, its dot or line
    left_out : how many classes are not shown, the rarest
    """

    lines_: dict[str, Any]

    def __init__(
        self,
        classes: Sequence[Any],
        shares: Any,
        lower: Any,
        upper: Any,
        groups: Sequence[Any] = (),
        *,
        labels: Any = None,
        by: str | None = None,
        since: int | None = None,
    ):
        self.classes = [clean(name) for name in classes]
        self.shares, self.lower, self.upper = (np.asarray(part, dtype=float) for part in (shares, lower, upper))
        self.labels = None if labels is None else np.asarray(labels, dtype=float)
        self.groups, self.by, self.since = list(groups), by, since
        most = MOST_CLASSES if by is None else MOST_LINES
        largest = np.argsort(-self.shares.max(axis=0), kind="stable")[:most]
        self._shown = largest if len(self.classes) > most else np.arange(len(self.classes))
        if by is not None and len(self.classes) == 2:
            self._shown = self._shown[1:]  # the other is its rest
        self.left_out = len(self.classes) - max(len(self._shown), min(2, len(self.classes)))
        self.kind = "rows" if by is None else "lines"

    @classmethod
    def of(cls, found: Prevalence) -> "PrevalenceDisplay":
        """The display of what `foldless.quantify` returned, not yet plotted."""
        return cls(
            list(found.classes), found.values, found.lowest, found.highest, found.groups, labels=found.labeled,
            by=found.by,
        )  # fmt: skip

    @classmethod
    def from_prevalence(cls, found: Prevalence, *, ax: Axes | None = None) -> "PrevalenceDisplay":
        """Plot what `foldless.quantify` returned, on the axes given or on new ones."""
        return cls.of(found).plot(ax=ax)

    @classmethod
    def from_stream(cls, found: StreamShares, *, ax: Axes | None = None) -> "PrevalenceDisplay":
        """Plot the windows that `foldless.streams.shares` returned."""
        return cls.of_stream(found).plot(ax=ax)

    @classmethod
    def of_stream(cls, found: StreamShares) -> "PrevalenceDisplay":
        """The display of the windows of a stream, at the last row of each, not yet plotted."""
        parts = [np.array([getattr(w, what) for w in found.details]) for what in ("shares", "lower", "upper")]
        size = found.details[0].last_row if found.details else 1
        since = None if found.drift_row is None else (found.drift_row - 1) // size
        rows = [window.last_row for window in found.details]
        return cls(list(found.classes), parts[0], parts[1], parts[2], rows, by="row", since=since)

    def plot(self, *, ax: Axes | None = None, longest: int = 24) -> "PrevalenceDisplay":
        """Draw. ``longest`` is the number of characters of a class name that are shown."""
        self._open(ax, len(self._shown) if self.kind == "rows" else 0)
        self.lines_ = {}
        if self.kind == "rows":
            self._rows(longest)
        else:
            self._lines(longest)
        self.ax_.set_axisbelow(True)
        return self

    def describe(self) -> str:
        rest = f" {counted(self.left_out, 'rarer class', 'rarer classes')} not shown." if self.left_out else ""
        if self.kind == "rows":
            ring = ", a ring for its share in the labels" if self.labels is not None else ""
            interval = " with its interval" if np.isfinite(self.lower).all() else ", without an interval"
            return f"The share of each class{interval}{ring}.{rest}"
        other = f" The rest is {self.classes[0]}." if len(self.classes) == 2 else ""
        drift = "" if self.since is None else " The dotted line is where drift began, most likely."
        known = "bands are intervals" if np.isfinite(self.lower).any() else "without intervals"
        return f"Class shares by {shorten(clean(self.by), 40)}; {known}.{other}{drift}{rest}"

    def inches(self) -> float:
        return height(len(self._shown)) if self.kind == "rows" else 4.2

    def _rows(self, longest: int) -> None:
        rows, at = range(len(self._shown)), self._shown
        shares = self.shares[0, at]
        if np.isfinite(self.lower).all():
            self.ax_.hlines(rows, self.lower[0, at], self.upper[0, at], color=CHOICE, alpha=0.45, linewidth=5)
        dots = self.ax_.scatter(shares, rows, color=CHOICE, s=56, zorder=3)
        self.lines_ = {self.classes[k]: dots for k in at}
        named = {f"in the pool, {'with its' if np.isfinite(self.lower).all() else 'without an'} interval": dots}
        if self.labels is not None:
            named["in the labels"] = self.ax_.scatter(
                self.labels[at], rows, facecolor="none", edgecolor=DATA, s=70, linewidth=1.8, zorder=4
            )
        name_rows(self.ax_, [self.classes[k] for k in at], longest)
        self.ax_.set_xlim(left=0)
        self.ax_.xaxis.set_major_formatter(_percent)
        self.ax_.locator_params(axis="x", nbins=5)
        self.ax_.grid(axis="x")
        legend(self.ax_, [*named.values()], [*named], ncols=2 if longest > 20 else 1)

    def _lines(self, longest: int) -> None:
        places, ordered = self._places()
        dots = len(places) <= 40
        line: Any
        for at, k in enumerate(self._shown):
            color = f"C{at}"
            if ordered:
                (line,) = self.ax_.plot(
                    places, self.shares[:, k], color=color, linewidth=2.2, marker=MARKERS[at] if dots else None,
                    markersize=5,
                )  # fmt: skip
                self.ax_.fill_between(places, self.lower[:, k], self.upper[:, k], color=color, alpha=0.16, linewidth=0)
            else:
                aside = np.asarray(places, dtype=float) + 0.12 * (at - (len(self._shown) - 1) / 2)
                self.ax_.vlines(aside, self.lower[:, k], self.upper[:, k], color=color, alpha=0.45, linewidth=4)
                line = self.ax_.scatter(aside, self.shares[:, k], color=color, s=40, zorder=3, marker=MARKERS[at])
            self.lines_[self.classes[k]] = line
        if self.since is not None and self.since < len(places):
            self.ax_.axvline(places[self.since], color="0.5", linestyle=":", linewidth=1.6)
        shown = np.maximum(self.shares, np.nan_to_num(self.upper))[:, self._shown]
        self.ax_.set_ylim(0, min(1.0, float(shown.max()) * 1.08 + 0.02))
        self.ax_.yaxis.set_major_formatter(_percent)
        self.ax_.grid(axis="y")
        self.ax_.margins(x=0.02 if ordered else 0.08)
        self.ax_.set_xlabel(shorten(clean(self.by), 40), **PLAIN)
        names = [f"share of {shorten(name, longest)}" if len(self.lines_) == 1 else shorten(name, longest)
                 for name in self.lines_]  # fmt: skip
        legend(self.ax_, [*self.lines_.values()], names, ncols=3 if longest > 20 else 2)

    def _places(self) -> tuple[Any, bool]:
        """Where the groups stand along the axis, and whether a line between them means something."""
        if moments := _moments(self.groups):
            locator = AutoDateLocator(maxticks=7)  # type: ignore[no-untyped-call]
            self.ax_.xaxis.set_major_locator(locator)
            self.ax_.xaxis.set_major_formatter(ConciseDateFormatter(locator))  # type: ignore[no-untyped-call]
            return moments, True
        if all(isinstance(name, int | float) and not isinstance(name, bool) for name in self.groups):
            self.ax_.locator_params(axis="x", nbins=6)
            self.ax_.xaxis.set_major_formatter(lambda value, _: f"{value:,g}" if abs(value) >= 10_000 else f"{value:g}")
            return [float(name) for name in self.groups], True
        step = -(-len(self.groups) // 12)
        names = [shorten(clean(name), 12) for name in self.groups]
        turned = sum(map(len, names[::step])) > 36
        self.ax_.set_xticks(
            range(0, len(names), step), labels=names[::step], rotation=35 if turned else 0,
            ha="right" if turned else "center", **PLAIN,
        )  # fmt: skip
        return list(range(len(names))), False


def _percent(share: float, _: Any) -> str:
    return f"{100 * share:g}%"


def _moments(groups: Sequence[Any]) -> list[Any]:
    """The groups as moments, where all of them are dates or texts of dates; else nothing."""
    if all(isinstance(name, date | datetime) for name in groups):
        return list(groups)
    try:
        return [datetime.fromisoformat(name) for name in groups] if all(isinstance(n, str) for n in groups) else []
    except ValueError:
        return []
