"""The options that commands share, and the arguments of the Python calls that they stand for."""

import os
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from foldless.cli import _connecting as connecting
from foldless.cli import _time_budget as time_budget
from foldless.cli._completed_values import READING
from foldless.errors import BadInput
from foldless.portfolio import Facts, is_own, names, presets, separated

if TYPE_CHECKING:
    from foldless.core import Criterion
    from foldless.tables import Problem

FORMATS = (
    "csv", "tsv", "jsonl", "svmlight", "parquet", "arrow", "xlsx", "ods", "sqlite", "duckdb",
)  # those of foldless.io, which imports pyarrow  # fmt: skip
TWO_VIEWS = names("two views")
CONFIDENCE = 0.95
SILENT = 2  # times --quiet that leave errors alone
NAMES = (
    f"{', '.join(names('one view', 'two views'))}. If none is named, the preset portfolio is tried; with --grid or "
    f"another criterion, linear-svc. For numbers: {', '.join(names('values'))}; ridge if none is named"
)
PORTFOLIO_SECONDS = 30.0  # the time budget of the default portfolio; `foldless app` has less


class Models(click.Choice[str]):
    """Names of models with commas between them."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return ",".join(self._known(name, param, ctx) for name in separated(str(value)))

    def _known(self, name: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if is_own(name) or name in self.choices:
            return name
        near = get_close_matches(name, self.choices, n=3, cutoff=0.5)
        like = f", did you mean {' or '.join(near)}?" if near else ""
        raise click.BadParameter(f"there is no model {name!r}{like}", ctx, param)


def one_by_one(_: click.Context, __: click.Parameter, words: Sequence[str]) -> tuple[str, ...]:
    """The names that were typed, with or without commas between them."""
    return tuple(name for word in words for name in separated(word))


DROP = click.option("--drop", multiple=True, metavar="COL", help="A column to leave out; may be repeated.")
COLUMNS = (
    DROP,
    click.option("--text", multiple=True, metavar="COL", help="A column to read as text; may be repeated."),
    click.option("--categorical", multiple=True, metavar="COL",
                 help="A column to read as categories, even if it holds numbers; may be repeated."),
)  # fmt: skip
KEEP = click.option("--keep", multiple=True, metavar="COL",
                    help="A column to read although it looks like row numbers, ids or hashes (these are left out); "
                         "may be repeated.")  # fmt: skip


class _Reading(click.Option):
    """An option on how files are written; all of them together are one argument, ``fmt``."""

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs, expose_value=False, callback=self._keep)

    def _keep(self, ctx: click.Context, _: click.Parameter, value: str | None) -> None:
        if value is not None:
            name = self.opts[0].removeprefix("--").replace("-", "_")  # that of FileOptions
            ctx.meta.setdefault(READING, {})[name] = "\t" if value == "\\t" else value


def _file_options(ctx: click.Context, _: click.Parameter, fmt: str | None) -> Any:
    """The format alone, or all that was typed about the files."""
    said = ctx.meta.get(READING)
    if not said:
        return fmt
    from foldless.io import FileOptions

    return FileOptions(fmt, **said)


FORMAT = (
    click.option("--delimiter", "-d", cls=_Reading, is_eager=True, metavar="CHAR",
                 help="The mark between values of text files; found if not given."),
    click.option("--decimal", cls=_Reading, is_eager=True, type=click.Choice([".", ","]),
                 help="The decimal mark of text files; found if not given."),
    click.option("--encoding", "-e", cls=_Reading, is_eager=True, metavar="NAME",
                 help="The encoding of text files, such as cp1252; found if not given."),
    click.option("--date-format", cls=_Reading, is_eager=True, metavar="FORMAT",
                 help="How text files write dates, such as %d/%m/%Y; found if not given."),
    click.option("--sheet", cls=_Reading, is_eager=True, metavar="NAME",
                 help="The sheet of a spreadsheet (.xlsx, .ods); the first one if not given."),
    click.option("--table", "of_database", cls=_Reading, is_eager=True, metavar="NAME",
                 help="The table of an SQLite or DuckDB file (.sqlite, .db, .duckdb); the only one if not given."),
    click.option("--query", cls=_Reading, is_eager=True, metavar="SQL",
                 help="The rows to read from an SQLite or DuckDB file, in place of a table."),
    click.option("--format", "fmt", type=click.Choice(FORMATS), callback=_file_options, metavar="NAME",
                 help=f"The format of standard input (-), or of a file whose ending does not name it: "
                      f"{', '.join(FORMATS)}. Found by content if not given."),
)  # fmt: skip
MISSING = click.option("--missing", type=click.Choice(["error", "impute"]), default="error", show_default=True,
                       help="What to do with missing values.")  # fmt: skip
JOURNAL = click.option("--journal", metavar="FILE",
                       help="A file that keeps the predictions of all fits, so that a stopped run continues "
                            "where it was.")  # fmt: skip
SEED = click.option("--seed", type=click.IntRange(0, 2**32 - 1), default=0, show_default=True,
                    help="The random seed.")  # fmt: skip
JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead of a table.")
QUIET = click.option("--quiet", "-q", count=True,
                     help="Print the answer alone, without progress, hints and notes. Twice, as -qq, print errors "
                          "alone.")  # fmt: skip
SHARE = click.FloatRange(0, 1, min_open=True, max_open=True)
confidence_of = partial(click.option, "--confidence", type=SHARE, default=CONFIDENCE, show_default=True, metavar="P")
INTERVALS = confidence_of(help="The confidence of the intervals: how often they contain the true value.")
COUNTED_GROUPS = click.option("--groups", metavar="COL",
                              help="The column of groups of rows that belong together, such as those of one patient: "
                                   "rows of one group count as one.")  # fmt: skip
SAVED_MODEL = (click.argument("model", type=click.Path()), click.argument("table", type=click.Path()))
POOL_SAMPLE = click.option(
    "--pool-sample", type=click.IntRange(min=1), metavar="ROWS",
    help="Keep a Parquet pool on disk, and use a random sample of this many rows where single rows are needed; by "
         "default 100,000 for a pool above half a gigabyte.",
)  # fmt: skip
MINUS_ONE = click.option(
    "--minus-one-is-class", is_flag=True,
    help="Treat the label -1 as a class; otherwise it marks unlabeled rows if there is no other pool.",
)  # fmt: skip
MERGE_LABELS = click.option(
    "--merge-labels", is_flag=True,
    help="Take labels that differ by case and spaces only, such as yes and 'Yes ', as one class.",
)  # fmt: skip
NO_CHECK = click.option(
    "--no-check", is_flag=True,
    help="Skip the short check of the data, which prints at most two lines to standard error.",
)  # fmt: skip
SCORING = (
    click.option("--scoring", multiple=True, callback=one_by_one, metavar="NAME,...", show_default="accuracy",
                 help="The metric, by scikit-learn's name: roc_auc, f1, balanced_accuracy, neg_log_loss … Of several, "
                      "the first one decides, and all are shown with intervals."),
    click.option("--positive", metavar="CLASS",
                 help="The positive class of f1, precision, recall, average_precision and the like."),
)  # fmt: skip
COSTS = (
    click.option("--cost", multiple=True, metavar="CLASS:COST",
                 help="The cost of missing a class, such as yes:5, or of one error, 'yes>no:5' (true > predicted); "
                      "other errors cost 1. The model with the lowest expected cost is chosen, and predicts the "
                      "class with the lowest expected cost."),
    click.option("--costs", metavar="FILE",
                 help="A table of costs: a row for each true class, named in the first column, and a column for each "
                      "predicted class."),
)  # fmt: skip
AT_LEAST = click.option("--at-least", metavar="precision=P",
                        help="Predict the class of --positive only above a threshold of its probability that reaches "
                             "this precision (or recall=R) on held-out labels; --predict leaves other rows "
                             "empty.")  # fmt: skip
CLASSES_OR_NUMBERS = click.option(
    "--task", type=click.Choice(["classification", "regression"]),
    help="Whether labels are classes, or numbers to predict. By default numbers with fractions are predicted, and "
         "whole numbers are classes.",
)  # fmt: skip
POOL = click.option(
    "--unlabeled", metavar="FILE",
    help="The pool: rows nobody has labeled; a folder of Parquet may be larger than memory.",
)  # fmt: skip
FITTING = (
    click.argument("train"),
    click.option("--label", metavar="COL",
                 help="The column of TRAIN with the labels: classes, or numbers to predict. svmlight files need "
                      "none."),
    CLASSES_OR_NUMBERS,
    click.option("--label-separator", metavar="MARK",
                 help="The separator between several labels of a row, such as ';'; lists need none."),
    POOL,
    click.option("--test", metavar="FILE", help="Labeled rows to test the chosen model on; never used for choosing."),
    click.option("--model", "--models", "names", multiple=True, type=Models(names()), callback=one_by_one,
                 metavar="A,B,...",
                 help=f"Models to choose from; may be repeated: {NAMES}. Presets of several models, with and without "
                      f"use of the pool: portfolio for --criterion combination, few-labels for about ten labels. A "
                      f"model of your own is package.module:Class, package.module:Class(depth=3) or file.py:make_model"
                      f", whose code is run."),
    click.option("--grid", multiple=True, metavar="KEY=VALUES",
                 help="Parameters to try: C=1e-4:1e3:8 (from:to:how many), n_neighbors=1,3,5, or "
                      "svc.gamma=0.1,1 for one of several models. Otherwise each model has its own grid."),
    click.option("--view", "views", multiple=True, metavar="COLS",
                 help=f"The columns of one view, such as words,title or 'page_*'. Pass it twice, for models that need "
                      f"two views: {', '.join(TWO_VIEWS)}."),
    *COLUMNS,
    KEEP,
    click.option("--groups", metavar="COL",
                 help="The column of groups of rows that belong together, such as those of one patient: they stay in "
                      "one fold, and models do not read the column."),
    *FORMAT,
    MISSING,
    click.option("--min-per-class", type=click.IntRange(min=1), show_default="2, and 1 for presets",
                 help="The fewest labeled rows that a class may have."),
    MINUS_ONE,
    MERGE_LABELS,
    *connecting.OPTIONS,
    JOURNAL,
    click.option("--time-budget", **time_budget.OPTION, callback=time_budget.counted,
                 show_default="30 for the default portfolio; app 15, compare 60, certify none",
                 help="Stop after about this time, which includes imports and reading, and choose among the candidates "
                      "that are complete; if none is, the model always predicts the same."),
    SEED,
    NO_CHECK,
)  # fmt: skip
TASK = (
    *FITTING,
    POOL_SAMPLE,
    click.option("--dry-run", is_flag=True,
                 help="Print the number of fits and the estimated time, measured on a few fits, and choose nothing."),
    JSON,
    QUIET,
)  # fmt: skip
REPORT = click.option("--report", metavar="FILE", help="Write a report with figures and tables, as .html.")
PROBABILITIES = click.option(
    "--probabilities/--no-probabilities", default=None, show_default="of the label, and of each of up to 20 classes",
    callback=lambda _, __, wanted: "auto" if wanted is None else wanted,
    help="Write the probability of every class beside the predicted labels, however many there are, or only the "
         "labels. Of an average, the agreement of its members is written too; an SVM has probabilities from "
         "out-of-fold scores.",
)  # fmt: skip
MODEL = (
    click.option("--predict", metavar="FILE",
                 help="Write the pool with predicted labels and their probabilities, as .csv, .parquet or others."),
    PROBABILITIES,
    click.option("--save", metavar="FILE", help="Save the chosen model, as .skops, for foldless predict."),
    REPORT,
)  # fmt: skip


def with_options(*options: Callable[[Any], Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """A decorator that gives a command these options, shown in their order."""

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def settings(typed: Mapping[str, Any], written: Mapping[str, str | None]) -> dict[str, Any]:
    """How to run: arguments that search, compare and certify share. What would fail only at the end fails here.

    A cluster that is named serves all that the command does from here on.
    """
    inputs = [typed[name] for name in ("train", "unlabeled", "test") if typed[name] is not None]
    journal, n_jobs = typed["journal"], typed["n_jobs"]
    if n_jobs == 0:
        raise BadInput("--n-jobs must not be 0: give a number of workers, or -1 for all cores")
    if journal is not None and os.path.realpath(journal) in map(os.path.realpath, inputs):
        raise BadInput(f"the journal {journal} is also read as a table: name another file for the journal")
    if written:
        from foldless.cli import _outputs as outputs  # imports what reads tables

        outputs.check_outputs(written, [*inputs, *([journal] if journal is not None else [])])
    click.get_current_context().with_resource(connecting.connected(typed["cluster"]))
    return {
        "n_jobs": n_jobs, "journal": journal, "time_budget": typed["time_budget"], "random_state": typed["seed"],
        "verbose": 0 if typed.get("quiet") else 1, "unlabeled": None,  # reading the files has decided what −1 is
    }  # fmt: skip


def problem(typed: Mapping[str, Any], *, keep_labeled: bool = False) -> "Problem":
    """The files that were named, read and checked; where rows of the pool are counted, all of them stay in it."""
    from foldless.tables import read_problem

    return read_problem(typed["train"], typed["label"], keep_labeled=keep_labeled, **reading(typed))


def check_first(typed: Mapping[str, Any], problem: "Problem") -> None:
    """Name on standard error what is wrong with the files, in two lines at most.

    Commands do so when they have an answer: what is wrong with a command is one sentence alone.
    """
    if not typed.get("no_check", True) and not typed.get("as_json") and not typed.get("quiet"):
        from foldless.cli import _first_look as first_look

        time_budget.in_time(typed.get("time_budget"), lambda: first_look.show(problem))


def reading(typed: Mapping[str, Any]) -> dict[str, Any]:
    """How the files are read: further arguments of `read_problem`."""
    copied = ("unlabeled", "test", "drop", "text", "categorical", "keep", "label_separator", "fmt", "missing", "task")
    views = [[name.strip() for name in view.split(",")] for view in typed["views"]]
    readers = [name for name in typed["names"] if name in TWO_VIEWS]
    if views and not readers:
        raise BadInput(
            f"--view {typed['views'][0]!r} is for {', '.join(TWO_VIEWS)}: leave it out, or choose one with --model"
        )
    alone = bool(readers) and len(readers) == len(typed["names"])
    few = typed.get("by_default") or any(name in presets() for name in typed["names"])
    arguments = {**{name: typed[name] for name in copied}, "min_per_class": typed["min_per_class"] or (1 if few else 2)}
    arguments |= {name: typed[name] for name in ("minus_one_is_class", "merge_labels")}
    drawn = {"pool_sample": typed.get("pool_sample"), "random_state": typed["seed"]}
    return {**arguments, **drawn, "views": views, "only_views": alone, "groups": typed.get("groups")}


def is_by_default(typed: Mapping[str, Any], criterion: str | None = None) -> bool:
    """Whether neither models nor a way of choosing were named, so that the portfolio is tried."""
    return not typed["names"] and not typed["grid"] and criterion in (None, "auto")


def candidates(typed: Mapping[str, Any], problem: "Problem", *, pool_teaches: bool = True) -> Any:
    """The models that were named, each with the grid typed for it or its own; else the default ones.

    ``pool_teaches`` says whether the portfolio has models that learn from the pool, where there is one.
    """
    from foldless.tables import candidates

    pool = pool_teaches and problem.X_unlabeled is not None
    facts = Facts.of(problem.columns, pool=pool, n_labels=len(problem.y))
    models = models_of(typed, facts, regression=problem.regression)
    return candidates(models, problem.columns, problem.views, regression=problem.regression)


def models_of(typed: Mapping[str, Any], facts: Facts | None = None, *, regression: bool = False) -> dict[str, Any]:
    """The names of the models that were named, with the grids typed for them or None; presets are taken apart."""
    from foldless.cli import _grids as grids
    from foldless.cli.terminal._printable import note
    from foldless.tables import parameters, with_presets

    unnamed = "ridge" if regression else "portfolio" if typed.get("by_default") else "linear-svc"
    models = with_presets(typed["names"] or [unnamed], facts)
    for name in filter(is_own, typed["names"]):
        note(f"the code of {name.partition('(')[0]} is run: name only what you trust")
    typed_grids = grids.assign(typed["grid"], {name: parameters(name, regression=regression) for name in models})
    return {**models, **typed_grids}


def rows(problem: "Problem") -> dict[str, Any]:
    """The pool, the test rows and the groups, as search, compare and certify take them."""
    return {**pool(problem), "X_test": problem.X_test, "y_test": problem.y_test}


def pool(problem: "Problem") -> dict[str, Any]:
    if problem.groups is None:
        return {"X_unlabeled": problem.X_unlabeled}
    return {"X_unlabeled": problem.groups.wrapped(problem.X_unlabeled), "groups": problem.groups.labeled}


def draws(problem: "Problem") -> dict[str, Any]:
    """How the labels were drawn, where the table says so."""
    return {} if problem.draws is None else problem.draws._asdict()


def only_planned(
    typed: Mapping[str, Any], problem: "Problem", candidates: Any, criteria: "Sequence[Criterion]"
) -> bool:
    """With ``--dry-run``, say what the run takes; whether that is all that was asked for."""
    if not typed["dry_run"]:
        return False
    from foldless.cli import _documents as documents
    from foldless.cli.terminal import _printing as printing
    from foldless.selection.cost import cost

    with documents.warnings_as_notes():
        groups = None if problem.groups is None else problem.groups.labeled
        planned = cost(
            candidates, None, problem.X, problem.y, X_unlabeled=problem.X_unlabeled, groups=groups, unlabeled=None,
            criteria=criteria, n_jobs=typed["n_jobs"], random_state=typed["seed"],
        )  # fmt: skip
    if typed["as_json"]:
        documents.print_json({**problem.to_dict(), "cost": planned.to_dict()})
    else:
        printing.planned(planned, problem)
    return True
