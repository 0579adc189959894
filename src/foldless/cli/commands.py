"""The commands, their options, and how they end.

Whatever a user can mend is one line on standard error and exit status 2; nothing is written before all of it is known
to be good. Ctrl-C before a candidate is complete is exit status 130.
"""

import json
import os
import sys
from collections.abc import Callable
from dataclasses import fields
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NoReturn, cast

import click

from foldless._version import __version__
from foldless.cli import documents, grids, models, printing, running, tables
from foldless.core import Criterion
from foldless.criteria import BY_NAME
from foldless.errors import BadInput, FoldlessError, Interrupted, Unfinished
from foldless.files import check_target, write_table

INTERRUPTED = 130
NAMES = f"{', '.join(models.MODELS)}; linear-svc if none is named"
CRITERIA = [name.replace("_", "-") for name in BY_NAME]


class OneLine(click.Group):
    """A group whose errors are one line each."""

    def main(self, *args: Any, **extra: Any) -> NoReturn:
        """Run and exit."""
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):  # a console that lacks a character shows another, and goes on
                stream.reconfigure(errors="replace")
        try:
            status = super().main(*args, **{**extra, "standalone_mode": False})
            sys.stdout.flush()
        except click.ClickException as error:
            _fail(error.format_message())
        except (KeyboardInterrupt, click.Abort):
            _fail("interrupted; with --journal FILE the same command goes on where it was", INTERRUPTED)
        except Unfinished as error:
            _fail(_unfinished(str(error)), INTERRUPTED if isinstance(error, Interrupted) else 2)
        except FoldlessError as error:
            _fail(models.as_typed(str(error)))
        except BrokenPipeError:  # the reader has seen enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(1)
        sys.exit(status if isinstance(status, int) else 0)


def _fail(message: str, status: int = 2) -> NoReturn:
    click.echo(f"Error: {' '.join(message.split())}", err=True)
    sys.exit(status)


def _unfinished(message: str) -> str:
    return message if "journal" in message else f"{message}; with --journal FILE a next run could go on"


def _task_options(command: Callable[..., None]) -> Callable[..., None]:
    """The options that all commands share."""
    for option in reversed((
        click.argument("train"),
        click.option("--label", required=True, metavar="COL", help="The column of TRAIN that holds the classes."),
        click.option("--unlabeled", metavar="FILE", help="The pool: rows nobody has labeled."),
        click.option("--test", metavar="FILE", help="Labeled rows that only show the truth; never used for choosing."),
        click.option("--model", "names", multiple=True, type=click.Choice(list(models.MODELS)),
                     default=["linear-svc"], metavar="NAME", help=f"A model to choose from; may be repeated: {NAMES}."),
        click.option("--grid", multiple=True, metavar="KEY=VALUES",
                     help="Parameters to try: C=1e-4:1e3:8 (from:to:how many), n_neighbors=1,3,5, or "
                          "svc.gamma=0.1,1 for one of several models. Each model has a grid of its own otherwise."),
        click.option("--drop", multiple=True, metavar="COL", help="A column to leave out; may be repeated."),
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
    )):  # fmt: skip
        command = option(command)
    return command


@click.group(cls=OneLine, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="foldless")
@click.pass_context
def main(context: click.Context) -> None:
    """Choose classifiers with the data nobody has labeled.

    \b
    Example:
      foldless select train.csv --label topic --unlabeled pool.csv
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


@main.command()
@_task_options
@click.option("--criterion", default="quantification-bound", show_default=True, metavar="NAME",
              help=f"How to choose: {', '.join(CRITERIA)}; k-fold:10 for ten folds.")  # fmt: skip
@click.option("--predict", metavar="FILE", help="Write the pool with predicted labels, as .csv or .parquet.")
def select(criterion: str, predict: str | None, as_json: bool, **options: Any) -> None:
    """Choose a model for the table TRAIN (CSV or Parquet).

    Rows of TRAIN without a label join the pool.

    \b
    Example:
      foldless select train.csv --label topic --unlabeled pool.csv --grid C=1e-4:1e3:8
    """
    how, settings = _criterion(criterion), _settings(options, predict)
    problem = _problem(options)
    if predict is not None and problem.pool is None:
        raise BadInput("--predict labels the pool, and there is none: pass --unlabeled, or leave some labels empty")
    candidates = models.candidates(options["names"], options["grid"], problem.columns)
    run = running.select(problem, candidates, how, settings, predict=predict is not None)
    if predict is not None and problem.pool_rows is not None:
        write_table(problem.pool_rows.assign(**{problem.label: run.pool_labels}), predict)
    document = documents.of_selection(problem, run, predict)
    _show(document, as_json, printing.selection, settings)


@main.command()
@_task_options
@click.option(
    "--criteria",
    required=True,
    metavar="A,B,...",
    help=f"Ways of choosing: {', '.join(CRITERIA)}; k-fold:10 for ten folds.",
)
def compare(criteria: str, as_json: bool, **options: Any) -> None:
    """Choose by several criteria at once for the table TRAIN (CSV or Parquet).

    A fit that two of them need is run once.

    \b
    Example:
      foldless compare train.csv --label topic --unlabeled pool.csv --criteria quantification-bound,k-fold
    """
    how = [_criterion(name.strip()) for name in criteria.split(",")]
    twice = [one.name for at, one in enumerate(how) if one in how[:at]]
    if twice:
        raise BadInput(f"--criteria names {twice[0].replace('_', '-')} twice: name each once")
    settings = _settings(options)
    problem = _problem(options)
    candidates = models.candidates(options["names"], options["grid"], problem.columns)
    run = running.contrast(problem, candidates, how, settings)
    _show(documents.of_comparison(problem, run), as_json, printing.comparison, settings)


def _criterion(typed: str) -> Criterion:
    """A criterion by its name; what follows a colon is its first parameter."""
    name, colon, text = typed.partition(":")
    known = name.replace("-", "_")
    if known not in BY_NAME:
        near = get_close_matches(name, CRITERIA, n=1)
        hint = f"did you mean {near[0]}? " if near else ""
        raise BadInput(f"there is no criterion {name!r}: {hint}there are {', '.join(CRITERIA)}")
    if not colon:
        return BY_NAME[known]()
    first, value = fields(cast(Any, BY_NAME[known]))[0], grids.value(text.replace("-", "_"))
    if isinstance(value, str) == isinstance(first.default, int | float):
        raise BadInput(f"{first.name} of {name} cannot be {text!r}: its default is {first.default!r}")
    return BY_NAME[known](**{first.name: value})


def _settings(options: dict[str, Any], predict: str | None = None) -> running.Settings:
    """How to run; what would fail only at the end fails here."""
    inputs = [options[name] for name in ("train", "unlabeled", "test") if options[name] is not None]
    journal, n_jobs = options["journal"], options["n_jobs"]
    if n_jobs == 0:
        raise BadInput("--n-jobs 0 means no worker at all: give a number of workers, or -1 for all cores")
    if journal is not None and Path(journal).resolve() in [Path(path).resolve() for path in inputs]:
        raise BadInput(f"the journal {journal} is also read as a table: name another file for the journal")
    if predict is not None:
        check_target(predict, [*inputs, *([journal] if journal is not None else [])])
    return running.Settings(n_jobs, journal, options["time_budget"], options["seed"])


def _problem(options: dict[str, Any]) -> tables.Problem:
    return tables.load(
        options["train"], options["label"], unlabeled=options["unlabeled"], test=options["test"], drop=options["drop"],
        missing=options["missing"], min_per_class=options["min_per_class"],
    )  # fmt: skip


def _show(
    document: dict[str, Any],
    as_json: bool,
    show: Callable[[dict[str, Any], str | None], None],
    settings: running.Settings,
) -> None:
    if as_json:
        click.echo(json.dumps(document, indent=2, allow_nan=False))
    else:
        show(document, settings.journal)
