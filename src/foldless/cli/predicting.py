"""``foldless predict``: labels for a new table by a model that was saved.

The table is prepared as the model's own training table was: kinds are never recognized anew, and missing values are
treated as they were then. Columns that the model does not read are handed on; a label column is not read, its place
takes what is predicted.
"""

import sys
from collections.abc import Callable, Mapping
from typing import Any

import click
import numpy as np
import pandas as pd

from foldless.cli import documents, printing, running
from foldless.cli import problems as tables
from foldless.cli.outputs import check_outputs
from foldless.core import Array
from foldless.engine.fits import label
from foldless.errors import BadInput
from foldless.io import Table, read_table, write_table
from foldless.saving import model_files as keeping


@click.command(short_help="Label a new file with a saved model.")
@click.argument("model", type=click.Path())
@click.argument("table", type=click.Path())
@click.option("--output", type=click.Path(), metavar="FILE",
              help="Where to write the table with its labels; without it, CSV goes to standard output.")  # fmt: skip
@click.option("--format", "fmt", type=click.Choice(tables.FORMATS),
              help="What standard input (-) holds, or a file whose ending does not tell.")  # fmt: skip
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
    kept = keeping.load(model)
    if kept.schema is None:
        raise BadInput(f"{model} was not trained on a table, so it has no columns: use foldless.keeping.load in Python")
    read = read_table(table, fmt)
    notes = [*kept.notes, *read.notes]
    X = _prepared(read, kept.schema, model, notes)
    labels, unsaid = _answers(kept, label, X, model)
    notes += [running.unlabeled(unsaid)] if unsaid else []
    told = {kept.schema.label: labels}
    if probabilities:
        told |= _probabilities(kept, X, model)
    labeled = _labeled(read, kept.schema.label, told)
    if output is not None:
        write_table(labeled, output)
    document = _document(kept, told, output, notes)
    if as_json:
        click.echo(documents.dumped(document))
    elif output is not None:
        printing.prediction(document)
    else:
        labeled.to_csv(sys.stdout, index=False)
        for note in notes:
            click.echo(f"Note: {note}", err=True)


def _prepared(read: Table, schema: keeping.Schema, model: str, notes: list[str]) -> Any:
    """The columns of the schema, in its order and types."""
    names = list(schema.columns.kinds)
    lacks = [name for name in names if name not in read.frame]
    extra = [str(name) for name in read.frame if name not in names and name != schema.label]
    if lacks:
        instead = f"; it has {_some(extra)} instead" if extra else ""
        raise BadInput(f"{read.name} lacks {_some(lacks)} that {model} was trained on{instead}: add or rename")
    if extra:
        notes.append(f"{_some(extra)} of {read.name} {_are(extra)} not read by the model, and kept in the output")
    if schema.label in read.frame:
        notes.append(f"the column {schema.label!r} of {read.name} is not read: predicted labels take its place")
    return tables.features(read, schema.columns, model, [schema.label, *extra])


def _answers(kept: keeping.Kept, ask: Callable[[Any, Any], Any], X: Any, model: str) -> Any:
    try:
        with np.errstate(invalid="ignore"):  # told in words where it matters
            return ask(kept.model, X)
    except Exception as error:  # a model of another version fails in its own way
        why = "; ".join(kept.notes) or "save the model again"
        raise BadInput(f"{model} cannot label these rows ({type(error).__name__}: {error}): {why}") from error


def _probabilities(kept: keeping.Kept, X: Any, model: str) -> dict[str, Array]:
    if not hasattr(kept.model, "predict_proba"):
        chosen = kept.selection["candidate"]
        raise BadInput(f"{chosen} in {model} gives no probabilities: leave --probabilities out, or save another model")
    table = _answers(kept, lambda fitted, rows: np.asarray(fitted.predict_proba(rows)), X, model)
    return {f"P({label})": table[:, at] for at, label in enumerate(kept.model.classes_)}


def _labeled(read: Table, label: str, told: Mapping[str, Array]) -> pd.DataFrame:
    """The table as it was read, with its labels in the last columns."""
    frame = read.frame.drop(columns=label, errors="ignore")
    taken = [name for name in told if name in frame]
    if taken:
        raise BadInput(f"{read.name} has a column {taken[0]!r} already: rename it, or leave --probabilities out")
    labeled = frame.copy()
    for column, values in told.items():
        labeled[column] = values
    return labeled


def _document(kept: keeping.Kept, told: Mapping[str, Array], output: str | None, notes: list[str]) -> dict[str, Any]:
    """What ``--json`` prints; the labels themselves where no file holds them."""
    label, *columns = told
    answers = [keeping.plain_value(value) for value in told[label]]
    chosen = {key: kept.selection[key] for key in ("criterion", "score", "assumes", "certificate")}
    return {
        "model": {"candidate": kept.selection["candidate"], **chosen, "versions": dict(kept.versions)},
        "label": label,
        "rows": len(answers),
        "shares": [{"class": name, "predicted": answers.count(name) / len(answers)} for name in kept.classes],
        "labels": answers if output is None else None,
        "probabilities": {name: told[name].tolist() for name in columns} if columns and output is None else None,
        "written": output,
        "notes": notes,
        "versions": documents.versions(),
    }


def _some(names: list[str]) -> str:
    shown = ", ".join(map(repr, names[:5])) + f" and {len(names) - 5} more" * (len(names) > 5)
    return f"column{'s' * (len(names) > 1)} {shown}"


def _are(names: list[str]) -> str:
    return "are" if len(names) > 1 else "is"
