"""The commands and their options. Nothing is written before all that was typed is known to be good."""

from collections.abc import Callable, Mapping
from dataclasses import fields
from difflib import get_close_matches
from pathlib import Path
from typing import Any, cast

import click

from foldless import keeping
from foldless._version import __version__
from foldless.cli import completion, doctor, documents, grids, models, outputs, predicting, printing, running, tables
from foldless.cli.group import OneLine, command_as_typed
from foldless.core import Criterion
from foldless.criteria import BY_NAME
from foldless.errors import BadInput
from foldless.files import write_table

NAMES = f"{', '.join(models.MODELS)}; linear-svc if none is named"
CRITERIA = [name.replace("_", "-") for name in BY_NAME]
EXAMPLES = """\
foldless select train.csv --label topic --unlabeled pool.csv --save model.skops
foldless predict model.skops new.csv --output labeled.csv
foldless compare train.csv --label topic --unlabeled pool.csv --criteria quantification-bound,k-fold
"""
REPORT = "Write a page with the curves and tables, as .html."


def _task_options(command: Callable[..., None]) -> Callable[..., None]:
    """The options that all commands share."""
    for option in reversed((
        click.argument("train"),
        click.option("--label", metavar="COL",
                     help="The column of TRAIN that holds the classes; svmlight files have it inside."),
        click.option("--label-separator", metavar="MARK",
                     help="The mark between the labels of rows that have several, such as ';'; lists need none."),
        click.option("--unlabeled", metavar="FILE", help="The pool: rows nobody has labeled."),
        click.option("--test", metavar="FILE", help="Labeled rows that only show the truth; never used for choosing."),
        click.option("--model", "names", multiple=True, type=click.Choice(list(models.MODELS)),
                     default=["linear-svc"], metavar="NAME", help=f"A model to choose from; may be repeated: {NAMES}."),
        click.option("--grid", multiple=True, metavar="KEY=VALUES",
                     help="Parameters to try: C=1e-4:1e3:8 (from:to:how many), n_neighbors=1,3,5, or "
                          "svc.gamma=0.1,1 for one of several models. Each model has a grid of its own otherwise."),
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
    )):  # fmt: skip
        command = option(command)
    return command


@click.group(
    cls=OneLine,
    invoke_without_command=True,
    epilog=EXAMPLES,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="foldless")
@click.pass_context
def main(context: click.Context) -> None:
    """Choose classifiers with the data nobody has labeled.

    You have some labeled rows, many unlabeled ones, and models to choose from. foldless ranks the models by a criterion
    that can read the unlabeled rows, says what the ranking assumes, and gives you the best one trained on every label.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


@main.command(short_help="Choose a model by one criterion; label the pool, save the model.")
@_task_options
@click.option("--criterion", default="quantification-bound", show_default=True, metavar="NAME",
              help=f"How to choose: {', '.join(CRITERIA)}; k-fold:10 for ten folds.")  # fmt: skip
@click.option("--predict", metavar="FILE", help="Write the pool with predicted labels, as .csv, .parquet or others.")
@click.option("--save", metavar="FILE", help="Keep the chosen model, as .skops, for foldless predict.")
@click.option("--report", metavar="FILE", help=REPORT)
def select(
    criterion: str, predict: str | None, save: str | None, report: str | None, as_json: bool, **options: Any
) -> None:
    """Choose a model for the table TRAIN.

    TRAIN is CSV, TSV, JSON lines, Parquet, Arrow or svmlight; - is standard input.

    Rows of TRAIN without a label join the pool.

    \b
    Example:
      foldless select train.csv --label topic --unlabeled pool.csv --grid C=1e-4:1e3:8
    """
    how = _criterion(criterion)
    settings = _settings(options, {"--predict": predict, "--save": save, "--report": report})
    problem = _problem(options)
    if predict is not None and problem.pool is None:
        raise BadInput("--predict labels the pool, and there is none: pass --unlabeled, or leave some labels empty")
    candidates = models.candidates(options["names"], options["grid"], problem.columns)
    run = running.select(problem, candidates, how, settings, predict=predict is not None, keep=save is not None)
    document = documents.of_selection(problem, run, {"predicted": predict, "saved": save, "report": report})
    if save is not None:
        keeping.save(run.result, save, keeping.Schema(problem.label, problem.columns))
    if predict is not None and problem.pool_rows is not None:
        labeled = problem.pool_rows.copy()
        labeled[problem.label] = run.pool_labels
        write_table(labeled, predict)
    if report is not None:
        run.result.report(report, made_by=command_as_typed(), about=documents.about(document))
    _show(document, as_json, printing.selection, settings)


@main.command(short_help="Choose by several criteria at once and see them side by side.")
@_task_options
@click.option(
    "--criteria",
    required=True,
    metavar="A,B,...",
    help=f"Ways of choosing: {', '.join(CRITERIA)}; k-fold:10 for ten folds.",
)
@click.option("--report", metavar="FILE", help=REPORT)
def compare(criteria: str, report: str | None, as_json: bool, **options: Any) -> None:
    """Choose by several criteria at once for the table TRAIN.

    A fit that two of them need is run once.

    \b
    Example:
      foldless compare train.csv --label topic --unlabeled pool.csv --criteria quantification-bound,k-fold
    """
    how = [_criterion(name.strip()) for name in criteria.split(",")]
    twice = [one.name for at, one in enumerate(how) if one in how[:at]]
    if twice:
        raise BadInput(f"--criteria names {twice[0].replace('_', '-')} twice: name each once")
    settings = _settings(options, {"--report": report})
    problem = _problem(options)
    candidates = models.candidates(options["names"], options["grid"], problem.columns)
    run = running.contrast(problem, candidates, how, settings)
    document = documents.of_comparison(problem, run, {"report": report})
    if report is not None:
        run.result.report(report, made_by=command_as_typed(), about=documents.about(document))
    _show(document, as_json, printing.comparison, settings)


main.add_command(predicting.predict)
main.add_command(doctor.doctor)
main.add_command(completion.completion)
completion.teach(main)


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


def _settings(options: dict[str, Any], written: Mapping[str, str | None]) -> running.Settings:
    """How to run; what would fail only at the end fails here."""
    inputs = [options[name] for name in ("train", "unlabeled", "test") if options[name] is not None]
    journal, n_jobs = options["journal"], options["n_jobs"]
    if n_jobs == 0:
        raise BadInput("--n-jobs 0 means no worker at all: give a number of workers, or -1 for all cores")
    if journal is not None and Path(journal).resolve() in [Path(path).resolve() for path in inputs]:
        raise BadInput(f"the journal {journal} is also read as a table: name another file for the journal")
    outputs.check_outputs(written, [*inputs, *([journal] if journal is not None else [])])
    return running.Settings(n_jobs, journal, options["time_budget"], options["seed"])


def _problem(options: dict[str, Any]) -> tables.Problem:
    return tables.load(
        options["train"], options["label"], unlabeled=options["unlabeled"], test=options["test"], drop=options["drop"],
        text=options["text"], categorical=options["categorical"], label_separator=options["label_separator"],
        fmt=options["fmt"], missing=options["missing"], min_per_class=options["min_per_class"],
    )  # fmt: skip


def _show(
    document: dict[str, Any],
    as_json: bool,
    show: Callable[[dict[str, Any], str | None], None],
    settings: running.Settings,
) -> None:
    if as_json:
        click.echo(documents.dumped(document))
    else:
        show(document, settings.journal)
