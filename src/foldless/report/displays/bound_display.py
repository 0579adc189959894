"""The bound of each candidate, its summands as parts of one bar: where the width of a certificate comes from."""

from itertools import accumulate
from typing import Any

import numpy as np
from matplotlib import rcParams
from matplotlib.axes import Axes
from matplotlib.patches import Patch

from foldless.core import Choice
from foldless.core.certificate import Certificate, raised
from foldless.errors import BadInput
from foldless.report._wording import counted, shorten
from foldless.report.displays._bars import MOST_BARS
from foldless.report.displays._drawing import CHOICE, DATA, PLAIN, Display, height, legend, name_rows, write_at_end
from foldless.results import Selection

PART, THICK = (1.0, 0.45, 0.25, 0.15), 0.62
LEGEND = 36  # characters that fit on a phone


class BoundDisplay(Display):
    """Bars of summands, the best bound on top, the choice in its own color; a tick shows what was observed of each.

    Parameters
    ----------
    selection : Selection
        One with a certificate.

    Attributes
    ----------
    ax_, figure_ : where it was plotted
    bars_ : for each summand, its bars
    choice_ : the bars of the choice
    left_out : how many candidates are not shown
    """

    bars_: list[Any]
    choice_: list[Any]

    def __init__(self, selection: Selection):
        if selection.certificate is None:
            raise BadInput(f"{selection.criterion.name} gives no certificate: use semi_supervised_cv or hold_out")
        self.selection = selection
        certified = [
            (c, certificate)
            for c in selection.ranking
            if (certificate := selection.certificate_of(c)) and certificate.terms
        ]
        self._rows: list[tuple[Choice, Certificate]] = certified[:MOST_BARS]
        self.left_out = len(certified) - len(self._rows)

    @classmethod
    def from_selection(cls, selection: Selection, *, ax: Axes | None = None) -> "BoundDisplay":
        """Plot the bounds of a selection, on the axes given or on new ones."""
        return cls(selection).plot(ax=ax)

    def plot(self, *, ax: Axes | None = None, longest: int = 40) -> "BoundDisplay":
        """Draw. ``longest`` is the number of characters of a candidate's name that are shown."""
        self._open(ax, len(self._rows))
        ends = [
            list(accumulate((term.upper for term in certificate.terms), initial=0.0)) for _, certificate in self._rows
        ]
        self.bars_ = [self._part(at, ends) for at in range(self._parts)]
        chosen = [at for at, (choice, _) in enumerate(self._rows) if choice is self.selection.best]
        self.choice_ = [part[at] for part in self.bars_ for at in chosen]
        for row, (choice, certificate) in enumerate(self._rows):
            chosen_one = choice is self.selection.best
            write_at_end(self.ax_, raised(certificate.upper), ends[row][-1], row, chosen=chosen_one)
        name_rows(self.ax_, [choice.candidate.name for choice, _ in self._rows], longest)
        self.ax_.margins(x=0.2)  # room for the numbers
        self.ax_.set_xlim(left=0)
        confidence = self._rows[0][1].confidence if self._rows else ""
        self.ax_.set_xlabel(f"error at most, with confidence {confidence}\n(lower is better)", **PLAIN)
        if self._parts > 1:
            handles = [Patch(color=DATA, alpha=_shade(at)) for at in range(self._parts)]
            legend(self.ax_, handles, self._names())
        return self

    def describe(self) -> str:
        best = shorten(self.selection.best.candidate.name, 80)
        parts = f"the sum of {' and '.join(self._names())}" if self._parts > 1 else "from the labels held out"
        empty = " A bound of 1 is vacuous." if any(certificate.upper >= 1 for _, certificate in self._rows) else ""
        rest = f" {counted(self.left_out, 'candidate')} with a larger bound not shown." if self.left_out else ""
        return (
            f"The bound on the error of each candidate, {parts}; all hold at once. Ticks mark the observed value; "
            f"the rest of a part is the statistical margin. The choice, {best}, has its own color.{empty}{rest}"
        )

    def inches(self) -> float:
        return height(len(self._rows)) + 0.25 * self._parts

    @property
    def _parts(self) -> int:
        return max((len(certificate.terms) for _, certificate in self._rows), default=0)

    def _names(self) -> list[str]:
        """What the summands bound, without where it was seen."""
        terms = self._rows[0][1].terms if self._rows else ()
        return [shorten(term.what.partition(", ")[0], LEGEND) for term in terms]

    def _part(self, at: int, ends: list[list[float]]) -> Any:
        """The bars of one summand, each beginning where the one before ends, with its tick."""
        rows = range(len(self._rows))
        widths = [certificate.terms[at].upper for _, certificate in self._rows]
        lefts = [each[at] for each in ends]
        colors = [CHOICE if choice is self.selection.best else DATA for choice, _ in self._rows]
        drawn = self.ax_.barh(rows, widths, left=lefts, height=THICK, color=colors, alpha=_shade(at))
        seen = np.add(lefts, [certificate.terms[at].observed for _, certificate in self._rows])
        low, high = np.arange(len(rows)) - THICK / 2, np.arange(len(rows)) + THICK / 2
        self.ax_.vlines(seen, low, high, color=rcParams["axes.facecolor"], linewidth=2)
        return drawn


def _shade(at: int) -> float:
    return PART[min(at, len(PART) - 1)]
