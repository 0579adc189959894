"""A result in a notebook: a few lines of HTML and a small picture, without scripts."""

from typing import Any

from foldless.report.displays.comparison_display import ComparisonDisplay
from foldless.report.displays.selection_display import SelectionDisplay
from foldless.report.pages import _facts as facts
from foldless.report.pages import _tables as tables
from foldless.report.pages._page import small_figure
from foldless.report.pages._rendering import summarized
from foldless.results import Comparison, Estimate, Selection
from foldless.results import _drawn as drawn

HEIGHT = 200  # of a curve
MOST_DRAWN = 40  # candidates that a small picture can show


@drawn.summary.register(Selection)
def selection_summary(selection: Selection, most: int = 8) -> str:
    display = SelectionDisplay(selection)
    lede = " ".join(filter(None, [facts.lede(selection), facts.accuracy(selection)]))
    return summarized(
        facts.model_name(selection), lede, [*selection.findings, *facts.notes(selection)],
        picture=_picture(display, selection.n_candidates), table=tables.ranking(selection, most),
        fits=facts.fits(selection.n_fits), assumes=facts.assumes(selection),
        certificate=facts.certificate(selection.certificate, selection.findings),
    )  # fmt: skip


@drawn.summary.register(Comparison)
def comparison_summary(comparison: Comparison) -> str:
    n = max((selection.n_candidates for selection in comparison.selections.values()), default=0)
    return summarized(
        "", "", [*comparison.findings, *facts.notes(comparison)], table=tables.criteria(comparison),
        picture=_picture(ComparisonDisplay(comparison), n, series=True), fits=facts.fits(comparison.n_fits),
    )  # fmt: skip


@drawn.summary.register(Estimate)
def estimate_summary(estimate: Estimate) -> str:
    return summarized("Estimated", f"{estimate}.", estimate.notes, assumes=estimate.assumes)


def _picture(display: Any, candidates: int, series: bool = False) -> Any:
    """A small drawing; None where there is nothing to see in it."""
    if not 1 < candidates <= MOST_DRAWN:
        return None
    is_curve = getattr(display, "kind", "") in ("curve", "curves") and not series
    return small_figure(display, HEIGHT if is_curve else None, series=series)
