"""Which classes a model takes for which: a row for each class, and the stronger the color, the larger the share."""

from typing import Any

import numpy as np
from matplotlib import rcParams
from matplotlib.axes import Axes

from foldless.core import Array
from foldless.report._wording import clean, shorten
from foldless.report.displays._drawing import CHOICE, PLAIN, Display, height
from foldless.report.displays._heat_map import PALE, fading
from foldless.results import Evaluation

MOST_CLASSES, MOST_NUMBERED = 20, 14


class ConfusionDisplay(Display):
    """Rows are classes, columns what the model names; each cell has the number of rows, on the diagonal the right ones.

    Parameters
    ----------
    classes : the names of the classes
    confusion : (K, K) counts by class and predicted class
    most : how many classes are shown by themselves, the largest; the rest are one row and one column

    Attributes
    ----------
    ax_, figure_ : where it was plotted
    mesh_ : the colored cells
    shown_ : the counts that are drawn
    """

    mesh_: Any
    shown_: Array

    def __init__(self, classes: Any, confusion: Any, *, most: int = MOST_CLASSES):
        counts = np.asarray(confusion)
        names = [clean(name) for name in classes]
        size = counts.sum(axis=1) + counts.sum(axis=0)
        self.left_out = max(0, len(names) - most + 1) if len(names) > most else 0
        if self.left_out:
            first = np.sort(np.argsort(-size, kind="stable")[: most - 1])
            place = np.full(len(names), len(first))
            place[first] = np.arange(len(first))
            merged = np.zeros((most, most), dtype=counts.dtype)
            np.add.at(merged, (place[:, None], place[None, :]), counts)
            names, counts = [*(names[at] for at in first), "other classes"], merged
        self.names, self.shown_ = names, counts

    @classmethod
    def from_evaluation(cls, evaluation: Evaluation, *, ax: Axes | None = None) -> "ConfusionDisplay":
        """Plot the confusion of an evaluation, on the axes given or on new ones."""
        return cls(evaluation.classes, evaluation.confusion).plot(ax=ax)

    def plot(self, *, ax: Axes | None = None, longest: int = 24) -> "ConfusionDisplay":
        """Draw. ``longest`` is the number of characters of a class name that are shown."""
        n = len(self.names)
        self._open(ax, n)
        with np.errstate(invalid="ignore"):
            share = np.nan_to_num(self.shown_ / self.shown_.sum(axis=1, keepdims=True))
        paper = {"edgecolor": rcParams["axes.facecolor"], "linewidth": 2 if n <= MOST_NUMBERED else 0.5}
        self.mesh_ = self.ax_.pcolormesh(share, cmap=fading(False), vmin=0, vmax=1, **paper)
        self._write(share)
        middle, names = np.arange(n) + 0.5, [shorten(name, longest) for name in self.names]
        self.ax_.set_yticks(middle, labels=names, **PLAIN)
        tall = n > 6 or max(map(len, names)) > 8
        self.ax_.set_xticks(middle, labels=names, rotation=90 if tall else 0, **PLAIN)
        self.ax_.set_ylim(n, 0)
        self.ax_.set_ylabel("class", **PLAIN)
        self.ax_.set_xlabel("predicted", **PLAIN)
        self.ax_.spines[:].set_visible(False)
        self.ax_.tick_params(length=0)
        return self

    def describe(self) -> str:
        rest = f" {self.left_out} smaller classes are merged into one row and one column." if self.left_out else ""
        return (
            "The confusion matrix: a row for each true class, a column for each predicted label. Correct labels are "
            f"on the diagonal; the color is the share of the row.{rest}"
        )

    def inches(self) -> float:
        return height(len(self.names)) + min(max(map(len, self.names), default=0), 24) * 0.08

    def _write(self, share: Array) -> None:
        n = len(self.names)
        if n > MOST_NUMBERED:
            return
        for (row, column), count in np.ndenumerate(self.shown_):
            color = rcParams["axes.facecolor"] if share[row, column] > PALE else rcParams["text.color"]
            weight = "bold" if row == column else "normal"
            wrong = row != column and share[row, column] > 0.2
            self.ax_.text(
                column + 0.5, row + 0.5, f"{count}" if count else "·", ha="center", va="center",
                color=CHOICE if wrong and share[row, column] <= PALE else color, weight=weight,
            )  # fmt: skip
