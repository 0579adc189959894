"""``foldless suggest``: write the pool rows to label next into a file."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

import foldless
from foldless.cli import _options as options
from foldless.cli._criteria import HELP, parse
from foldless.errors import BadInput, PassPool, StoppedEarly

if TYPE_CHECKING:
    from foldless.labeling import Suggestion
    from foldless.tables import Problem

STRATEGIES = ("auto", "random", "diverse")  # foldless.labeling imports slowly
WHY = (
    "Fill in the column {label!r} and put these rows below those of the training file: the next run leaves them out of "
    "the pool. Columns whose names begin with foldless_ say how rows were chosen; no model reads them."
)


@click.command()
@options.with_options(
    *options.TASK,
    click.option("--output", required=True, metavar="FILE",
                 help="Where to write the rows to label, as .csv or others; the label column is empty."),
    click.option("-n", "--rows", "n", type=click.IntRange(min=1), default=30, show_default=True,
                 help="How many rows."),
    click.option("--strategy", type=click.Choice(STRATEGIES), default="auto", show_default=True,
                 help="Draw from the whole pool, likelier where a label is needed (auto), or at random; or pick those "
                      "that the leaders dispute most, in different parts of the pool (diverse)."),
    click.option("--keep-valid", is_flag=True,
                 help="Draw with known probabilities in every strategy, so that the estimate of the next run is valid; "
                      "auto and random do."),
    click.option("--criterion", default="auto", show_default=True, metavar="NAME", help=f"How to choose: {HELP}."),
)  # fmt: skip
def suggest(output: str, n: int, strategy: str, keep_valid: bool, criterion: str, **given: Any) -> None:
    """Choose a model for the table TRAIN, and write the pool rows to label next.

    They are drawn from the whole pool, likelier where the leading candidates are unsure or disagree, and spread.
    Columns are copied byte for byte; a label column to fill in, the number of each row in its file, and its
    probability come behind them.

    \b
    Example:
      foldless suggest train.csv --label topic --unlabeled pool.csv --output to_label.csv
    """
    from foldless.cli import _documents as documents

    how = parse(criterion)
    settings = options.settings(given, {"--output": output})
    problem = options.problem(given)
    if problem.X_unlabeled is None:
        raise BadInput("suggest names rows of the pool, and there is none", remedy=PassPool())
    problem.check_to_label()
    candidates = options.candidates(given, problem)
    if options.only_planned(given, problem, candidates, [how]):
        return
    with documents.warnings_as_notes(StoppedEarly) as notes:
        search = foldless.FoldlessSearch(candidates, criterion=how, refit=False, estimate=False, **settings)
        search.fit(problem.X, problem.y, **options.rows(problem), **options.draws(problem))
        found = foldless.suggest(search, n, strategy=strategy, keep_valid=keep_valid, random_state=given["seed"])
    numbers = problem.write_to_label(output, found.rows, found.probabilities)
    _show(problem, replace(found, rows=numbers), [*problem.notes, *notes], output, given["as_json"])


def _show(problem: "Problem", found: "Suggestion", notes: Sequence[str], output: str, as_json: bool) -> None:
    """What was suggested; the rows are numbered as in their files."""
    from foldless.cli import _documents as documents
    from foldless.cli._remedies import worded
    from foldless.cli.terminal._console import Screen, number

    table = found.table()
    if as_json:
        click.echo(documents.dumped({
            **problem.to_dict(), **found.to_dict(), "written": output, "notes": [worded(note) for note in notes],
            "versions": documents.versions(),
        }))  # fmt: skip
        return
    screen = Screen()
    for sentence in problem.describe():
        screen.say(sentence)
    screen.say(f"The leaders: {', '.join(f'{name} ({weight:.2f})' for name, weight in found.leaders.items())}")
    screen.table(
        {
            "row": [str(row) for row in table["row"]],
            "likely": [str(label) if not problem.regression else number(label) for label in table["likely"]],
            "unsure": [number(score, 3) for score in table["unsure"]],
            "probability": [number(chance) for chance in table["probability"]] if "probability" in table else [],
            "why": [str(reason) for reason in table["reason"]],
        }
    )
    for note in notes:
        screen.note(worded(note))
    screen.say(f"{len(found)} rows to label are in {output}.", style="bold")
    screen.say(WHY.format(label=problem.label))
