"""All criteria over the same candidates, each scaled from its worst score (0) to its best (1), each choice ringed.

Scores of different criteria have no common unit: a bound, an accuracy and a log loss can only be compared by where
they are high. The legend gives the two scores that 0 and 1 stand for.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib import rcParams
from matplotlib.axes import Axes

from foldless.core import Candidate
from foldless.report._varying import axis, title, varying
from foldless.report._wording import counted, number, shorten
from foldless.report.displays._drawing import MOST_DOTS, PLAIN, Display, height, legend, name_rows, set_axis
from foldless.results import Comparison

MOST_ROWS = 30
MARKERS = "oDs^vPX*"
SCALED = "worst (0) to best (1) score"


@dataclass(frozen=True)
class CriterionScores:
    """The scores of one criterion (or of the test rows) by candidate, and its choice."""

    name: str
    scores: Mapping[Candidate, float]
    best: Candidate | None
    lower: bool = False

    @property
    def ends(self) -> tuple[float, float]:
        """The worst and the best score."""
        low, high = min(self.scores.values()), max(self.scores.values())
        return (high, low) if self.lower else (low, high)

    def scaled(self, candidate: Candidate) -> float:
        worst, best = self.ends
        score = self.scores.get(candidate, np.nan)
        return (score - worst) / (best - worst) if best != worst else 1 + 0 * score

    def label(self, longest: int) -> str:
        worst, best = self.ends
        return f"{shorten(self.name, longest)}: {number(worst)} to {number(best)}"


class ComparisonDisplay(Display):
    """Every criterion's scores over the candidates on one scale, with every choice marked.

    Parameters
    ----------
    comparison : Comparison

    Attributes
    ----------
    kind : "curves" over one numeric parameter, otherwise "dots", one row per candidate
    ax_, figure_ : where it was plotted
    lines_ : by criterion, its line or dots
    truth_ : the accuracy (R² of regressors) on the test rows; None without a test set
    choices_ : by criterion, the ring around its choice
    """

    lines_: dict[str, Any]
    choices_: dict[str, Any]
    truth_: Any

    def __init__(self, comparison: Comparison):
        self.comparison = comparison
        self._series = _series(comparison)
        candidates = {c for series in self._series for c in series.scores}
        self._every = sorted(candidates, key=lambda candidate: candidate.index)
        columns = varying(self._every)
        self._axis = axis(*next(iter(columns.items()))) if len(columns) == 1 else None
        distinct = self._axis is not None and len(self._axis.values) == len(self._every)
        self.kind = "curves" if self._axis is not None and self._axis.numeric and distinct else "dots"

    @classmethod
    def from_comparison(cls, comparison: Comparison, *, ax: Axes | None = None) -> "ComparisonDisplay":
        """Plot a comparison, on the axes given or on new ones."""
        return cls(comparison).plot(ax=ax)

    def plot(self, *, ax: Axes | None = None, longest: int = 40) -> "ComparisonDisplay":
        """Draw. ``longest`` is the number of characters of a name that are shown."""
        rows = self._rows()
        self._open(ax, len(rows) if self.kind == "dots" else 0)
        self.lines_, self.choices_, self.truth_ = {}, {}, None
        places = self._places(rows)
        drawn = [self._draw(at, series, places) for at, series in enumerate(self._series)]
        if self.kind == "curves":
            assert self._axis is not None
            set_axis(self.ax_, "x", self._axis)
            self.ax_.set_ylabel(SCALED, **PLAIN)
        else:
            name_rows(self.ax_, [candidate.name for candidate in rows], longest)
            self.ax_.set_xlabel(SCALED, **PLAIN)
        self.ax_.grid(axis="y")
        self.ax_.set_axisbelow(True)
        names = [series.label(longest) for series in self._series]
        if names:
            legend(self.ax_, drawn, names, ncols=2 if longest >= 40 else 1)
        return self

    def describe(self) -> str:
        over = f"over {title(self._axis.name)}" if self.kind == "curves" and self._axis else "of each candidate"
        what = "R²" if self.comparison.quantity == "R²" else "the accuracy"
        truth = f" The dashed line is {what} on the test rows." if self.comparison.test_accuracy else ""
        if truth and self.kind == "dots":
            truth = f" Crosses are {what} on the test rows."
        left_out = len(self._every) - len(self._rows())
        rest = f" {counted(left_out, 'candidate')} with lower scores overall not shown." if left_out else ""
        return (
            f"The scores {over} by each criterion, each scaled from its worst score (0) to its best (1); "
            f"the legend gives both. Rings mark the choices.{truth}{rest}"
        )

    def inches(self) -> float:
        return 5.0 if self.kind == "curves" else height(len(self._rows())) + 0.25 * len(self._series)

    def _draw(self, at: int, series: CriterionScores, places: Mapping[Candidate, float]) -> Any:
        style: dict[str, Any] = {
            "color": f"C{at}",
            "marker": MARKERS[at % len(MARKERS)],
            "linestyle": "-",
            "alpha": 0.9,
        }
        if series.best is None:
            style |= {"color": rcParams["text.color"], "marker": "x", "linestyle": "--"}
        if self.kind == "dots":
            style["linestyle"] = "none"
        elif len(places) > MOST_DOTS:
            style["marker"] = "none"
        drawn = [candidate for candidate in places if candidate in series.scores]
        points = [(places[candidate], series.scaled(candidate)) for candidate in drawn]
        (line,) = self.ax_.plot(*self._xy(points), linewidth=1.8, markersize=5.5, **style)
        if series.best is None:
            self.truth_ = line
            return line
        self.lines_[series.name] = line
        if series.best in places and series.best in series.scores:
            x, y = self._xy([(places[series.best], series.scaled(series.best))])
            # rings of criteria that agree lie around each other
            self.choices_[series.name] = self.ax_.scatter(
                x, y, s=130 + 130 * at, facecolor="none", edgecolor=f"C{at}", linewidth=2, zorder=5, clip_on=False
            )
        return line

    def _xy(self, points: Sequence[tuple[float, float]]) -> Any:
        along, score = np.array(points, dtype=float).reshape(-1, 2).T
        return (along, score) if self.kind == "curves" else (score, along)

    def _places(self, rows: Sequence[Candidate]) -> dict[Candidate, float]:
        if self.kind == "dots":
            return {candidate: float(row) for row, candidate in enumerate(rows)}
        assert self._axis is not None
        values = next(iter(varying(self._every).values()))
        placed = zip(self._every, map(self._axis.place, values), strict=True)
        return dict(sorted(placed, key=lambda pair: pair[1]))

    def _rows(self) -> list[Candidate]:
        """The candidates that get a row: all choices, and those that score high on the whole."""
        if self.kind == "curves":
            return self._every
        criteria = [series for series in self._series if series.best is not None]
        mean = {
            c: np.nanmean([series.scaled(c) for series in criteria if c in series.scores] or [0]) for c in self._every
        }
        chosen = {series.best for series in criteria}
        first = sorted(self._every, key=lambda c: (c not in chosen, -mean[c], c.index))[:MOST_ROWS]
        return sorted(first, key=lambda c: (-mean[c], c.index))


def _series(comparison: Comparison) -> list[CriterionScores]:
    """One series per criterion that has scores, then the truth."""
    series = []
    for name, selection in comparison.selections.items():
        by_rank = [choice for choice in selection.ranking if np.isfinite(choice.score)]
        scores = {choice.candidate: choice.score for choice in reversed(by_rank)}  # the best of each candidate
        if scores:
            series.append(
                CriterionScores(name, scores, selection.best.candidate, selection.criterion.better == "lower")
            )
    if comparison.test_accuracy:
        series.append(CriterionScores(f"test {comparison.quantity}", comparison.test_accuracy, None))
    return series
