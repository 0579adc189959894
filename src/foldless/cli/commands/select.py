"""``foldless select``: choose a model by one criterion, and write what was asked for."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

import click

import foldless
from foldless import criteria as kinds  # what it names is imported when it is used: help pages need none of it
from foldless.cli import _choosing as choosing
from foldless.cli import _options as options
from foldless.cli._criteria import HELP, parse
from foldless.cli.terminal._interrupts import ends_quietly
from foldless.errors import BadInput, StoppedEarly

if TYPE_CHECKING:
    from foldless.core import Criterion


@click.command()
@options.with_options(
    *options.TASK,
    *options.SCORING,
    *options.COSTS,
    options.AT_LEAST,
    click.option("--criterion", show_default="auto", metavar="NAME", help=f"The selection criterion: {HELP}."),
    click.option("--offer", type=click.Choice(["best", "average"]),
                 show_default="average; best where --model, --grid or another --criterion is given",
                 help="What is chosen: the best candidate, or an average of several, weighted by how well they predict "
                      "rows left out."),
    click.option("--estimate/--no-estimate", default=True,
                 help="Estimate the accuracy of the choice on new rows, which trains it up to five more times."),
    *options.MODEL,
    click.option("--verbose", "-v", is_flag=True,
                 help="Print all candidates, class shares, fits, assumptions and notes too."),
)  # fmt: skip
def select(criterion: str | None, offer: Literal["best", "average"] | None, estimate: bool, **typed: Any) -> None:
    """Choose a model for the table TRAIN.

    TRAIN is CSV, TSV, JSON lines, Parquet, Arrow, Excel, OpenDocument, SQLite, DuckDB or svmlight; - is standard input.

    Rows of TRAIN without a label join the pool.

    Without --model it combines a portfolio: linear models, SVMs, trees, neighbors, and models that learn from the pool
    too.

    \b
    Examples:
      foldless select train.csv --label topic --unlabeled pool.csv
      foldless select train.csv --label topic --model linear-svc --grid C=1:100:3
      foldless select clients.csv --label churn --scoring f1,roc_auc --positive yes
      foldless select clients.csv --label churn --cost yes:5 --save model.skops
      foldless select clients.csv --label churn --unlabeled pool.csv --at-least precision=.9 --positive yes
    """
    with ends_quietly():
        from sklearn.exceptions import FitFailedWarning

        from foldless.cli import _documents as documents
        from foldless.selection import decided, measured

    if typed["at_least"] and not estimate:
        raise BadInput("--at-least finds its threshold on the held-out labels of the estimate: leave out --no-estimate")
    typed["by_default"] = options.is_by_default(typed, criterion)
    how = _offering(parse(criterion or "auto"), offer)
    problem, candidates, settings = choosing.opened(typed)
    if offer == "average" and problem.regression:
        raise BadInput(
            f"--offer average averages probabilities of classes, and {problem.label!r} holds numbers to predict: leave "
            f"--offer out, or pass --task classification if they are classes",
            value=offer,
        )
    if choosing.combines(typed, problem, settings):
        how = _offering(how, offer or "average")
    named = choosing.scorings(typed, problem)
    how = choosing.by_metric(how, named)
    if options.only_planned(typed, problem, candidates, [how]):
        return
    wanted = problem.X_unlabeled is not None or typed["save"] is not None
    wanted = wanted or bool(named and typed["test"])  # metrics of test rows are those of the model
    with documents.warnings_as_notes(StoppedEarly, FitFailedWarning) as notes:
        search = foldless.FoldlessSearch(
            candidates, criterion=how, scoring=named[0] if named else None, refit=wanted, estimate=estimate, **settings
        )
        search.fit(problem.X, problem.y, **options.rows(problem), **options.draws(problem))
        selection = measured(search.selection_, named[1:]) if estimate and named[1:] else search.selection_
        if typed["at_least"]:
            goal = problem.at_least(typed["at_least"], typed["positive"])
            selection = measured(decided(selection, goal), named if typed["scoring"] else [])
        answers, sentences = choosing.pool_answers(typed, problem, selection)
    choosing.finish(typed, problem, selection.assuming(problem.assumes), [*notes, *sentences], answers)


def _offering(how: "Criterion", offer: Literal["best", "average"] | None) -> "Criterion":
    """The criterion that offers what was asked for."""
    if offer is None:
        return how
    if offer == "average" and isinstance(how, kinds.Combination):
        return how
    if not isinstance(how, kinds.Auto):
        raise BadInput(
            f"--offer needs --criterion auto, and the criterion is {how.name.replace('_', '-')}: "
            f"leave it out, or choose by auto"
        )
    return kinds.Combination() if offer == "average" and how == kinds.Auto() else replace(how, offer=offer)
