"""``foldless predict``: label a file with a saved model."""

import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any, Literal

import click

from foldless import tables  # what it names is imported when it is used: help pages need none of it
from foldless.cli import _options as options
from foldless.cli._remedies import worded
from foldless.cli.terminal._printable import PrintableFile, note


@click.command()
@options.with_options(
    *options.SAVED_MODEL,
    click.option("--output", type=click.Path(), metavar="FILE",
                 help="Where to write the table with its labels; without it, CSV goes to standard output."),
    *options.FORMAT,
    options.PROBABILITIES,
    options.JSON,
)  # fmt: skip
def predict(
    model: str, table: str, output: str | None, fmt: Any, probabilities: bool | Literal["auto"], as_json: bool
) -> None:
    """Label the rows of TABLE with the model that select or stream train has saved in MODEL.

    TABLE needs the columns that the model was trained on. Other columns are copied and not read, also a label column.
    Predicted labels are in the column predicted_<label>, their probabilities in the columns behind it.

    \b
    Example:
      foldless predict model.skops new.csv --output labeled.csv
    """
    from foldless.cli import _documents as documents
    from foldless.cli._outputs import check_outputs
    from foldless.cli.terminal import _printing as printing

    check_outputs({"--output": output}, [model, table])
    if output is None and not as_json and _printed_in_blocks(model, table, probabilities):
        return
    large = None if output is None else tables.predict_file(model, table, output, probabilities=probabilities)
    predictions = large or tables.predict_table(model, table, fmt=fmt, probabilities=probabilities)
    if output is not None and isinstance(predictions, tables.Predictions):
        predictions.write(output)
    plain = predictions.to_dict()
    about = {"written": output, "notes": [worded(sentence) for sentence in plain.pop("notes")]}
    if output is not None:  # they are in the file
        plain = {key: value for key, value in plain.items() if key not in ("probability", "agreement")}
        plain |= {"labels": None, "probabilities": None}
    document = {**plain, **about}
    if as_json:
        documents.print_json(document)
    elif output is not None:
        printing.prediction(document)
    elif isinstance(predictions, tables.Predictions):
        predictions.print_csv(PrintableFile(sys.stdout))
        for sentence in predictions.notes:
            note(sentence)


def _printed_in_blocks(model: str, table: str, probabilities: bool | Literal["auto"]) -> bool:
    """Whether a table that is larger than memory was printed, by way of a file, which holds it block by block."""
    with tempfile.TemporaryDirectory(prefix="foldless-") as folder:
        labeled = Path(folder) / "labeled.csv"
        predictions = tables.predict_file(model, table, labeled, probabilities=probabilities)
        if predictions is None:
            return False
        with labeled.open("rb") as lines:
            shutil.copyfileobj(lines, PrintableFile(sys.stdout))
    for sentence in predictions.notes:
        note(sentence)
    return True
