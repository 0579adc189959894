"""Scores over one parameter: a line, the spread of its splits as a band, a ring around the choice."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes

from foldless.report._wording import number, shorten
from foldless.report.displays._drawing import CHARACTER_INCHES, CHOICE, DATA, MOST_DOTS, PLAIN, legend, set_axis
from foldless.report.displays._scores import Scores
from foldless.results._measure_words import criterion_in_words


def draw(scores: Scores, ax: Axes) -> dict[str, Any]:
    """Draw the curve; its artists are given back by name."""
    drawn = sorted(scores.scored, key=lambda choice: scores.place(choice.candidate))
    x = [scores.place(choice.candidate)[0] for choice in drawn]
    dots: dict[str, Any] = {"marker": "o", "markersize": 5} if len(x) <= MOST_DOTS else {}
    (line,) = ax.plot(x, [choice.score for choice in drawn], color=DATA, linewidth=2, **dots)
    shown: dict[str, Any] = {f"score, {scores.criterion.better} is better": line}
    band = None
    if scores.n_splits:
        middle, spread = np.array([(np.mean(choice.splits), np.std(choice.splits)) for choice in drawn]).T
        band = ax.fill_between(x, middle - spread, middle + spread, color=DATA, alpha=0.14, linewidth=0)
        shown[f"one standard deviation of {scores.n_splits} splits"] = band
    if scores.lost:
        gone = [scores.place(candidate)[0] for candidate in scores.lost]
        shown["no score"] = ax.scatter(
            gone, [0.04] * len(gone), marker="x", color=DATA, transform=ax.get_xaxis_transform()
        )
        ax.dataLim.update_from_data_x(np.array(gone), ignore=False)
    ax.margins(x=0.04, y=0.18)
    set_axis(ax, "x", scores.axes[0])
    ax.set_ylabel(shorten(criterion_in_words(scores.criterion.name), 34), **PLAIN)
    ax.grid(axis="y")
    ax.set_axisbelow(True)
    if len(shown) > 1:
        legend(ax, [*shown.values()], [*shown])
    return {"line_": line, "band_": band, "choice_": _mark(scores, ax)}


def _mark(scores: Scores, ax: Axes) -> Any:
    """A ring around the choice, with its name and score on the side where there is room."""
    best = scores.best
    if not np.isfinite(best.score):
        return None
    x = scores.place(best.candidate)[0]
    ring = ax.scatter([x], [best.score], s=150, facecolor="none", edgecolor=CHOICE, linewidth=2.5, zorder=5)
    ax.get_xlim(), ax.get_ylim()  # the limits are settled when they are asked for
    where = ax.transAxes.inverted().transform(ax.transData.transform((x, best.score)))[0]
    text = f"{shorten(best.candidate.name, 30)}: {number(best.score)}"
    wide = len(text) * CHARACTER_INCHES / (ax.get_window_extent().width / ax.figure.dpi)
    half = max(0.25, wide / 2)
    side: Any = "center" if half <= where <= 1 - half else "left" if where < 0.5 else "right"
    above = scores.criterion.better == "higher"
    left = where - wide * {"center": 0.5, "left": 0, "right": 1}[side]
    ax.annotate(
        text, (x, _clear(scores, ax, (left, left + wide))), xytext=(0, 13 if above else -13),
        textcoords="offset points",
        ha=side, va="bottom" if above else "top", color=CHOICE, weight="bold", zorder=6, **PLAIN,
    )  # fmt: skip
    return ring


def _clear(scores: Scores, ax: Axes, between: tuple[float, float]) -> float:
    """The score above (or below) which a label is clear of the line, from one part of the width to another."""
    drawn = sorted(scores.scored, key=lambda choice: scores.place(choice.candidate))
    places = np.array([(scores.place(choice.candidate)[0], choice.score) for choice in drawn])
    at = ax.transAxes.inverted().transform(ax.transData.transform(places))[:, 0]
    inside = places[(at >= between[0]) & (at <= between[1]), 1]
    ends = np.interp(np.clip(between, at[0], at[-1]), at, places[:, 1])
    reached = [scores.best.score, *inside, *ends]
    return float(max(reached) if scores.criterion.better == "higher" else min(reached))
