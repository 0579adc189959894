"""``foldless stream shares``: the class shares of a stream, window by window, and an alarm when they drift."""

from typing import Any

import click

from foldless import streams
from foldless.cli._options import SHARE, confidence_of, with_options
from foldless.cli._outputs import check_outputs
from foldless.cli.commands.quantify import METHODS as ALL_METHODS
from foldless.cli.commands.stream_train import FILES, FORMAT, ON_ERROR
from foldless.cli.terminal import _streamed as streamed
from foldless.cli.terminal._printable import note

METHODS = ALL_METHODS[1:]  # without auto, which needs labels


@click.command(short_help="Estimate the class shares of an unlabeled stream, and watch them for drift.")
@with_options(
    FILES,
    click.option("--model", required=True, metavar="FILE", help="A model that stream train or select has saved."),
    click.option("--window", type=click.IntRange(min=1), default=10_000, show_default=True, metavar="ROWS",
                 help="Rows per window."),
    click.option("--method", type=click.Choice(METHODS), show_default="acc if the model supports it", metavar="NAME",
                 help=f"The quantification method, as in quantify: {', '.join(METHODS)}. cc counts the predicted "
                      f"classes, acc and map adjust the counts by held-out rows, and the others read scores."),
    click.option("--false-alarm", type=SHARE, default=0.01, show_default=True, metavar="P",
                 help="Probability of a false alarm over the whole stream, if rows are independent."),
    confidence_of(help="Confidence of the interval of each adjusted share."),
    ON_ERROR,
    FORMAT,
    click.option("--picture", metavar="FILE", help="Write a figure of the shares over time, as .png, .svg or .pdf."),
    click.option("--json", "as_json", is_flag=True, help="Print one JSON object per window instead of CSV."),
)  # fmt: skip
def shares(files: tuple[str, ...], model: str, picture: str | None, as_json: bool, **typed: Any) -> None:
    """Print the class shares of the unlabeled stream FILES, one line per window, as soon as it is full.

    The alarm compares the predictions for the stream with those for the rows held out in training (for a model without
    such rows: with the windows before). If rows are independent and nothing changes, the probability of any alarm is at
    most that of --false-alarm, however long the stream is. Rows in bursts of one class raise it without drift: pass one
    row of each burst. Once raised, the alarm stays on.

    The columns lower and upper are the interval of each share; they are empty where counts are not adjusted.

    \b
    Example:
      foldless stream shares --model model.skops today.parquet --window 10000
    """
    check_outputs({"--picture": picture}, [model, *(path for path in files if path != "-")])
    windows = streamed.Windows(as_json)
    shares_by_window = streams.shares(model, files, on_window=windows.show, on_message=note, **typed)
    windows.header(shares_by_window.classes)
    if picture is not None:
        shares_by_window.picture(picture)
