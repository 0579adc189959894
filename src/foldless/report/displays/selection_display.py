"""The scores of a selection: a curve over one parameter, a heat map over two, ranked bars over more."""

from typing import Any

from matplotlib.axes import Axes

from foldless.report._varying import Axis, title
from foldless.report._wording import counted, shorten
from foldless.report.displays import _bars as bars
from foldless.report.displays import _curve as curve
from foldless.report.displays import _heat_map as heat_map
from foldless.report.displays._drawing import Display, height
from foldless.report.displays._scores import Kind, Scores
from foldless.results import Selection


class SelectionDisplay(Display):
    """The scores of the candidates, with the choice marked.

    Parameters
    ----------
    selection : Selection

    Attributes
    ----------
    kind : "curve", "heat map" or "bars"
    axes : the parameters that vary
    ax_, figure_ : where it was plotted
    choice_ : the mark of the choice; None where no candidate has a score
    line_, band_ : of a curve, the scores and the spread of their splits, if they have one
    mesh_ : of a heat map, its cells
    bars_ : of bars, the bars
    """

    choice_: Any
    line_: Any
    band_: Any
    mesh_: Any
    bars_: Any

    def __init__(self, selection: Selection):
        self.selection = selection
        self._scores = Scores(selection)

    @classmethod
    def from_selection(cls, selection: Selection, *, ax: Axes | None = None) -> "SelectionDisplay":
        """Plot a selection, on the axes given or on new ones."""
        return cls(selection).plot(ax=ax)

    @property
    def kind(self) -> Kind:
        return self._scores.kind

    @property
    def axes(self) -> tuple[Axis, ...]:
        return self._scores.axes

    def plot(self, *, ax: Axes | None = None, longest: int = 40) -> "SelectionDisplay":
        """Draw. ``longest`` is the number of characters of a candidate's name that are shown."""
        scores = self._scores
        self._open(ax, len(bars.best_of(scores)) if self.kind == "bars" else 0)
        if self.kind == "curve":
            artists = curve.draw(scores, self.ax_)
        elif self.kind == "heat map":
            artists = heat_map.draw(scores, self.ax_)
        else:
            artists = bars.draw(scores, self.ax_, longest)
        vars(self).update(artists)
        return self

    def describe(self) -> str:
        scores = self._scores
        name = scores.label(scores.best) if scores.n_members > 1 else scores.best.candidate.name
        best = f"The choice, {shorten(name, 80)}, is marked."
        if self.kind == "curve":
            spread = f" The band is one standard deviation of {scores.n_splits} splits." if scores.n_splits else ""
            gone = f" {counted(len(scores.lost), 'cross', 'crosses')}: no score." if scores.lost else ""
            return f"The score of each candidate over {title(self.axes[0].name)}. {best}{spread}{gone}"
        if self.kind == "heat map":
            over = " and ".join(title(axis.name) for axis in self.axes)
            return f"The score of each candidate over {over}: the stronger the color, the better. {best}"
        left_out = len(scores.scored) - len(bars.best_of(scores))
        rest = f" {counted(left_out, 'lower candidate')} left out." if left_out else ""
        return f"{_order(scores)} {best}{rest}"

    def inches(self) -> float:
        if self.kind == "heat map":
            return max(3.5, min(9.0, 1.6 + 0.42 * len(self.axes[0].values)))
        return 4.6 if self.kind == "curve" else height(len(bars.best_of(self._scores)))


def _order(scores: Scores) -> str:
    """What orders the bars: the scores they show, or the ranks of a criterion that reads more than the score."""
    values = [choice.score for choice in scores.scored]
    if values == sorted(values, reverse=scores.criterion.better == "higher"):
        return "The candidates by score, the best on top."
    return "The candidates by rank, the first on top; a bar is the score, which does not decide the rank alone."
