"""``foldless app``: a page on this machine for labels, pool and candidates."""

import os
import shlex
import webbrowser
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from foldless.cli import _options as options
from foldless.cli._connecting import connected
from foldless.cli._criteria import HELP, parse
from foldless.cli._group import command_as_typed
from foldless.cli._remedies import worded
from foldless.criteria import BY_NAME
from foldless.errors import BadInput

if TYPE_CHECKING:
    from foldless.app import Setup

APP_SECONDS = 15.0  # rows can be labeled meanwhile, and a batch of them takes longer than that
MAX_NAME = 60  # letters of the name of a person
FLAGS = ("--keep-valid", "--no-keep-valid", "--no-browser", "--behind-proxy")
OF_APP = ("--folder", "--batch", "--port", "--people", "--overlap", "--host", "--certificate", "--key", "--guide",
          "--label", "--unlabeled", "--cluster")  # fmt: skip
"""Options that the command of the final model does not have, or has from the setup."""


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
    click.option("--people", metavar="A,B,...",
                 help="Names of those who label; each gets a link. Where they differ about a row, it waits for a "
                      "decision."),
    click.option("--overlap", type=click.FloatRange(0, 1), default=0.2, show_default=True,
                 help="The share of rows that is shown to two of the --people, to see how far they agree."),
    click.option("--host", metavar="NAME",
                 help="The name under which other machines open the page; needs --certificate and --key, or "
                      "--behind-proxy. Without it, only this machine can."),
    click.option("--certificate", metavar="FILE", help="The certificate of --host, as PEM."),
    click.option("--key", metavar="FILE", help="The key of --certificate, as PEM."),
    click.option("--behind-proxy", is_flag=True,
                 help="A proxy on this machine has the certificate of --host, and passes requests on."),
)  # fmt: skip
def app(
    criterion: str | None, folder: str | None, batch: int, keep_valid: bool, port: int, no_browser: bool,
    people: str | None, overlap: float, host: str | None, certificate: str | None, key: str | None,
    behind_proxy: bool, **typed: Any,
) -> None:  # fmt: skip
    """Label rows of the pool on a web page, and see which model leads.

    The page shows the rows on which the leading models disagree. Label them with the keyboard, and continue: models
    race again with the new labels. Every label is on the disk before the page says that it is saved.

    The page is for this machine alone, and its address holds a token. Ctrl-C stops it; the same command continues with
    the saved labels.

    With --label-separator, or where labels are lists, a row can have several classes: tick them, and press Enter.

    Without --model an average of a portfolio is trained, for at most 15 seconds at a time.

    \b
    Example:
      foldless app train.csv --label topic --unlabeled pool.csv --model linear-svc,naive-bayes
    """
    from foldless.app import Reach, Setup, serve
    from foldless.core.time_budget import WorkingSeconds

    reach = Reach(host, certificate, key, behind_proxy)
    reach.check()
    place = _folder(typed["train"], folder)
    settings = options.settings({**typed, "cluster": None}, {})  # it is the process that trains which needs a cluster
    typed["by_default"] = options.is_by_default(typed, criterion)
    if typed["by_default"]:
        models, criterion = dict[str, Any].fromkeys(["portfolio"]), "combination"
        settings["time_budget"] = settings["time_budget"] or WorkingSeconds(APP_SECONDS)
    else:
        models = options.models_of(typed) if typed["grid"] else dict.fromkeys(typed["names"] or ["linear-svc"])
        criterion = criterion or "auto"
    setup = Setup(
        typed["train"], typed["label"], place, options.reading(typed), models,
        plain if (plain := criterion.replace("-", "_")) in BY_NAME else parse(criterion),
        {**settings, "verbose": 0}, command_as_typed(), worded, batch,
        keep_valid, _names(people), overlap, (), partial(connected, typed["cluster"]), typed["guide"],
    )  # fmt: skip
    setup = replace(setup, final=_final(setup, command_as_typed()), first_look=_first_look(typed))
    line = "The page of {}" if setup.people else "The page is at {}\nCtrl-C ends it."
    if host is not None:
        click.echo(f"Warning: everybody who has a link can label from any machine that reaches {host}.", err=True)
    browse = None if no_browser or people else webbrowser.open
    serve(setup, port=port, shown=lambda address: click.echo(line.format(address)), browse=browse, reach=reach)
    click.echo(f"Stopped. The labels are saved in {setup.places['journal']}; the same command continues with them.")


def _first_look(typed: Mapping[str, Any]) -> Callable[[Any], list[str]] | None:
    """What says what is wrong with the files: it takes longer than to read them, and rows can be labeled meanwhile."""
    from foldless.cli import _first_look

    return None if typed.get("no_check", True) or typed.get("quiet") else _first_look.show


def _names(typed: str | None) -> tuple[str, ...]:
    from foldless.app.app_setup import ELSEWHERE

    names = [] if typed is None else [name.strip() for name in typed.split(",")]
    wrong = [name for name in names if not name or not name.isprintable() or len(name) > MAX_NAME]
    if wrong or len(set(names)) < len(names) or ELSEWHERE in names:
        raise BadInput(f"--people are different names with a comma between them, got {typed!r}", value=typed)
    return tuple(names)


def _final(setup: "Setup", typed: str) -> tuple[str, ...]:
    """The command that trains the final model: the labels of the page, and what was typed that ``select`` has too."""
    files = {"--save": "model", "--report": "report", "--predict": "predictions"}
    outputs = [part for option, what in files.items() for part in (option, str(setup.places[what]))]
    named = {"--label": setup.label, "--unlabeled": setup.reading.get("unlabeled")}
    inputs = [str(part) for pair in named.items() if pair[1] is not None for part in pair]
    return ("select", str(setup.places["labels"]), *inputs, *_as_typed(typed, setup.train), *outputs)


def _as_typed(typed: str, train: str) -> list[str]:
    """The options of this command that ``foldless select`` has too, but for its files."""
    left, arguments = [], shlex.split(typed)
    at = arguments.index("app") + 1 if "app" in arguments else len(arguments)
    while at < len(arguments):
        name, joined, _ = arguments[at].partition("=")
        if name in FLAGS or arguments[at] == train:
            at += 1
        elif name in OF_APP:
            at += 1 if joined else 2
        else:
            left.append(arguments[at])
            at += 1
    return left


def _folder(train: str, folder: str | None) -> Path:
    if train == "-":
        raise BadInput(
            "the app reads TRAIN again when it is restarted, and standard input can be read only once: name a file"
        )
    if not Path(train).name:
        raise BadInput(f"TRAIN must name a file, got {train!r}", value=train)
    beside = Path(train).with_name(f"{Path(train).name.partition('.')[0]}.foldless")
    place = beside if folder is None else Path(folder)
    if os.path.exists(place) and not os.path.isdir(place):
        raise BadInput(f"{place} is a file: name a folder with --folder", value=str(place))
    parent = Path(os.path.realpath(place)).parent
    if not parent.is_dir():
        raise BadInput(f"the folder {parent} does not exist: create it first", value=str(place))
    return place
