"""A race as bars: how many resamples each candidate was trained on, and how far behind it was in its last one."""

from typing import Any

from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from foldless.core import Choice
from foldless.errors import BadInput
from foldless.report._wording import counted, inner, shorten
from foldless.report.displays._bars import MOST_BARS
from foldless.report.displays._drawing import CHOICE, DATA, PLAIN, Display, height, name_rows, write_at_end
from foldless.results import Selection

NARROW = 6  # inches of a figure


class RaceDisplay(Display):
    """Bars of resamples, the best candidate on top; the distance to the leader stands at the end of each.

    Parameters
    ----------
    selection : Selection
        One by the criterion ``auto``.

    Attributes
    ----------
    ax_, figure_ : where it was plotted
    bars_ : the bars, the choice first
    left_out : how many candidates are not shown
    """

    bars_: Any

    def __init__(self, selection: Selection):
        if not ran(selection):
            raise BadInput(f"{selection.criterion.name} is not a race: use auto")
        self.selection = selection
        runners = [choice for choice in selection.ranking if "resamples" in choice.parts]
        self._rows: list[Choice] = runners[:MOST_BARS]
        self.left_out = len(runners) - len(self._rows)

    @classmethod
    def from_selection(cls, selection: Selection, *, ax: Axes | None = None) -> "RaceDisplay":
        """Plot the race of a selection, on the axes given or on new ones."""
        return cls(selection).plot(ax=ax)

    def plot(self, *, ax: Axes | None = None, longest: int = 40) -> "RaceDisplay":
        """Draw. ``longest`` is the number of characters of a candidate's name that are shown."""
        self._open(ax, len(self._rows))
        asked = [choice.parts["resamples"] for choice in self._rows]
        self.bars_ = self.ax_.barh(range(len(asked)), asked, height=0.62)
        for row, (bar, choice) in enumerate(zip(self.bars_, self._rows, strict=True)):
            bar.set(color=DATA if row else CHOICE, alpha=0.5 if row else 1)
            behind = f"{choice.parts['behind']:.4f} behind" if choice.parts["behind"] else "the leader"
            write_at_end(self.ax_, behind, asked[row], row, chosen=not row)
        name_rows(self.ax_, inner([choice.candidate.name for choice in self._rows]), longest)
        narrow = self.figure_.get_figwidth() < NARROW
        self.ax_.set_xlim(0, max(asked) * (1.9 if narrow else 1.4))  # room for the numbers
        self.ax_.xaxis.set_major_locator(MaxNLocator(integer=True, steps=[1, 2, 5, 10]))
        self.ax_.set_xlabel("resamples it was scored on", **PLAIN)
        return self

    def describe(self) -> str:
        best, rest = self._rows[0], ""
        if self.left_out:
            rest = f" {counted(self.left_out, 'candidate')} further behind not shown."
        return (
            f"How long each candidate stayed in the race. {shorten(best.candidate.name, 80)} was scored on "
            f"{counted(int(best.parts['resamples']), 'resample')}. All candidates have the first half of them, and "
            f"the better third has the others too.{rest}"
        )

    def inches(self) -> float:
        return height(len(self._rows))


def ran(selection: Selection) -> bool:
    """Whether the ranking comes from a race."""
    return "resamples" in selection.best.parts and "behind" in selection.best.parts
