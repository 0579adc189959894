"""What the displays have in common: axes of their own, text that is never mathematics, rows and ticks.

Colors come from rcParams (C0 for the data, C1 for the choice), so a style sheet changes them, and the report replaces
them by variables of its page.
"""

from collections.abc import Sequence
from typing import Any

from matplotlib import rcParams
from matplotlib.axes import Axes
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from foldless.report._varying import Axis, title
from foldless.report._wording import shorten, value_text

PLAIN: dict[str, Any] = {"parse_math": False, "usetex": False}  # "$x$" is a name, not a formula
DATA, CHOICE = "C0", "C1"
ROW_INCHES, LEAST_INCHES = 0.3, 2.6
CHARACTER_INCHES, TICK_LENGTH = 0.11, 14
MOST_DOTS = 80  # points of a line that can still be told apart


class Display:
    """A picture of results: its axes, and what a page has to know of it."""

    ax_: Axes
    figure_: Any

    def describe(self) -> str:
        """What the figure shows, in a few sentences."""
        raise NotImplementedError

    def inches(self) -> float:
        """The height that suits the figure."""
        raise NotImplementedError

    def _open(self, ax: Axes | None, rows: int = 0) -> None:
        """Take the axes given, or new ones in a figure of their own, high enough for the rows."""
        if ax is None:
            import matplotlib.pyplot as plt

            size = (6.4, height(rows)) if rows else None
            _, ax = plt.subplots(figsize=size, layout="constrained")
        self.ax_, self.figure_ = ax, ax.figure


def height(rows: int) -> float:
    return max(LEAST_INCHES, 1 + ROW_INCHES * rows)


def name_rows(ax: Axes, names: Sequence[str], longest: int) -> None:
    ax.set_yticks(range(len(names)), labels=[shorten(name, longest) for name in names], **PLAIN)
    ax.set_ylim(len(names) - 0.4, -0.6)
    ax.tick_params(axis="y", length=0)


def write_at_end(ax: Axes, text: str, end: float, row: int, *, chosen: bool, left: bool = False) -> None:
    """What a bar stands for, at its right or left end; that of the choice in bold and in its color."""
    ax.annotate(
        text, (end, row), xytext=(-4 if left else 4, 0), textcoords="offset points", ha="right" if left else "left",
        va="center", weight="bold" if chosen else "normal", color=CHOICE if chosen else rcParams["text.color"],
    )  # fmt: skip


def set_axis(ax: Axes, which: str, axis: Axis, *, shift: float = 0) -> None:
    """Scale, ticks (shifted, into the middle of a cell) and name of a parameter's axis; as many ticks as have room."""
    along = ax.xaxis if which == "x" else ax.yaxis
    if axis.scale == "log":
        (ax.set_xscale if which == "x" else ax.set_yscale)("log")
    names = _tick_names(axis)
    box = ax.get_window_extent()
    needed = 0.3 + CHARACTER_INCHES * max(map(len, names)) if which == "x" else ROW_INCHES
    room = max(2, int((box.width if which == "x" else box.height) / ax.figure.dpi / needed))
    if len(names) <= room or axis.scale == "ordinal":
        ticks = [tick + shift for tick in axis.ticks]
        named = dict(zip(ticks, names, strict=True))
        along.set_major_locator(FixedLocator(ticks[:: -(-len(ticks) // room)]))
        along.set_major_formatter(FuncFormatter(lambda tick, _: named.get(float(tick), "")))
    else:  # round numbers
        along.set_major_formatter(FuncFormatter(lambda tick, _: f"{tick:g}"))
    along.set_minor_locator(NullLocator())
    for label in along.get_ticklabels():
        label.set(**PLAIN)
    along.set_label_text(f"{shorten(title(axis.name), 40)}{' (log scale)' if axis.scale == 'log' else ''}", PLAIN)


def _tick_names(axis: Axis) -> list[str]:
    """The values, with three digits where that tells them apart."""
    full = [shorten(value_text(value), TICK_LENGTH) for value in axis.values]
    short = [f"{v:.3g}" if isinstance(v, float) and len(value_text(v)) > 6 else value_text(v) for v in axis.values]
    return [shorten(name, TICK_LENGTH) for name in short] if len(set(short)) == len(full) else full


def legend(ax: Axes, handles: Sequence[Any], names: Sequence[str], *, ncols: int = 1) -> None:
    """A legend above the axes, from the left edge of the figure where the layout can make room for it.

    Names are text; one that begins with an underscore, which matplotlib would leave out, is shown too.
    """
    shown = [f" {name}" if name.startswith("_") else name for name in names]
    style: dict[str, Any] = {"ncols": ncols, "frameon": False, "handletextpad": 0.5, "columnspacing": 1.4}
    figure = ax.figure
    assert figure is not None
    if len(figure.axes) == 1 and isinstance(figure.get_layout_engine(), ConstrainedLayoutEngine):
        drawn = figure.legend(handles, shown, loc="outside upper left", **style)
    else:
        drawn = ax.legend(handles, shown, loc="lower left", bbox_to_anchor=(0, 1), **style)
    for text in drawn.get_texts():
        text.set(**PLAIN)
