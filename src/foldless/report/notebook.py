"""A result in a notebook: a few lines of HTML, without figures or scripts."""

from typing import TYPE_CHECKING

from foldless.report import facts, tables
from foldless.report.rendering import render

if TYPE_CHECKING:
    from foldless.selection.comparison import Comparison
    from foldless.selection.selection import Selection


def selection_summary(selection: "Selection", most: int = 8) -> str:
    """A selection in a notebook: the choice, the first ranks, the fits and what the score assumes."""
    return render(
        "notebook.html", name=selection.best.candidate.name, lede=facts.lede(selection), picture=None,
        table=tables.ranking(selection, most), fits=facts.fits(selection.n_fits), assumes=facts.assumes(selection),
        certificate=facts.certificate(selection.certificate), notes=facts.notes(selection),
    )  # fmt: skip


def comparison_summary(comparison: "Comparison") -> str:
    """A comparison in a notebook: its table and the fits."""
    return render(
        "notebook.html", name="", lede="", picture=None, table=tables.criteria(comparison),
        fits=facts.fits(comparison.n_fits), assumes=(), certificate=None, notes=facts.notes(comparison),
    )  # fmt: skip
