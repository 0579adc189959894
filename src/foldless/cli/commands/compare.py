"""``foldless compare``: choose by several criteria at once, and see them side by side."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

import foldless
from foldless.cli import _choosing as choosing
from foldless.cli import _options as options
from foldless.cli import _time_budget as time_budget
from foldless.cli._criteria import HELP, parse
from foldless.cli._group import command_as_typed
from foldless.cli.terminal._interrupts import ends_quietly
from foldless.errors import BadInput, StoppedEarly

if TYPE_CHECKING:
    from foldless.core import Criterion

SECONDS = 2 * options.PORTFOLIO_SECONDS  # a race has other resamples than the folds that the others share


@click.command()
@options.with_options(
    *options.TASK,
    *options.SCORING,
    *options.COSTS,
    click.option(
        "--criteria",
        show_default="auto,k-fold,quantification-bound, before them combination for the default portfolio; for "
        "regression repeated-k-fold instead of the bound",
        metavar="A,B,...",
        help=f"The selection criteria: {HELP}.",
    ),
    click.option("--by", metavar="NAME",
                 help="The criterion whose choice --save and --predict use; by default the first."),
    *options.MODEL,
)  # fmt: skip
def compare(criteria: str | None, by: str | None, **typed: Any) -> None:
    """Choose by several criteria at once for the table TRAIN.

    A fit that two of them need is run once. Without --model, --grid and --criteria the candidates are a portfolio.

    \b
    Example:
      foldless compare train.csv --label topic --unlabeled pool.csv --criteria auto,k-fold,quantification-bound
    """
    with ends_quietly():
        from foldless.cli import _documents as documents
        from foldless.cli.terminal import _printing as printing
        from foldless.results.finding import among
        from foldless.selection.compare import usual

    names = None if criteria is None else [name.strip() for name in criteria.split(",")]
    if names is not None:
        _check_names(names, by, typed)
    typed["by_default"] = names is None and options.is_by_default(typed)
    problem, candidates, settings = choosing.opened(typed)
    if names is None:
        names = ["combination"] if choosing.combines(typed, problem, settings, SECONDS) else []
        by_metric = bool(typed["scoring"] or typed["cost"] or typed["costs"])
        names += [name.replace("_", "-") for name in usual(candidates, by_metric=by_metric)]
    kinds = [parse(name) for name in names]
    wanted = _wanted(names, kinds, by, typed)
    named = choosing.scorings(typed, problem)
    if len(named) > 1:
        raise BadInput(
            f"compare chooses by one metric, and --scoring names {len(named)}: name one", value=typed["scoring"]
        )
    if options.only_planned(typed, problem, candidates, kinds):
        return
    with documents.warnings_as_notes(StoppedEarly) as notes:
        comparison = foldless.compare(
            candidates, None, problem.X, problem.y, criteria=kinds, refit=wanted or False,
            scoring=named[0] if named else None,
            **options.rows(problem), **options.draws(problem), **settings,
        ).assuming(problem.assumes)  # fmt: skip
        nothing: tuple[Any, Sequence[str]] = None, ()
        answers, sentences = choosing.pool_answers(typed, problem, comparison.best(wanted)) if wanted else nothing
    time_budget.answered()
    document = documents.of_comparison(
        problem, comparison, [*notes, *sentences, *choosing.unlabeled_note(answers)], choosing.written(typed)
    )
    if wanted:
        choosing.write_model(typed, problem, comparison.best(wanted), answers)

    def report() -> None:
        noted = comparison.noting(among(problem.notes))
        noted.report(typed["report"], made_by=command_as_typed(), about=problem.describe())

    reported = choosing.write_report(typed, report, document)
    choosing.show(document, typed, problem, lambda: printing.comparison(document, problem, typed["journal"]))
    choosing.check_reported(reported)


def _check_names(names: "Sequence[str]", by: str | None, typed: Mapping[str, Any]) -> None:
    """What is wrong with the names of criteria, before a table is read."""
    kinds = [parse(name) for name in names]
    twice = [kind.name for at, kind in enumerate(kinds) if kind in kinds[:at]]
    if twice:
        raise BadInput(f"--criteria names {twice[0].replace('_', '-')} twice: name each once")
    _wanted(names, kinds, by, typed)


def _wanted(
    names: "Sequence[str]", kinds: "Sequence[Criterion]", by: str | None, typed: Mapping[str, Any]
) -> str | None:
    """The criterion whose model is wanted, if any is."""
    used = typed["save"] is not None or typed["predict"] is not None
    if by is None:
        return kinds[0].name if used else None
    if not used:
        raise BadInput("--by says whose choice is saved: add --save or --predict, or leave --by out")
    if by not in names:
        raise BadInput(f"--by names {by!r}, and --criteria are {', '.join(names)}: name one of these", value=by)
    return kinds[names.index(by)].name
