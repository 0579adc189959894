"""Class shares on the terminal: a table, what they assume, and notes."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from foldless.cli.terminal import _certified as certified
from foldless.cli.terminal._console import Screen

if TYPE_CHECKING:
    from foldless.results.prevalence import Prevalence
    from foldless.tables import Problem

MOST_COLUMNS = 6
WRITTEN = {"picture": "A picture is", "report": "A report is"}


def shares(found: "Prevalence", document: Mapping[str, Any], problem: "Problem") -> None:
    """The shares of a pool, or of each of its groups."""
    screen = Screen()
    for sentence in problem.describe():
        screen.say(sentence)
    screen.say(
        f"Class shares by {found.method} with {found.candidate}; intervals have confidence {found.confidence:g}",
        style="bold",
    )
    screen.table(_of_pool(found) if found.by is None else _of_groups(found))
    if found.by is not None and len(found.classes) > 2:
        screen.say("Shares in percent, with their intervals")
    if found.shift is not None and found.shift.alarm and not (found.prior_shift and found.prior_shift.alarm):
        screen.say(
            f"Labels and pool differ (p-value {found.shift.p_value:.2g}): expected if they differ in their class "
            f"shares only"
        )
    certified.listed(screen, "The intervals hold if", found.assumes)
    for note in document["notes"]:
        screen.note(note)
    for key, what in WRITTEN.items():
        if document[key]:
            screen.say(f"{what} in {document[key]}")


def _of_pool(found: "Prevalence") -> dict[str, list[str]]:
    frame = found.to_frame()
    return {
        "class": [str(name) for name in frame["class"]],
        "share": [f"{share:.1%}" for share in frame["share"]],
        "interval": [_interval(low, high) for low, high in zip(frame["lower"], frame["upper"], strict=True)],
        "estimated rows": [f"{count:,}" for count in frame["count"]],
        "in labels": [f"{share:.1%}" for share in frame["in_labels"]],
    }


def _of_groups(found: "Prevalence") -> dict[str, list[str]]:
    columns = {
        str(found.by): [_moment(name) for name in found.groups],
        "rows": [f"{size:,}" for size in found.sizes],
    }
    names = [str(name) for name in found.classes]
    if len(names) == 2:
        ends = zip(found.lowest[:, 1], found.highest[:, 1], strict=True)
        return columns | {
            f"share of {names[1]}": [f"{share:.1%}" for share in found.values[:, 1]],
            "interval": [_interval(low, high) for low, high in ends],
        }
    largest = sorted(range(len(names)), key=lambda at: -found.values[:, at].max())[:MOST_COLUMNS]
    for at in sorted(largest):
        each = zip(found.values[:, at], found.lowest[:, at], found.highest[:, at], strict=True)
        columns[names[at]] = [f"{100 * p:.0f} ({100 * low:.0f}–{100 * high:.0f})" for p, low, high in each]
    return columns


def _interval(low: float, high: float) -> str:
    return f"{low:.1%} to {high:.1%}"


def _moment(name: Any) -> str:
    """A group; midnight is a date."""
    text = str(name)
    return text.removesuffix(" 00:00:00")
