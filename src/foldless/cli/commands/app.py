"""``foldless app``: a page on this machine for labels, pool and candidates."""

import os
import webbrowser
from functools import partial
from pathlib import Path
from typing import Any

import click

from foldless.cli import _options as options
from foldless.cli._connecting import connected
from foldless.cli._criteria import HELP, parse
from foldless.cli._group import command_as_typed
from foldless.cli._remedies import worded
from foldless.criteria import BY_NAME
from foldless.errors import BadInput

APP_SECONDS = 15.0  # rows can be labeled meanwhile, and a batch of them takes longer than that
ENDED = "Stopped. The labels are saved in {place}; the same command continues with them."


@click.command()
@options.with_options(
    *options.FITTING,
    click.option("--criterion", show_default="combination; auto where --model or --grid is given", metavar="NAME",
                 help=f"The criterion at the start; the page offers others: {HELP}."),
    click.option("--folder", metavar="FOLDER",
                 help="Where labels, model and report are saved; by default beside TRAIN, with the name of TRAIN and "
                      ".foldless. If the folder exists, the app continues with its labels."),
    click.option("--batch", type=click.IntRange(min=1), default=30, show_default=True,
                 help="Rows to label before the next race."),
    click.option("--keep-valid/--no-keep-valid", default=True, show_default=True,
                 help="Draw rows on which the leading models disagree with known probabilities, so that the estimate "
                      "uses their labels; or pick only rows with disagreement, which the estimate leaves out. The "
                      "page offers both."),
    click.option("--port", type=click.IntRange(0, 65535), default=0, show_default="a free one",
                 help="The port of 127.0.0.1 that the page is served on."),
    click.option("--guide", type=click.Path(exists=True, dir_okay=False), metavar="FILE",
                 help="Guidelines in Markdown, shown beside the rows."),
    click.option("--no-browser", is_flag=True, help="Only print the address of the page."),
)  # fmt: skip
def app(
    criterion: str | None, folder: str | None, batch: int, keep_valid: bool, port: int, no_browser: bool, **typed: Any
) -> None:
    """Label rows of the pool on a web page, and see which model leads.

    The page shows the rows on which the leading models disagree. Label them with the keyboard, and continue: models
    race again with the new labels. Every label is on the disk before the page says that it is saved.

    The page is for this machine alone, and its address holds a token. Ctrl-C stops it; the same command continues with
    the saved labels.

    Without --model an average of a portfolio is trained, for at most 15 seconds at a time.

    \b
    Example:
      foldless app train.csv --label topic --unlabeled pool.csv --model linear-svc,naive-bayes
    """
    from foldless.app import Setup, serve

    place = _folder(typed["train"], folder)
    settings = options.settings({**typed, "cluster": None}, {})  # it is the process that trains which needs a cluster
    options.check_first(typed)
    typed["by_default"] = options.is_by_default(typed, criterion)
    if typed["by_default"]:
        models, criterion = dict[str, Any].fromkeys(["portfolio"]), "combination"
        settings["time_budget"] = settings["time_budget"] or APP_SECONDS
    else:
        models = options.models_of(typed) if typed["grid"] else dict.fromkeys(typed["names"] or ["linear-svc"])
        criterion = criterion or "auto"
    setup = Setup(
        typed["train"], typed["label"], place, options.reading(typed), models,
        plain if (plain := criterion.replace("-", "_")) in BY_NAME else parse(criterion),
        {**settings, "verbose": 0}, command_as_typed(), worded, batch,
        keep_valid, partial(connected, typed["cluster"]), typed["guide"],
    )  # fmt: skip

    def show(address: str) -> None:
        click.echo(f"The page is at {address}\nCtrl-C ends it.")

    serve(setup, port=port, shown=show, browse=None if no_browser else webbrowser.open)
    click.echo(ENDED.format(place=setup.places["journal"]))


def _folder(train: str, folder: str | None) -> Path:
    """The folder of a session."""
    if train == "-":
        raise BadInput(
            "the app reads TRAIN again when it is restarted, and standard input can be read only once: name a file"
        )
    if not Path(train).name:
        raise BadInput(f"TRAIN must name a file, got {train!r}", value=train)
    place = (
        Path(folder) if folder is not None else Path(train).with_name(f"{Path(train).name.partition('.')[0]}.foldless")
    )
    if os.path.exists(place) and not os.path.isdir(place):
        raise BadInput(f"{place} is a file: name a folder with --folder", value=str(place))
    parent = Path(os.path.realpath(place)).parent
    if not parent.is_dir():
        raise BadInput(f"the folder {parent} does not exist: create it first", value=str(place))
    return place
