"""``foldless evaluate``: what a saved model gets right and wrong on a file of labeled rows."""

from dataclasses import replace
from typing import Any

import click

from foldless import tables  # what it names is imported when it is used: help pages need none of it
from foldless.cli import _options as options
from foldless.cli._group import command_as_typed
from foldless.cli._remedies import worded


@click.command()
@options.with_options(
    *options.SAVED_MODEL,
    *options.SCORING,
    options.INTERVALS,
    options.COUNTED_GROUPS,
    *options.FORMAT,
    options.MERGE_LABELS,
    options.SEED,
    click.option("--report", type=click.Path(), metavar="FILE",
                 help="Write a page with the picture of the confusion, as .html."),
    options.JSON,
)  # fmt: skip
def evaluate(model: str, table: str, seed: int, report: str | None, as_json: bool, **typed: Any) -> None:
    """Show what the model in MODEL gets right and wrong on the labeled rows of TABLE, class by class.

    The model must not have been trained on these rows, nor chosen by them. TABLE has the columns that the model was
    trained on, and its label column.

    \b
    Example:
      foldless evaluate model.skops labeled.csv --report evaluation.html
    """
    from foldless.cli import _documents as documents
    from foldless.cli._outputs import check_outputs
    from foldless.cli.terminal import _printing as printing

    check_outputs({"--report": report}, [model, table])
    evaluation = tables.evaluate_table(model, table, random_state=seed, **typed)
    evaluation = replace(evaluation, notes=tuple(worded(note) for note in evaluation.notes))
    if report is not None:
        evaluation.report(report, made_by=command_as_typed(), about=[f"{model} on {table}"])
    document = {**evaluation.to_dict(), "report": report}
    if as_json:
        documents.print_json(document)
    else:
        printing.evaluated(evaluation, document)
