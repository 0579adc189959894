"""Class shares side by side: in the labels, and as the chosen model sees them in the pool."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes

from foldless.report._wording import clean, counted
from foldless.report.displays._drawing import CHOICE, DATA, Display, height, legend, name_rows
from foldless.results import Selection
from foldless.results.shift import ShiftedColumn

MOST_CLASSES = 12


class SharesDisplay(Display):
    """One row per class, a ring for its share in the labels, a dot for its predicted share in the pool.

    Parameters
    ----------
    classes : the names of the classes
    labels : their shares in the labels
    pool : their predicted shares in the pool; None without a pool
    most : how many classes are shown, the largest ones

    Attributes
    ----------
    ax_, figure_ : where it was plotted
    labels_, pool_ : the marks of the shares; ``pool_`` is None without a pool
    left_out : how many classes are not shown
    """

    labels_: Any
    pool_: Any

    in_pool = "predicted in the pool"
    what = "class"

    def __init__(self, classes: Any, labels: Any, pool: Any = None, *, most: int = MOST_CLASSES):
        self.classes = [clean(name) for name in classes]
        self.labels = np.asarray(labels, dtype=float)
        self.pool = None if pool is None else np.asarray(pool, dtype=float)
        larger = self.labels if self.pool is None else np.fmax(self.labels, self.pool)
        largest = np.argsort(-larger, kind="stable")[:most]
        # few classes keep the order in which a user knows them
        self._rows = largest if len(larger) > most else np.arange(len(larger))
        self.left_out = len(larger) - len(self._rows)

    @classmethod
    def from_selection(cls, selection: Selection, *, ax: Axes | None = None) -> "SharesDisplay":
        """Plot the class shares of a selection, on the axes given or on new ones."""
        return cls.of(selection).plot(ax=ax)

    @classmethod
    def of(cls, selection: Selection, *, most: int = MOST_CLASSES) -> "SharesDisplay":
        """The display of a selection, not yet plotted."""
        shares = selection.label_shares
        pool = None if selection.shares is None else selection.shares.to_numpy()
        return cls(shares.index, shares.to_numpy(), pool, most=most)

    def plot(self, *, ax: Axes | None = None, longest: int = 24) -> "SharesDisplay":
        """Draw. ``longest`` is the number of characters of a class name that are shown."""
        self._open(ax, len(self._rows))
        rows, labels = range(len(self._rows)), self.labels[self._rows]
        shown: dict[str, Any] = {}
        self.pool_ = None
        if self.pool is not None:
            pool = self.pool[self._rows]
            self.ax_.hlines(rows, labels, pool, color=CHOICE, alpha=0.45, linewidth=2.5)
            self.pool_ = self.ax_.scatter(pool, rows, color=CHOICE, s=46, zorder=3)
            shown[self.in_pool] = self.pool_
        self.labels_ = self.ax_.scatter(labels, rows, facecolor="none", edgecolor=DATA, s=64, linewidth=1.8, zorder=4)
        name_rows(self.ax_, [self.classes[at] for at in self._rows], longest)
        self.ax_.set_xlim(left=0)
        self.ax_.xaxis.set_major_formatter(lambda share, _: f"{100 * share:g}%")
        self.ax_.locator_params(axis="x", nbins=5)
        self.ax_.grid(axis="x")
        self.ax_.set_axisbelow(True)
        named = {"in the labels": self.labels_, **shown}
        legend(self.ax_, [*named.values()], [*named], ncols=2)
        return self

    def describe(self) -> str:
        what = "in the labels" if self.pool is None else f"in the labels (ring) and {self.in_pool} (dot)"
        rest = ""
        if self.left_out:
            held = 1 - self.labels[self._rows].sum()
            classes = counted(self.left_out, "smaller class", "smaller classes")
            rest = f" {classes} with {100 * max(0, held):.3g}% of the labels left out."
        return f"The share of each {self.what} {what}.{rest}"

    def inches(self) -> float:
        return height(len(self._rows))


class ShiftedColumnDisplay(SharesDisplay):
    """A column that tells labels from pool: the share of rows in each of its bins, or with each of its values."""

    in_pool = "in the pool"

    def __init__(self, column: ShiftedColumn):
        super().__init__(column.bins, column.labels, column.pool)
        self.what = f"bin of {clean(column.name)}"
