"""The report: one HTML file that needs nothing else, neither a network nor a script from elsewhere.

A Content-Security-Policy allows only the script of the page, by its hash, and every string goes through jinja2's
autoescape. Figures come in two widths, and the page shows the one that fits.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

from markupsafe import Markup

from foldless.core import Candidate
from foldless.report import _svg as svg
from foldless.report._wording import counted, shorten
from foldless.report.displays.bound_display import BoundDisplay
from foldless.report.displays.comparison_display import ComparisonDisplay
from foldless.report.displays.race_display import RaceDisplay, ran
from foldless.report.displays.selection_display import SelectionDisplay
from foldless.report.displays.shares_display import SharesDisplay, ShiftedColumnDisplay
from foldless.report.pages import _facts as facts
from foldless.report.pages import _tables as tables
from foldless.report.pages._rendering import render
from foldless.results import Comparison, Selection
from foldless.results import _drawn as drawn

WIDE, NARROW, HALF, SMALL = 960, 350, 450, 480
PHONE_HEIGHT, SMALL_HEIGHT = 330, 420
MOST_SHIFTED = 4  # columns with a picture
LONGEST = {WIDE: 48, HALF: 22, NARROW: 18, SMALL: 24}


@drawn.page.register(Selection)
def selection_page(
    selection: Selection, *, made_by: str | None = None, about: Sequence[str] = (), beside: Selection | None = None
) -> str:
    """The report of a selection as HTML, with the certificate of another one ``beside`` its own."""
    scores = SelectionDisplay(selection)
    shares = None if selection.regression else figure_of(SharesDisplay.of(selection), "shares", (HALF, NARROW))
    has_terms = selection.certificate is not None and selection.certificate.terms
    name = facts.model_name(selection)
    return render(
        "selection.html",
        selection=selection,
        title=f"{shorten(name, 60)} was chosen",
        name=name,
        lede=facts.lede(selection),
        accuracy=facts.accuracy(selection),
        findings=tables.findings(selection.findings),
        tiles=facts.tiles(selection),
        scores=figure_of(scores, "scores", (WIDE, NARROW)),
        shares=shares,
        shifted=_shifted(selection),
        members=tables.members(selection),
        certificate=facts.certificate(selection.certificate, selection.findings),
        beside=facts.beside(selection, beside),
        bounds=figure_of(BoundDisplay(selection), "bounds", (WIDE, NARROW)) if has_terms else None,
        race=figure_of(RaceDisplay(selection), "race", (WIDE, NARROW)) if ran(selection) else None,
        assumes=facts.assumes(selection),
        ranking=tables.ranking(selection),
        legend=facts.legend(selection),
        share_table=tables.shares(selection),
        fits=facts.fits(selection.n_fits),
        **facts.provenance(selection, made_by, about),
    )


@drawn.page.register(Comparison)
def comparison_page(comparison: Comparison, *, made_by: str | None = None, about: Sequence[str] = ()) -> str:
    chosen: dict[Candidate, list[str]] = {}
    for name, selection in comparison.selections.items():
        chosen.setdefault(selection.best.candidate, []).append(name)
    lacking = [name for name in comparison.unable if name not in comparison.selections]
    n, different = len(comparison.selections) + len(lacking), len(chosen)
    title = f"{counted(n, 'criterion', 'criteria')}, {counted(different, 'choice')}"
    return render(
        "comparison.html",
        comparison=comparison,
        title=title,
        baseline=facts.baseline(comparison.baseline),
        findings=tables.findings(comparison.findings),
        chosen=chosen,
        lacking=lacking,
        scores=figure_of(ComparisonDisplay(comparison), "scores", (WIDE, NARROW), series=True),
        criteria=tables.criteria(comparison),
        candidates=tables.candidates(comparison),
        certificates={
            name: certificate
            for name, s in comparison.selections.items()
            if (certificate := facts.certificate(s.certificate)) is not None
        },
        fits=facts.fits(comparison.n_fits),
        **facts.provenance(comparison, made_by, about),
    )


def _shifted(selection: Selection) -> list[tuple[str, dict[str, Any]]]:
    """The columns that tell labels from pool, each with a picture, after an alarm."""
    if selection.shift is None or not selection.shift.alarm:
        return []
    drawn = [column for column in selection.shift.columns if len(column.bins) > 1][:MOST_SHIFTED]
    return [
        (str(column), figure_of(ShiftedColumnDisplay(column), f"shift{at}", (HALF, NARROW)))
        for at, column in enumerate(drawn)
    ]


def figure_of(display: Any, prefix: str, widths: Sequence[int], series: bool = False) -> dict[str, Any]:
    caption = display.describe()
    drawn = []
    for width in widths:
        high = display.inches() * svg.PIXELS
        if width == NARROW and getattr(display, "kind", "") in ("curve", "curves"):
            high = PHONE_HEIGHT
        plot = partial(display.plot, longest=LONGEST[width])
        drawing = svg.figure(plot, width=width, height=high, label=caption, prefix=f"{prefix}{width}-", series=series)
        drawn.append(("narrow" if width == NARROW else "wide", Markup(drawing)))
    return {"caption": caption, "drawn": drawn}


def small_figure(display: Any, height: float | None = None, *, series: bool = False) -> Markup:
    """A drawing for a notebook, as high as suits it, with ids that no other drawing there has."""
    high = min(SMALL_HEIGHT, display.inches() * svg.PIXELS) if height is None else height
    plot, prefix = partial(display.plot, longest=LONGEST[SMALL]), f"n{id(display):x}-"
    label = display.describe()
    return Markup(svg.figure(plot, width=SMALL, height=high, label=label, prefix=prefix, series=series))
