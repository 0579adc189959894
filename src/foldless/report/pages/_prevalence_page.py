"""The page of class shares: the picture, the table, and what they assume."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

from foldless.io._atomic import check_place, placed
from foldless.report._wording import clean, counted, cut, shorten
from foldless.report.displays.prevalence_display import PrevalenceDisplay
from foldless.report.pages import _facts as facts
from foldless.report.pages._page import NARROW, WIDE, figure_of, small_figure
from foldless.report.pages._rendering import render, summarized
from foldless.report.pages._tables import Cell, PageTable
from foldless.results import Prevalence, StreamShares
from foldless.results import _drawn as drawn
from foldless.results.prevalence import group_text

MOST_ROWS, NAMED, IN_NOTEBOOK = 2000, 60, 12
DOUBTED = "More than the class shares has changed: do not trust these shares"
SLIDE: dict[Any, Any] = {
    "font.size": 15, "axes.spines.top": False, "axes.spines.right": False, "axes.spines.left": False,
    "ytick.major.size": 0, "grid.color": "#dddddd", "axes.edgecolor": "#888888", "figure.facecolor": "white",
    "axes.axisbelow": True,
}  # fmt: skip


@drawn.page.register(Prevalence)
def prevalence_page(prevalence: Prevalence, *, made_by: str | None = None, about: Sequence[str] = ()) -> str:
    display = PrevalenceDisplay.of(prevalence)
    return render(
        "prevalence.html",
        title=title_of(prevalence),
        lede=lede_of(prevalence),
        tiles=_tiles(prevalence),
        picture=figure_of(display, "shares", (WIDE, NARROW), series=display.kind == "lines"),
        table=share_table(prevalence),
        assumes=prevalence.assumes if any(prevalence.has_interval) else (),
        **facts.provenance(prevalence, made_by, about),
    )


@drawn.summary.register(Prevalence)
def prevalence_summary(prevalence: Prevalence) -> str:
    display = PrevalenceDisplay.of(prevalence)
    picture = small_figure(display, series=display.kind == "lines")
    title, table = f"{title_of(prevalence)}.", share_table(prevalence, IN_NOTEBOOK)
    return summarized(title, lede_of(prevalence), prevalence.notes, picture=picture, table=table)


drawn.plot.register(Prevalence, PrevalenceDisplay.from_prevalence)
drawn.plot.register(StreamShares, PrevalenceDisplay.from_stream)


@drawn.write_picture.register(StreamShares)
def write_stream_picture(stream: StreamShares, path: Any) -> Path:
    return write_display(PrevalenceDisplay.of_stream(stream), path, "Class shares of the stream")


@drawn.write_picture.register(Prevalence)
def write_picture(prevalence: Prevalence, path: Any) -> Path:
    doubted = prevalence.prior_shift is not None and prevalence.prior_shift.alarm
    return write_display(PrevalenceDisplay.of(prevalence), path, title_of(prevalence), DOUBTED if doubted else "")


def write_display(display: PrevalenceDisplay, path: Any, title: str, remark: str = "") -> Path:
    """A display as .png, .svg or .pdf, with a title above and a remark below."""
    place = check_place(Path(path))
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(SLIDE)
        high = max(5.6, display.inches()) if display.kind == "rows" else 5.6
        drawn = Figure(figsize=(10, high), layout="constrained")
        head, ax = drawn.subplots(2, height_ratios=[0.09, 1])
        head.set_axis_off()
        head.text(0, 0.5, title, weight="bold", fontsize=20, va="center", parse_math=False)
        display.plot(ax=ax, longest=32)
        if remark:
            drawn.supxlabel(remark, color="#b3261e", fontsize=13, parse_math=False)
        with placed(place) as partial:
            drawn.savefig(partial, format=place.suffix.lower().lstrip(".") or "png", dpi=160)
    return place


def title_of(prevalence: Prevalence) -> str:
    """The largest class with its share, or what was counted by."""
    if prevalence.by is not None:
        return f"Class shares by {shorten(clean(prevalence.by), 40)}"
    at = int(prevalence.values[0].argmax())
    return f"{shorten(clean(prevalence.classes[at]), 40)} {prevalence.values[0, at]:.1%}"


def lede_of(prevalence: Prevalence) -> str:
    rows = counted(int(prevalence.sizes.sum()), "row")
    where = f"{counted(len(prevalence.groups), 'group')} of {rows}" if prevalence.by is not None else rows
    known = any(prevalence.has_interval)
    intervals = f"intervals have confidence {prevalence.confidence:g}" if known else "there are no intervals"
    return (
        f"Estimated for {where} without labels from {counted(prevalence.n_labels, 'label')}, by {prevalence.method}; "
        f"{intervals}."
    )


def share_table(prevalence: Prevalence, most: int = MOST_ROWS) -> PageTable:
    frame = prevalence.to_frame()
    rows: list[tuple[str, Sequence[Cell]]] = []
    for row in frame[:most].to_dict("records"):
        first = [] if prevalence.by is None else [_name(row[prevalence.by])]
        known = np.isfinite(row["lower"])
        look = "" if known else "none"  # a share without an interval should not be trusted
        interval = Cell(
            f"{row['lower']:.1%} to {row['upper']:.1%}" if known else "none", float(row["lower"]) if known else -1.0
        )
        rows.append((
            "",
            [*first, _name(row["class"]), Cell(f"{row['share']:.1%}", float(row["share"]), kind=look), interval,
             Cell(f"{row['count']:,}", float(row["count"]), kind=look),
             Cell(f"{row['in_labels']:.1%}", float(row["in_labels"])),
             *([Cell(row["holds_under"])] if prevalence.holds_under else [])],
        ))  # fmt: skip
    titles = [("share", True), ("interval", True), ("estimated rows", True), ("in the labels", True)]
    titles += [("the interval assumes", False)] if prevalence.holds_under else []
    heads = [] if prevalence.by is None else [(shorten(clean(prevalence.by), 24), False)]
    return PageTable([*heads, ("class", False), *titles], rows, max(0, len(frame) - most))


def _tiles(prevalence: Prevalence) -> list[tuple[str, str, str]]:
    widths = prevalence.highest - prevalence.lowest
    known = widths[np.isfinite(widths)]
    wide = ("intervals", "none", "shares without an interval should not be trusted")
    if len(known):
        mean = f"in the mean, with confidence {prevalence.confidence:g}"
        wide = ("intervals are wide", f"{100 * known.mean():.1f} points", mean)
    rarest = f"the rarest class has {round(prevalence.labeled.min() * prevalence.n_labels):,}"
    tiles = [
        ("rows counted", f"{int(prevalence.sizes.sum()):,}", counted(len(prevalence.classes), "class", "classes")),
        ("labels", f"{prevalence.n_labels:,}", rarest),
        wide,
    ]
    if prevalence.shift is not None:
        tiles.append(facts.compared(prevalence.shift))
    return tiles


def _name(value: Any) -> Cell:
    text = clean(group_text(value))
    return Cell(shorten(text, NAMED), full=cut(text, 2000) if len(text) > NAMED else "")
