"""Rows to label next on the terminal."""

from collections.abc import Sequence

from foldless.cli.terminal._console import Screen, number
from foldless.errors import counted
from foldless.labeling import Suggestion
from foldless.tables import Problem

UNSURE = "unsure: how much the leading models doubt the likely label, from 0 to 1"
APART = "unsure: how far the predictions of the leading models are apart"
NEXT_STEP = (
    "Fill in the column {label!r} and append these rows to the training file: the next run leaves them out of the "
    "pool. Columns whose names begin with foldless_ record how rows were selected; no model reads them."
)


def rows_to_label(suggestion: Suggestion, problem: Problem, notes: Sequence[str], output: str) -> None:
    """What was suggested, with the rows numbered as in their files, and what to do with it."""
    screen, table = Screen(), suggestion.table()
    screen.say(*problem.describe())
    leaders = ", ".join(f"{name} ({weight:.2f})" for name, weight in suggestion.leaders.items())
    screen.say(f"The leading models and their weights: {leaders}")
    screen.table(
        {
            "row": [str(row) for row in table["row"]],
            "likely": [str(label) if not problem.regression else number(label) for label in table["likely"]],
            "unsure": [number(score, 3) for score in table["unsure"]],
            "probability": [number(chance) for chance in table["probability"]] if "probability" in table else [],
            "why": [str(reason) for reason in table["reason"]],
        }
    )
    drawn = "; probability: that the row is drawn" if "probability" in table else ""
    screen.say(f"{APART if problem.regression else UNSURE}{drawn}", style="dim")
    screen.note(*notes)
    screen.say(f"{counted(len(suggestion), 'row to label is', 'rows to label are')} in {output}.", style="bold")
    screen.say(NEXT_STEP.format(label=problem.label))
