"""``foldless quantify``: how many rows of each class a file without labels has."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

import foldless
from foldless import tables
from foldless.cli import _choosing as choosing
from foldless.cli import _connecting as connecting
from foldless.cli import _options as options
from foldless.cli._group import command_as_typed
from foldless.errors import BadInput, PassPool
from foldless.portfolio import names

if TYPE_CHECKING:
    from foldless.tables import Problem
    from foldless.tables.group_column import Every

METHODS = ("auto", "map", "em", "pacc", "acc", "kdey", "hdy", "dys", "ms", "max", "x", "t50", "pcc", "cc")
PERIODS = ("hour", "day", "week", "month", "quarter", "year")


@click.command()
@options.with_options(
    click.argument("train"),
    click.option("--label", metavar="COL",
                 help="The column of TRAIN that holds the classes; svmlight files need none."),
    click.option("--unlabeled", metavar="FILE", help="The unlabeled rows whose class shares are estimated."),
    options.POOL_SAMPLE,
    click.option("--by", metavar="COL",
                 help="Estimate the shares for each value of this pool column, such as a day or a shop; models do "
                      "not read it."),
    click.option("--every", type=click.Choice(PERIODS), help="Group the dates of --by."),
    click.option("--method", type=click.Choice(METHODS), default="auto", show_default=True, metavar="NAME",
                 help=f"The quantification method: {', '.join(METHODS)}. auto is map, or pacc or acc where they are "
                      f"clearly better on the labels."),
    options.confidence_of(help="The confidence of the interval of each share."),
    click.option("--model", "--models", "names", multiple=True, type=click.Choice(names("one view")),
                 default=["logistic-regression"], metavar="NAME",
                 help=f"A model to quantify with; of several, the one with the most accurate shares: "
                      f"{', '.join(names('one view'))}; logistic-regression if none is named."),
    click.option("--grid", multiple=True, metavar="KEY=VALUES",
                 help="Parameters to try, as for select. Otherwise each model has its own grid."),
    *options.COLUMNS,
    options.KEEP,
    click.option("--groups", metavar="COL",
                 help="The column of groups of rows that belong together, such as those of one patient: rows of one "
                      "group count as one, and models do not read it."),
    *options.FORMAT,
    options.MISSING,
    click.option("--min-per-class", type=click.IntRange(min=1), show_default="2",
                 help="The fewest labeled rows that a class may have."),
    options.MINUS_ONE,
    options.MERGE_LABELS,
    *connecting.OPTIONS,
    options.JOURNAL,
    options.SEED,
    options.NO_CHECK,
    click.option("--picture", metavar="FILE", help="Write a figure of the shares, as .png, .svg or .pdf."),
    options.REPORT,
    options.JSON,
    options.QUIET,
)  # fmt: skip
def quantify(
    by: str | None, every: "Every | None", method: str, confidence: float, picture: str | None, **typed: Any
) -> None:
    """Estimate the share of each class in the pool, from the labeled rows of TRAIN.

    Each share has an interval, which is valid if labels and pool differ in their class shares only, however much.

    Rows of TRAIN without a label join the pool.

    \b
    Example:
      foldless quantify train.csv --label topic --unlabeled pool.csv --by date --every month --picture shares.png
    """
    from foldless.cli import _documents as documents
    from foldless.cli.terminal import _quantified as quantified

    if every is not None and by is None:
        raise BadInput("--every groups the dates of --by: name a column of dates with --by, or leave --every out")
    typed |= {"test": None, "views": (), "label_separator": None, "time_budget": None, "task": "classification"}
    settings = options.settings(typed, {"--picture": picture, "--report": typed["report"]})
    del settings["time_budget"]
    problem = options.problem(typed, keep_labeled=True) if by is None else _problem_without(by, typed)
    if problem.X_unlabeled is None:
        raise BadInput("quantify estimates the class shares of unlabeled rows, and there are none", remedy=PassPool())
    values = None if by is None else tables.pool_groups(problem, by, every)
    with documents.warnings_as_notes() as notes:
        prevalence = foldless.quantify(
            options.candidates(typed, problem), problem.X, problem.y, by=values, method=method, confidence=confidence,
            **options.pool(problem), **settings,
        )  # fmt: skip
    if typed["report"] is not None:
        prevalence.report(typed["report"], made_by=command_as_typed(), about=problem.describe())
    if picture is not None:
        prevalence.picture(picture)
    document = _document(problem, prevalence, notes, {"report": typed["report"], "picture": picture})
    choosing.show(document, typed, problem, lambda: quantified.shares(prevalence, document, problem))


def _problem_without(by: str, typed: Mapping[str, Any]) -> "Problem":
    """The problem without the column of the groups, which models do not read."""
    if by == typed["label"]:
        raise BadInput(f"--by {by} names the label, which rows of the pool do not have: name another column")
    both = next((option for option in ("text", "categorical", "keep") if by in typed[option]), None)
    both = "groups" if by == typed["groups"] else both
    if both is not None:
        raise BadInput(f"models do not read the column of --by: name {by!r} with --by or --{both}, not with both")
    if by in typed["drop"]:
        return options.problem(typed, keep_labeled=True)
    try:
        return options.problem({**typed, "drop": (*typed["drop"], by)}, keep_labeled=True)
    except BadInput as error:
        if (error.place, error.value) != ("drop", by):
            raise
        file = typed["unlabeled"] or typed["train"]
        raise BadInput(f"--by {by}: {file} has no column {by!r}", value=by, remedy=error.remedies) from None


def _document(problem: "Problem", prevalence: Any, notes: list[str], written: dict[str, Any]) -> dict[str, Any]:
    from foldless.cli._remedies import worded

    plain = prevalence.to_dict()
    every = dict.fromkeys([*problem.notes, *plain.pop("notes"), *notes])
    about = {"label": problem.label, "rows": problem.rows, "columns": problem.to_dict()["columns"]}
    return {**about, **plain, "notes": [worded(note) for note in every], **written}
