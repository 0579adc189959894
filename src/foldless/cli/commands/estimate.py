"""``foldless estimate``: how good a saved model is on new rows."""

from dataclasses import replace
from typing import Any

import click

from foldless import tables  # what it names is imported when it is used: help pages need none of it
from foldless.cli import _options as options
from foldless.cli._remedies import worded

METRICS = ("f1_macro", "f1_micro", "f1_weighted", "balanced_accuracy", "matthews_corrcoef", "precision_macro",
           "recall_macro")  # fmt: skip


@click.command()
@options.with_options(
    *options.SAVED_MODEL,
    click.option("--unlabeled", type=click.Path(), metavar="FILE", help="The pool, which makes the interval narrower."),
    click.option("--scoring", type=click.Choice(["accuracy", *METRICS]), default="accuracy", show_default=True,
                 metavar="NAME", help=f"What to estimate: accuracy, {', '.join(METRICS)}."),
    options.INTERVALS,
    options.COUNTED_GROUPS,
    *options.FORMAT,
    options.MERGE_LABELS,
    options.SEED,
    options.JSON,
)  # fmt: skip
def estimate(model: str, table: str, seed: int, as_json: bool, **typed: Any) -> None:
    """Estimate how good the model in MODEL is on new rows, from the labeled rows of TABLE.

    The model must not have been trained on these rows, nor chosen by them. TABLE has the columns that the model was
    trained on, and its label column.

    \b
    Example:
      foldless estimate model.skops labeled.csv --unlabeled pool.csv
    """
    from foldless.cli import _documents as documents
    from foldless.cli.terminal import _printing as printing

    accuracy = tables.estimate_table(model, table, random_state=seed, **typed)
    accuracy = replace(accuracy, notes=tuple(worded(note) for note in accuracy.notes))
    if as_json:
        click.echo(documents.dumped({**accuracy.to_dict(), "versions": documents.versions()}))
    else:
        printing.estimated(accuracy)
