"""``foldless estimate``: how good a saved model is on new rows."""

from dataclasses import replace
from typing import Any

import click

from foldless import tables  # what it names is imported when it is used: help pages need none of it
from foldless.cli import _options as options
from foldless.cli._remedies import worded


@click.command()
@options.with_options(
    *options.SAVED_MODEL,
    click.option("--unlabeled", type=click.Path(), metavar="FILE", help="The pool, which makes the interval narrower."),
    *options.SCORING,
    options.INTERVALS,
    options.COUNTED_GROUPS,
    *options.FORMAT,
    options.MERGE_LABELS,
    options.SEED,
    options.JSON,
)  # fmt: skip
def estimate(model: str, table: str, scoring: tuple[str, ...], seed: int, as_json: bool, **typed: Any) -> None:
    """Estimate how good the model in MODEL is on new rows, from the labeled rows of TABLE.

    The model must not have been trained on these rows, nor chosen by them. TABLE has the columns that the model was
    trained on, and its label column.

    \b
    Example:
      foldless estimate model.skops labeled.csv --unlabeled pool.csv
    """
    from foldless.cli import _documents as documents
    from foldless.cli.terminal import _printing as printing

    named = scoring or ("accuracy",)
    estimates = [tables.estimate_table(model, table, scoring=name, random_state=seed, **typed) for name in named]
    estimates = [replace(each, notes=tuple(worded(note) for note in each.notes)) for each in estimates]
    if as_json:
        others = {"others": [each.to_dict() for each in estimates[1:]]} if estimates[1:] else {}
        documents.print_json({**estimates[0].to_dict(), **others})
    else:
        printing.estimated(*estimates)
