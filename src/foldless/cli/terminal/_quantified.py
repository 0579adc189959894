"""Class shares on the terminal: a table, what they assume, and notes."""

from collections.abc import Mapping
from math import isfinite
from typing import TYPE_CHECKING, Any

from foldless.cli.terminal._console import Screen, whole
from foldless.results.prevalence import NO_INTERVAL, group_text

if TYPE_CHECKING:
    from foldless.results.prevalence import Prevalence
    from foldless.tables import Problem

MAX_COLUMNS = 6
DOUBTED = "?"  # beside a share without an interval


def shares(prevalence: "Prevalence", document: Mapping[str, Any], problem: "Problem") -> None:
    """The shares of a pool, or of each of its groups."""
    screen = Screen()
    screen.say(*problem.describe())
    assumed = set(prevalence.holds_under)
    same = f" and assume {next(iter(assumed))}" if len(assumed) == 1 and assumed != {NO_INTERVAL} else ""
    known = prevalence.has_interval
    about = f"intervals have confidence {prevalence.confidence:g}{same}" if any(known) else "there are no intervals"
    screen.say(f"Class shares by {prevalence.method} with {prevalence.candidate}; {about}", style="bold")
    screen.table(_of_pool(prevalence) if prevalence.by is None else _of_groups(prevalence))
    if prevalence.by is not None and len(prevalence.classes) > 2:
        screen.say(f"Shares in percent{', with their intervals' * any(known)}")
    if not all(known):
        screen.say(f"{DOUBTED} without an interval: the share should not be trusted", style="dim")
    if (
        prevalence.shift is not None
        and prevalence.shift.alarm
        and not (prevalence.prior_shift and prevalence.prior_shift.alarm)
    ):
        screen.say(
            f"Labels and pool differ (p-value {prevalence.shift.p_value:.2g}): expected if they differ in their "
            f"class shares only"
        )
    if any(known):
        screen.listed("The intervals hold if", prevalence.assumes)
    screen.note(*document["notes"])
    screen.written(document)


def _of_pool(prevalence: "Prevalence") -> dict[str, list[str]]:
    frame = prevalence.to_frame()
    return {
        "class": [str(name) for name in frame["class"]],
        "share": [f"{share:.1%}{_mark(low)}" for share, low in zip(frame["share"], frame["lower"], strict=True)],
        "interval": [_interval(low, high) for low, high in zip(frame["lower"], frame["upper"], strict=True)],
        "estimated rows": [f"{count:,}" for count in frame["count"]],
        "in labels": [f"{share:.1%}" for share in frame["in_labels"]],
        "the interval assumes": list(frame["holds_under"]) if _differs(prevalence) else [],
    }


def _of_groups(prevalence: "Prevalence") -> dict[str, list[str]]:
    columns = {
        str(prevalence.by): [group_text(name) for name in prevalence.groups],
        "rows": [f"{size:,}" for size in prevalence.sizes],
    }
    names = [str(name) for name in prevalence.classes]
    if len(names) == 2:
        ends = zip(prevalence.lowest[:, 1], prevalence.highest[:, 1], strict=True)
        return columns | {
            f"share of {names[1]}": [
                f"{share:.1%}{_mark(low)}"
                for share, low in zip(prevalence.values[:, 1], prevalence.lowest[:, 1], strict=True)
            ],
            "interval": [_interval(low, high) for low, high in ends],
            "the interval assumes": list(prevalence.holds_under) if _differs(prevalence) else [],
        }
    largest = sorted(range(len(names)), key=lambda at: -prevalence.values[:, at].max())[:MAX_COLUMNS]
    for at in sorted(largest):
        each = zip(prevalence.values[:, at], prevalence.lowest[:, at], prevalence.highest[:, at], strict=True)
        columns[names[at]] = [
            f"{100 * p:.0f} ({100 * low:.0f}–{100 * high:.0f})" if isfinite(low) else f"{100 * p:.0f}{_mark(low)}"
            for p, low, high in each
        ]
    return {**columns, "intervals assume": list(prevalence.holds_under) if _differs(prevalence) else []}


def _differs(prevalence: "Prevalence") -> bool:
    """Whether what intervals assume needs a column, because it is not the same for all."""
    return len(set(prevalence.holds_under)) > 1 or NO_INTERVAL in prevalence.holds_under


def _interval(low: float, high: float) -> str:
    return whole(f"{low:.1%} to {high:.1%}") if isfinite(low) else "–"


def _mark(low: float) -> str:
    """What marks a share without an interval."""
    return "" if isfinite(low) else DOUBTED
