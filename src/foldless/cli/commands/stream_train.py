"""``foldless stream train``: a classifier from files of any size or from standard input, in one pass."""

from collections.abc import Sequence
from typing import Any

import click

from foldless import streams
from foldless.cli import _documents as documents
from foldless.cli import _grids as grids
from foldless.cli._options import COLUMNS, JSON, with_options
from foldless.cli._remedies import worded
from foldless.cli.terminal import _streamed as streamed
from foldless.cli.terminal._printable import note
from foldless.errors import BadInput
from foldless.io import STREAMED
from foldless.measures import BY_NAME
from foldless.streams import DEFAULT, LEARNERS, MEASURES

FILES = click.argument("files", nargs=-1, required=True)
ON_ERROR = click.option("--on-error", type=click.Choice(["skip", "stop"]), default="stop", show_default=True,
                        help="What to do with an invalid row; nothing is learned from it.")  # fmt: skip
FORMAT = click.option("--format", type=click.Choice(STREAMED),
                      help="The format of standard input (else csv), or of files whose ending does not name "
                           "it.")  # fmt: skip
NAMES = ", ".join(name.replace("_", "-") for name in BY_NAME)


@click.command(short_help="Learn from a stream, and save the model.")
@with_options(
    FILES,
    click.option("--label", required=True, metavar="COL", help="The column that holds the classes."),
    click.option("--learner", type=click.Choice(list(LEARNERS)), default=DEFAULT, show_default=True,
                 help="How to learn: with a step per row (nemsis), in growing epochs (scan), or buffer by buffer "
                      "(one-pass)."),
    click.option("--measure", metavar="NAME", show_default=MEASURES[DEFAULT].replace("_", "-"),
                 help=f"The measure that the learner optimizes; which ones depends on the learner: {NAMES}."),
    click.option("--param", "params", multiple=True, metavar="KEY=VALUE",
                 help="A parameter of the learner, such as eta0=0.1; may be repeated."),
    click.option("--classes", metavar="A,B,...",
                 help="All classes, if some may be missing in the first rows."),
    *COLUMNS,
    click.option("--missing", type=click.Choice(["error", "impute"]), default="error", show_default=True,
                 help="Whether a row with a missing value is invalid, or the value is imputed."),
    ON_ERROR,
    FORMAT,
    click.option("--batch", type=click.IntRange(min=1), default=10_000, show_default=True, metavar="ROWS",
                 help="Rows per batch; the first batch determines the classes and the scaling."),
    click.option("--hold", type=click.IntRange(min=0), default=10_000, show_default=True, metavar="ROWS",
                 help="How many rows are held out at most to evaluate the model; until then, one row in ten is."),
    click.option("--seed", "random_state", type=click.IntRange(0, 2**32 - 1), default=0, show_default=True,
                 help="The random seed, which draws the held-out rows."),
    click.option("--checkpoint", metavar="FILE", show_default="MODEL.checkpoint until the end",
                 help="The file from which a stopped or killed run is resumed."),
    click.option("--every", type=click.IntRange(min=1), default=500_000, show_default=True, metavar="ROWS",
                 help="Rows between two checkpoints."),
    click.option("--jobs", "n_jobs", type=int, default=1, show_default=True, metavar="N",
                 help="Read N files at once, if the order of rows does not matter; -1 for all cores. The model is "
                      "the average of N learners."),
    click.option("--save", metavar="FILE", help="Save the model, as .skops, for stream shares and predict."),
    JSON,
)  # fmt: skip
def train(
    files: tuple[str, ...], label: str, params: tuple[str, ...], classes: str | None, as_json: bool, **typed: Any
) -> None:
    """Learn from the stream FILES, in one pass and in constant memory.

    Numbers are scaled by the first rows, strings are hashed. Each batch is predicted before it is learned from
    (prequential evaluation), which shows how good the learner is on rows it has not seen. After a kill the same command
    resumes the run, to the same weights.

    \b
    Examples:
      foldless stream train --label spam mail.parquet --save model.skops
      foldless stream train --label spam --learner nemsis --measure bakld --on-error skip days/ --save model.skops
    """
    named = [text.strip() for text in (classes or "").split(",") if text.strip()]
    with streamed.progress_line() as show:
        training = streams.train(
            files, label, params=_params(params), classes=named, on_message=note, on_progress=show, **typed
        )
    document = {**training.to_dict(), "saved": typed["save"], "checkpoint": typed["checkpoint"]}
    document["notes"] = [*(worded(sentence) for sentence in training.notes), *streamed.doubts(document["stream"])]
    if as_json:
        documents.print_json(document)
    else:
        streamed.training(document)


def _params(texts: Sequence[str]) -> dict[str, Any]:
    params: dict[str, Any] = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals or not key.strip() or not value.strip():
            raise BadInput(f"--param {text!r} is not of the form key=value: write eta0=0.1")
        if key.strip() in ("measure", *params):
            raise BadInput(f"--param {text!r} gives {key.strip()} a second time: write it once")
        params[key.strip()] = grids.value(value.strip())
    return params
