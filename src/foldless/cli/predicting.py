"""``foldless predict``: label a new file with a saved model."""

import sys
from typing import Any

import click

from foldless.cli import documents, printing
from foldless.cli.outputs import check_outputs
from foldless.io import write_table
from foldless.io.formats import FORMATS
from foldless.tables import predict_table


@click.command(short_help="Label a new file with a saved model.")
@click.argument("model", type=click.Path())
@click.argument("table", type=click.Path())
@click.option("--output", type=click.Path(), metavar="FILE",
              help="Where to write the table with its labels; without it, CSV goes to standard output.")  # fmt: skip
@click.option("--format", "fmt", type=click.Choice(FORMATS),
              help="The format of standard input (-), or of a file whose ending does not name it.")  # fmt: skip
@click.option("--probabilities", is_flag=True, help="Write the probability of each class too.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead.")
def predict(model: str, table: str, output: str | None, fmt: Any, probabilities: bool, as_json: bool) -> None:
    """Label the rows of TABLE with the model that select or stream train has saved in MODEL.

    TABLE needs the columns that the model was trained on. Others are kept in the output and not read.

    \b
    Example:
      foldless predict model.skops new.csv --output labeled.csv
    """
    check_outputs({"--output": output}, [model, table])
    found = predict_table(model, table, fmt=fmt, probabilities=probabilities)
    if output is not None:
        write_table(found.frame, output)
    plain = found.to_dict()
    in_file = {} if output is None else {"labels": None, "probabilities": None}
    notes = {"written": output, "notes": plain.pop("notes"), "versions": documents.versions()}
    document = {**plain, **in_file, **notes}
    if as_json:
        click.echo(documents.dumped(document))
    elif output is not None:
        printing.prediction(document)
    else:
        found.frame.to_csv(sys.stdout, index=False)
        for note in found.notes:
            click.echo(f"Note: {note}", err=True)
