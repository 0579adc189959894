"""Scores over two parameters: the better, the stronger the color; a frame around the choice."""

from typing import Any

import numpy as np
from matplotlib import rcParams
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap, to_rgb
from matplotlib.patches import Rectangle

from foldless.core import Array
from foldless.report._varying import Axis
from foldless.report._wording import number
from foldless.report.displays._drawing import CHOICE, DATA, set_axis
from foldless.report.displays._scores import Scores

MOST_NUMBERED = 80  # cells that have room for their score
FAINTEST, PALE = 0.06, 0.7
SHADES = 24
TIGHT = 0.7  # inches of a cell in which four decimals do not fit


def draw(scores: Scores, ax: Axes) -> dict[str, Any]:
    """Draw the map; its artists are given back by name."""
    rows, columns = scores.axes
    cells = np.full((len(rows.values), len(columns.values)), np.nan)
    for choice in scores.scored:
        cells[scores.cell(choice.candidate)] = choice.score
    lower = scores.criterion.better == "lower"
    numbered = cells.size <= MOST_NUMBERED
    paper = {"edgecolor": rcParams["axes.facecolor"], "linewidth": 2 if numbered else 0.5}
    mesh = ax.pcolormesh(np.ma.masked_invalid(cells), cmap=fading(lower), **paper)
    for which, axis in (("y", rows), ("x", columns)):
        set_axis(ax, which, Axis(axis.name, axis.values, "ordinal"), shift=0.5)
    if numbered:
        _write(ax, cells, lower)
    else:
        ax.figure.colorbar(mesh, ax=ax, fraction=0.05, pad=0.02, label="score")
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0)
    frame = None
    if np.isfinite(scores.best.score):
        y, x = scores.cell(scores.best.candidate)
        frame = Rectangle((x, y), 1, 1, fill=False, edgecolor=CHOICE, linewidth=4, zorder=5, clip_on=False)
        ax.add_patch(frame)
    return {"mesh_": mesh, "choice_": frame}


def _write(ax: Axes, cells: Array, lower: bool) -> None:
    """The score in each cell, in the color that can be read on it; a cross where there is none."""
    low, high = np.nanmin(cells, initial=np.inf), np.nanmax(cells, initial=-np.inf)
    tight = ax.get_window_extent().width / ax.figure.dpi / cells.shape[1] < TIGHT
    for (row, column), score in np.ndenumerate(cells):
        strength = (score - low) / (high - low) if high > low else 0
        dark = (1 - strength if lower else strength) > PALE
        text = "×" if np.isnan(score) else f"{score:.2g}" if tight else number(score)
        color = rcParams["axes.facecolor"] if dark and np.isfinite(score) else rcParams["text.color"]
        ax.text(column + 0.5, row + 0.5, text, ha="center", va="center", color=color)


def fading(reverse: bool) -> Any:
    """A color map from almost nothing to the color of the data: right on light and on dark paper."""
    strengths = np.linspace(FAINTEST, 1, SHADES)
    return ListedColormap([(*to_rgb(DATA), strength) for strength in (strengths[::-1] if reverse else strengths)])
