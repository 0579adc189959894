"""``foldless suggest``: write the pool rows to label next into a file."""

from dataclasses import replace
from typing import Any

import click

import foldless
from foldless import criteria as kinds  # what it names is imported when it is used: help pages need none of it
from foldless.cli import _choosing as choosing
from foldless.cli import _options as options
from foldless.cli import _time_budget as time_budget
from foldless.cli._criteria import HELP, parse
from foldless.cli._remedies import worded
from foldless.cli.terminal._interrupts import ends_quietly
from foldless.errors import BadInput, PassPool, StoppedEarly

STRATEGIES = ("auto", "random", "diverse")  # foldless.labeling imports slowly


@click.command()
@options.with_options(
    *options.TASK,
    click.option("--output", required=True, metavar="FILE",
                 help="Where to write the rows to label, as .csv or others; the label column is empty."),
    click.option("-n", "--rows", "n", type=click.IntRange(min=1), default=30, show_default=True,
                 help="How many rows."),
    click.option("--strategy", type=click.Choice(STRATEGIES), default="auto", show_default=True,
                 help="Draw from the whole pool, with higher probability where a label helps more (auto), or "
                      "uniformly (random); or pick central rows of clusters on which the leading models disagree "
                      "(diverse)."),
    click.option("--keep-valid", is_flag=True,
                 help="Draw with known probabilities, so that the estimate of the next run is valid. auto and random "
                      "always do so, diverse only with this option."),
    click.option("--criterion", show_default="combination; auto where --model or --grid is given", metavar="NAME",
                 help=f"The selection criterion: {HELP}."),
)  # fmt: skip
def suggest(output: str, n: int, strategy: str, keep_valid: bool, criterion: str | None, **typed: Any) -> None:
    """Choose a model for the table TRAIN, and write the pool rows to label next.

    Rows are drawn from the whole pool, with higher probability where the leading candidates are unsure or disagree.
    Without --model these candidates are the members of an average of a portfolio.

    The rows are written as they are in the pool. Behind their columns come a label column to fill in, the number of
    each row in its file, and the probability with which it was drawn.

    \b
    Example:
      foldless suggest train.csv --label topic --unlabeled pool.csv --output to_label.csv
    """
    with ends_quietly():
        from foldless.cli import _documents as documents
        from foldless.cli.terminal import _suggested as suggested

    typed["by_default"] = options.is_by_default(typed, criterion)
    how = parse(criterion or "auto")
    settings = options.settings(typed, {"--output": output})
    problem = options.problem(typed)
    if problem.X_unlabeled is None:
        raise BadInput("suggest selects rows of the pool, and there is none", remedy=PassPool())
    problem.check_to_label()
    candidates = options.candidates(typed, problem)
    if choosing.combines(typed, problem, settings):
        how = kinds.Combination()
    if options.only_planned(typed, problem, candidates, [how]):
        return
    with documents.warnings_as_notes(StoppedEarly) as notes:
        search = foldless.FoldlessSearch(candidates, criterion=how, refit=False, estimate=False, **settings)
        search.fit(problem.X, problem.y, **options.rows(problem), **options.draws(problem))
        suggestion = foldless.suggest(search, n, strategy=strategy, keep_valid=keep_valid, random_state=typed["seed"])
    time_budget.answered()
    numbers = problem.write_to_label(output, suggestion.rows, suggestion.probabilities)
    suggestion, sentences = replace(suggestion, rows=numbers), [worded(note) for note in (*problem.notes, *notes)]
    document = {**problem.to_dict(), **suggestion.to_dict(), "written": output, "notes": sentences}
    choosing.show(document, typed, problem, lambda: suggested.rows_to_label(suggestion, problem, sentences, output))
