"""``foldless predict``, ``evaluate`` and ``estimate``: label a file with a saved model, and say how good it is."""

import sys
from typing import Any

import click

from foldless import tables  # what it names is imported when it is used: help pages need none of it
from foldless.cli._group import command_as_typed
from foldless.cli._options import FORMATS
from foldless.cli.terminal._printable import PrintableBytes, printable

CONFIDENCE = 0.95
METRICS = ("f1_macro", "f1_micro", "f1_weighted", "balanced_accuracy", "matthews_corrcoef", "precision_macro",
           "recall_macro")  # fmt: skip


@click.command()
@click.argument("model", type=click.Path())
@click.argument("table", type=click.Path())
@click.option("--output", type=click.Path(), metavar="FILE",
              help="Where to write the table with its labels; without it, CSV goes to standard output.")  # fmt: skip
@click.option("--format", "fmt", type=click.Choice(FORMATS),
              help="The format of standard input (-), or of a file whose ending does not name it.")  # fmt: skip
@click.option("--probabilities", is_flag=True,
              help="Write the probability of each class too; for an SVM, from its out-of-fold scores.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead.")
def predict(model: str, table: str, output: str | None, fmt: Any, probabilities: bool, as_json: bool) -> None:
    """Label the rows of TABLE with the model that select or stream train has saved in MODEL.

    TABLE needs the columns that the model was trained on. Others are kept in the output and not read, a label column
    too: predicted labels are in the column predicted_<label>.

    \b
    Example:
      foldless predict model.skops new.csv --output labeled.csv
    """
    from foldless.cli import _documents as documents
    from foldless.cli._outputs import check_outputs
    from foldless.cli.terminal import _printing as printing

    check_outputs({"--output": output}, [model, table])
    large = None if output is None else tables.predict_file(model, table, output, probabilities=probabilities)
    found = large or tables.predict_table(model, table, fmt=fmt, probabilities=probabilities)
    if output is not None and isinstance(found, tables.Predictions):
        found.write(output)
    plain = found.to_dict()
    in_file = {} if output is None else {"labels": None, "probabilities": None}
    notes = {"written": output, "notes": plain.pop("notes"), "versions": documents.versions()}
    document = {**plain, **in_file, **notes}
    if as_json:
        click.echo(documents.dumped(document))
    elif output is not None:
        printing.prediction(document)
    elif isinstance(found, tables.Predictions):
        found.print_csv(PrintableBytes(sys.stdout))
        for note in found.notes:
            click.echo(f"Note: {printable(note)}", err=True)


@click.command()
@click.argument("model", type=click.Path())
@click.argument("table", type=click.Path())
@click.option("--confidence", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=CONFIDENCE,
              show_default=True, metavar="P", help="The confidence of the intervals: how often they contain "
              "the true value.")  # fmt: skip
@click.option("--format", "fmt", type=click.Choice(FORMATS),
              help="The format of standard input (-), or of a file whose ending does not name it.")  # fmt: skip
@click.option("--seed", type=click.IntRange(0, 2**32 - 1), default=0, show_default=True,
              help="The random seed.")  # fmt: skip
@click.option("--report", type=click.Path(), metavar="FILE",
              help="Write a report with the confusion matrix, as .html.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead.")
def evaluate(model: str, table: str, confidence: float, fmt: Any, seed: int, report: str | None, as_json: bool) -> None:
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
    found = tables.evaluate_table(model, table, confidence=confidence, fmt=fmt, random_state=seed)
    if report is not None:
        found.report(report, made_by=command_as_typed(), about=[f"{model} on {table}"])
    document = {**found.to_dict(), "report": report, "versions": documents.versions()}
    if as_json:
        click.echo(documents.dumped(document))
    else:
        printing.evaluated(found, document)


@click.command()
@click.argument("model", type=click.Path())
@click.argument("table", type=click.Path())
@click.option(
    "--unlabeled", type=click.Path(), metavar="FILE", help="Unlabeled rows, which make the interval narrower."
)
@click.option("--scoring", type=click.Choice(["accuracy", *METRICS]), default="accuracy", show_default=True,
              metavar="NAME", help=f"What to estimate: accuracy, {', '.join(METRICS)}.")  # fmt: skip
@click.option("--confidence", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=CONFIDENCE,
              show_default=True, metavar="P", help="The confidence of the intervals: how often they contain "
              "the true value.")  # fmt: skip
@click.option("--format", "fmt", type=click.Choice(FORMATS),
              help="The format of standard input (-), or of a file whose ending does not name it.")  # fmt: skip
@click.option("--seed", type=click.IntRange(0, 2**32 - 1), default=0, show_default=True,
              help="The random seed.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead.")
def estimate(
    model: str, table: str, unlabeled: str | None, scoring: str, confidence: float, fmt: Any, seed: int, as_json: bool
) -> None:
    """Estimate how good the model in MODEL is on new rows, from the labeled rows of TABLE.

    The model must not have been trained on these rows, nor chosen by them. TABLE has the columns that the model was
    trained on, and its label column.

    \b
    Example:
      foldless estimate model.skops labeled.csv --unlabeled pool.csv
    """
    from foldless.cli import _documents as documents
    from foldless.cli.terminal import _printing as printing

    found = tables.estimate_table(
        model, table, unlabeled=unlabeled, scoring=scoring, confidence=confidence, fmt=fmt, random_state=seed
    )
    if as_json:
        click.echo(documents.dumped({**found.to_dict(), "versions": documents.versions()}))
    else:
        printing.estimated(found)
