"""Scores of candidates that are no curve and no grid: ranked bars from zero, the choice in its own color."""

from typing import Any

from matplotlib.axes import Axes

from foldless.core import Choice
from foldless.report._wording import number, shorten
from foldless.report.displays._drawing import CHOICE, DATA, PLAIN, name_rows, write_at_end
from foldless.report.displays._scores import Scores
from foldless.results._measure_words import criterion_in_words

MOST_BARS = 30


def best_of(scores: Scores) -> list[Choice]:
    return scores.scored[:MOST_BARS]


def draw(scores: Scores, ax: Axes, longest: int) -> dict[str, Any]:
    """Draw the bars; its artists are returned by name."""
    best = best_of(scores)
    chosen = [choice is scores.best for choice in best]
    bars = ax.barh(range(len(best)), [choice.score for choice in best], height=0.62)
    for row, (bar, choice) in enumerate(zip(bars, best, strict=True)):
        bar.set(color=CHOICE if chosen[row] else DATA, alpha=1 if chosen[row] else 0.5)
        write_at_end(ax, number(choice.score), choice.score, row, chosen=chosen[row], left=choice.score < 0)
    name_rows(ax, [scores.label(choice) for choice in best], longest)
    ax.margins(x=0.16)
    ax.set_xlabel(
        f"{shorten(criterion_in_words(scores.criterion.name), longest)}\n({scores.criterion.better} is better)", **PLAIN
    )
    if len(best) < len(scores.scored):
        ax.set_title(f"the {len(best)} best of {len(scores.scored):,} candidates", loc="left", fontsize="medium")
    return {
        "bars_": bars,
        "choice_": next((bar for bar, is_choice in zip(bars, chosen, strict=True) if is_choice), None),
    }
