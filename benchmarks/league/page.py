"""The page of the league in the documentation, and its picture; both are made of the records alone."""

from pathlib import Path

import matplotlib as mpl
import pandas as pd
from matplotlib.figure import Figure

from benchmarks.league.rows import ROWS
from benchmarks.league.tables import (
    checks,
    coverage,
    estimates,
    grid,
    leaders,
    markdown,
    papers,
    ratios,
    standings,
    summary,
)
from benchmarks.places import ROOT

DOCS = ROOT / "docs"
LINES = (
    "auto", "auto, average", "auto, no pool", "GridSearchCV", "quantification bound", "reverse validation",
    ".632+, 25 bootstraps",
)  # fmt: skip
TEMPLATES = {"league.md": "page.md", "league_rows.md": "page_rows.md"}  # beside this file
MARKER = "<!-- printed by: league -->\n"  # by which `benchmarks.figures` says how old the table is
INK, ACCENT, LIGHT = "#444444", "#0b6e99", "#bbbbbb"


def write(table: pd.DataFrame) -> None:
    """docs/league.md, docs/league_rows.md and docs/_static/league.svg."""
    plain, shifted = (table[table.regime == regime] for regime in ("plain", "shift"))
    parts = {
        "coverage": coverage(table), "summary": markdown(summary(plain)), "grid": markdown(grid(plain)),
        "checks": checks(plain), "estimates": markdown(estimates(plain)),
        "shift": markdown(summary(shifted)) if len(shifted) else "These settings have not run.",
        "papers": markdown(papers(plain)), "names of papers": ", ".join(n for n, row in ROWS.items() if row.paper),
        **{f"leaders by {by}": markdown(leaders(plain, by)) for by in ("n", "kind", "family")},
        **{f"ratios by {by}": markdown(ratios(plain, by)) for by in ("n", "family", "kind", "half")},
    }  # fmt: skip
    for file, template in TEMPLATES.items():
        page = Path(__file__).with_name(template).read_text(encoding="utf-8")
        for name, content in parts.items():
            page = page.replace(f"<!-- {name} -->", f"{MARKER if content.startswith('|') else ''}{content}")
        (DOCS / file).write_text(page, encoding="utf-8")
    draw(plain, DOCS / "_static" / "league.svg")


def draw(table: pd.DataFrame, path: Path) -> None:
    """Regret of every criterion, and of some by the number of labels."""
    numbers = standings(table)
    numbers = numbers[numbers.sets > 1].sort_values("ratio", ascending=False)
    with mpl.rc_context({"svg.hashsalt": "foldless", "svg.fonttype": "none", "font.size": 9}):
        figure = Figure(figsize=(10, 6), layout="constrained")
        left, right = figure.subplots(1, 2, width_ratios=(3, 2))
        for at, (name, row) in enumerate(numbers.iterrows()):
            color = ACCENT if str(name).startswith("auto") else INK
            left.errorbar(row.ratio, at, xerr=row.ratio_se, fmt="o", color=color, markersize=4)
            left.annotate(f"{row.fits:.2f}", (1.01, at), xycoords=("axes fraction", "data"), va="center", color=INK)
        left.annotate("fits", (1.01, 1), xycoords="axes fraction", color=INK)
        left.axvline(1, color=LIGHT, zorder=0)
        left.set_yticks(range(len(numbers)), list(numbers.index))
        left.set_xlabel("regret, and at the right fits, as a share of 5-fold's")
        for name in (name for name in LINES if name in numbers.index):
            cells = {n: standings(part).ratio.get(name) for n, part in table.groupby("n")}
            shown = {n: ratio for n, ratio in cells.items() if ratio is not None and pd.notna(ratio)}
            right.plot(list(shown), list(shown.values()), marker="o", markersize=4, label=name)
        right.axhline(1, color=LIGHT, zorder=0)
        right.set_xscale("log")
        right.set_xticks(sorted(table.n.unique()), [str(n) for n in sorted(table.n.unique())])
        right.minorticks_off()
        right.set(xlabel="labels", ylabel="regret, as a share of 5-fold's")
        right.legend(frameon=False)
        for axes in (left, right):
            axes.spines[["top", "right"]].set_visible(False)
        figure.savefig(path, metadata={"Date": None})
