"""The options that commands share, and what is made of them before any work is done."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import click

from foldless.cli import documents, outputs, running
from foldless.cli import model_catalog as models
from foldless.cli import view_options as views
from foldless.errors import BadInput
from foldless.tables import problem as tables

NAMES = f"{', '.join(models.NAMES)}; linear-svc if none is named"

TASK = (
    click.argument("train"),
    click.option("--label", metavar="COL",
                 help="The column of TRAIN that holds the classes; svmlight files have it inside."),
    click.option("--label-separator", metavar="MARK",
                 help="The mark between the labels of rows that have several, such as ';'; lists need none."),
    click.option("--unlabeled", metavar="FILE", help="The pool: rows nobody has labeled."),
    click.option("--test", metavar="FILE", help="Labeled rows that only show the truth; never used for choosing."),
    click.option("--model", "names", multiple=True, type=click.Choice(models.NAMES),
                 default=["linear-svc"], metavar="NAME", help=f"A model to choose from; may be repeated: {NAMES}."),
    click.option("--grid", multiple=True, metavar="KEY=VALUES",
                 help="Parameters to try: C=1e-4:1e3:8 (from:to:how many), n_neighbors=1,3,5, or "
                      "svc.gamma=0.1,1 for one of several models. Each model has a grid of its own otherwise."),
    click.option("--view", "views", multiple=True, metavar="COLS",
                 help=f"The columns of a view, as words,title or 'page_*'; twice, for {', '.join(models.TWO_VIEWS)}."),
    click.option("--drop", multiple=True, metavar="COL", help="A column to leave out; may be repeated."),
    click.option("--text", multiple=True, metavar="COL", help="A column to take as text; may be repeated."),
    click.option("--categorical", multiple=True, metavar="COL",
                 help="A column to take as categories, numbers too; may be repeated."),
    click.option("--format", "fmt", type=click.Choice(tables.FORMATS),
                 help="What standard input (-) holds, or a file whose ending does not tell; by content otherwise."),
    click.option("--missing", type=click.Choice(["error", "impute"]), default="error", show_default=True,
                 help="What to do about missing values."),
    click.option("--min-per-class", type=click.IntRange(min=1), default=2, show_default=True,
                 help="Labeled rows that every class must have."),
    click.option("--n-jobs", type=int, help="Parallel workers; -1 for all cores."),
    click.option("--journal", metavar="FILE", help="Remembers answers: a stopped run goes on where it was."),
    click.option("--time-budget", type=click.FloatRange(min=0, min_open=True), metavar="SECONDS",
                 help="Start no further fit after that time, and choose among what is complete."),
    click.option("--seed", type=click.IntRange(0, 2**32 - 1), default=0, show_default=True,
                 help="Behind every draw."),
    click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead of a table."),
)  # fmt: skip
REPORT = click.option("--report", metavar="FILE", help="Write a page with the curves and tables, as .html.")
MODEL = (
    click.option("--predict", metavar="FILE",
                 help="Write the pool with predicted labels, as .csv, .parquet or others."),
    click.option("--save", metavar="FILE", help="Keep the chosen model, as .skops, for foldless predict."),
    REPORT,
)  # fmt: skip


def with_options(*options: Callable[[Any], Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """A decorator that gives a command these options, shown in their order."""

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def settings(options: Mapping[str, Any], written: Mapping[str, str | None]) -> running.Settings:
    """How to run; what would fail only at the end fails here."""
    inputs = [options[name] for name in ("train", "unlabeled", "test") if options[name] is not None]
    journal, n_jobs = options["journal"], options["n_jobs"]
    if n_jobs == 0:
        raise BadInput("--n-jobs 0 means no worker at all: give a number of workers, or -1 for all cores")
    if journal is not None and Path(journal).resolve() in [Path(path).resolve() for path in inputs]:
        raise BadInput(f"the journal {journal} is also read as a table: name another file for the journal")
    outputs.check_outputs(written, [*inputs, *([journal] if journal is not None else [])])
    return running.Settings(n_jobs, journal, options["time_budget"], options["seed"])


def problem(options: Mapping[str, Any]) -> tables.Problem:
    """The files that were named, read and checked."""
    read = tables.load(
        options["train"], options["label"], unlabeled=options["unlabeled"], test=options["test"], drop=options["drop"],
        text=options["text"], categorical=options["categorical"], label_separator=options["label_separator"],
        fmt=options["fmt"], missing=options["missing"], min_per_class=options["min_per_class"],
        unread=partial(views.unread, options["views"], options["names"]),
    )  # fmt: skip
    return views.cut(read, options["views"], options["names"])


def show(
    document: dict[str, Any],
    as_json: bool,
    printed: Callable[[dict[str, Any], str | None], None],
    settings: running.Settings,
) -> None:
    """The document itself, or what it says to people."""
    if as_json:
        click.echo(documents.dumped(document))
    else:
        printed(document, settings.journal)
