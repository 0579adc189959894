"""``foldless select``, ``compare`` and ``certify``: choose a model, and write what was asked for."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

import foldless
from foldless import criteria as kinds  # what it names is imported when it is used: help pages need none of it
from foldless import saving, tables
from foldless.cli import _options as options
from foldless.cli._criteria import HELP, parse
from foldless.cli._group import command_as_typed
from foldless.errors import BadInput, PassPool, StoppedEarly

if TYPE_CHECKING:
    from foldless.core import Criterion
    from foldless.judging import EqualRows
    from foldless.selection import Selection
    from foldless.tables import Problem

DRAWN = (
    "{train} has labels that suggest drew or chose to tell more, and a certificate needs labels that were all drawn "
    "alike: leave them out, or read the estimate of foldless select, which weighs each by its probability"
)
PROGRESSIVE = "progressive"
METHODS = (PROGRESSIVE, "semi-supervised-cv")
CONFIDENCE = 0.95
FOLDS, DISAGREEMENT = 5, "draw"  # the defaults of semi_supervised_cv
DISAGREEMENTS = ("draw", "per-fold", "betting", "kl", "bentkus", "hb", "hoeffding", "maurer-pontil")
EQUAL_ROWS = ("either", "draws")
SHARE = click.FloatRange(0, 1, min_open=True, max_open=True)


@click.command()
@options.with_options(
    *options.TASK,
    click.option("--criterion", default="auto", show_default=True, metavar="NAME",
                 help=f"How to choose: {HELP}."),
    click.option("--offer", type=click.Choice(["best", "average"]), show_default="best",
                 help="The model of the criterion auto: the best candidate, or an average of the leading ones."),
    click.option("--estimate/--no-estimate", default=True,
                 help="Estimate the accuracy of the choice on new rows, with up to five more fits of it."),
    *options.MODEL,
)  # fmt: skip
def select(criterion: str, offer: Literal["best", "average"] | None, estimate: bool, **given: Any) -> None:
    """Choose a model for the table TRAIN.

    TRAIN is CSV, TSV, JSON lines, Parquet, Arrow or svmlight; - is standard input.

    Rows of TRAIN without a label join the pool.

    \b
    Example:
      foldless select train.csv --label topic --unlabeled pool.csv --grid C=1e-4:1e3:8
    """
    from sklearn.exceptions import FitFailedWarning

    from foldless.cli import _documents as documents

    how = _offering(parse(criterion), offer)
    problem, candidates, settings = _opened(given)
    if options.only_planned(given, problem, candidates, [how]):
        return
    wanted = problem.X_unlabeled is not None or given["save"] is not None
    with documents.warnings_as_notes(StoppedEarly, FitFailedWarning) as notes:
        search = foldless.FoldlessSearch(candidates, criterion=how, refit=wanted, estimate=estimate, **settings)
        search.fit(problem.X, problem.y, **options.rows(problem), **options.draws(problem))
        labels = _pool_labels(given, problem, search.selection_)
    _finish(given, problem, search.selection_.assuming(problem.assumes), notes, labels)


@click.command()
@options.with_options(
    *options.TASK,
    click.option(
        "--criteria",
        show_default="auto,k-fold,quantification-bound; of numbers repeated-k-fold, not the bound",
        metavar="A,B,...",
        help=f"Ways of choosing: {HELP}.",
    ),
    click.option("--by", metavar="NAME",
                 help="The criterion of --criteria whose choice --save and --predict take; else the first."),
    *options.MODEL,
)  # fmt: skip
def compare(criteria: str | None, by: str | None, **given: Any) -> None:
    """Choose by several criteria at once for the table TRAIN.

    A fit that two of them need is run once.

    \b
    Example:
      foldless compare train.csv --label topic --unlabeled pool.csv --criteria auto,k-fold,quantification-bound
    """
    from foldless.cli import _documents as documents
    from foldless.cli.terminal import _printing as printing
    from foldless.selection.compare import usual

    typed = None if criteria is None else [name.strip() for name in criteria.split(",")]
    if typed is not None:
        _check_ways(typed, by, given)
    problem, candidates, settings = _opened(given)
    typed = typed or [name.replace("_", "-") for name in usual(candidates)]
    ways = [parse(name) for name in typed]
    wanted = _wanted(typed, ways, by, given)
    if options.only_planned(given, problem, candidates, ways):
        return
    with documents.warnings_as_notes(StoppedEarly) as notes:
        comparison = foldless.compare(
            candidates,
            None,
            problem.X,
            problem.y,
            criteria=ways,
            refit=wanted or False,
            **options.rows(problem),
            **options.draws(problem),
            **settings,
        ).assuming(problem.assumes)
        labels = _pool_labels(given, problem, comparison.best(wanted)) if wanted else None
    document = documents.of_comparison(problem, comparison, [*notes, *tables.unlabeled_note(labels)], _written(given))
    if wanted:
        _write_model(given, problem, comparison.best(wanted), labels)
    if given["report"] is not None:
        comparison.report(given["report"], made_by=command_as_typed(), about=problem.describe())
    options.show(document, given, printing.comparison, problem)


@click.command()
@options.with_options(
    *options.TASK,
    click.option("--confidence", type=SHARE, default=CONFIDENCE, show_default=True, metavar="P",
                 help="The probability with which the bound holds."),
    click.option("--method", type=click.Choice(METHODS), show_default=METHODS[0], metavar="NAME",
                 help=f"How to certify a model trained on every label: {' or '.join(METHODS)}."),
    click.option("--folds", type=click.IntRange(min=1), show_default=str(FOLDS), metavar="K",
                 help="Random folds of the labels, of semi-supervised-cv; 1 is a single split."),
    click.option("--disagreement", type=click.Choice(DISAGREEMENTS), show_default=DISAGREEMENT, metavar="NAME",
                 help=f"How semi-supervised-cv uses the pool: {', '.join(DISAGREEMENTS)}."),
    click.option("--equal-rows", type=click.Choice(EQUAL_ROWS), default="either", show_default=True,
                 metavar="NAME", help="What rows of equal content are: copies or separate draws (either), or draws."),
    click.option("--hold-out", type=SHARE, metavar="SHARE",
                 help="Certify by holding out this share of the labels instead. Needs no pool."),
    click.option("--compare-hold-out", type=SHARE, metavar="SHARE",
                 help="Show the certificate by holding out this share too, for one more fit per candidate."),
    *options.MODEL,
)  # fmt: skip
def certify(
    confidence: float,
    method: str | None,
    folds: int | None,
    disagreement: str | None,
    equal_rows: "EqualRows",
    hold_out: float | None,
    compare_hold_out: float | None,
    **given: Any,
) -> None:
    """Choose a model for the table TRAIN, and bound its error.

    The model is trained on every label. Labels and pool together bound how often it is wrong on new rows of the same
    population. The bound holds with the given confidence even though the model was chosen by it. What it assumes is
    printed with it. Fix all options before you look at a result.

    \b
    Example:
      foldless certify train.csv --label topic --unlabeled pool.csv --confidence 0.95
    """
    from sklearn.exceptions import FitFailedWarning

    from foldless.cli import _documents as documents

    how: Criterion
    if hold_out is None:
        how = _method(method, confidence, {"--folds": folds, "--disagreement": disagreement})
        _check_pool(given["train"], given["unlabeled"])
    else:
        _check_hold_out({"--method": method, "--folds": folds, "--disagreement": disagreement,
                         "--compare-hold-out": compare_hold_out})  # fmt: skip
        how = kinds.HoldOut(hold_out, confidence=confidence)
    beside = None if compare_hold_out is None else kinds.HoldOut(compare_hold_out, confidence=confidence)
    problem, candidates, settings = _opened(given)
    if problem.draws is not None:
        raise BadInput(DRAWN.format(train=given["train"]))
    if options.only_planned(given, problem, candidates, [how, *([] if beside is None else [beside])]):
        return
    with documents.warnings_as_notes(StoppedEarly, FitFailedWarning) as notes:
        certificate = foldless.certify(
            candidates, problem.X, problem.y, method=how, compare_with=beside, equal_rows=equal_rows,
            **options.rows(problem), **settings,
        )  # fmt: skip
        labels = _pool_labels(given, problem, certificate.selection)
    _finish(given, problem, certificate.assuming(problem.assumes).selection, notes, labels)


def _offering(how: "Criterion", offer: Literal["best", "average"] | None) -> "Criterion":
    """The criterion that offers what was asked for."""
    if offer is None:
        return how
    if not isinstance(how, kinds.Auto):
        raise BadInput(
            f"--offer is an option of --criterion auto, and the criterion is {how.name.replace('_', '-')}: "
            f"leave it out, or choose by auto"
        )
    return replace(how, offer=offer)


def _method(method: str | None, confidence: float, of_folds: Mapping[str, Any]) -> "Criterion":
    """How to certify a model trained on every label; options of folds choose the method that has folds."""
    typed = [option for option, value in of_folds.items() if value is not None]
    if method == PROGRESSIVE and typed:
        raise BadInput(f"--method {PROGRESSIVE} has no folds: leave out {' and '.join(typed)}, or it")
    if method == PROGRESSIVE or (method is None and not typed):
        return kinds.Progressive(confidence=confidence)
    read: Any = (of_folds["--disagreement"] or DISAGREEMENT).replace("-", "_")
    return kinds.SemiSupervisedCV(of_folds["--folds"] or FOLDS, confidence, read)


def _opened(given: Mapping[str, Any]) -> "tuple[Problem, Any, dict[str, Any]]":
    """The problem, its candidates and the settings. Nothing is written before all that was typed can be used."""
    settings = options.settings(given, {f"--{name}": given[name] for name in ("predict", "save", "report")})
    problem = options.problem(given)
    if given["predict"] is not None and problem.X_unlabeled is None:
        raise BadInput("--predict labels the pool, and there is none", remedy=PassPool())
    if given["predict"] is not None and problem.pool is not None:
        problem.pool.check_free([problem.predicted])
    return problem, options.candidates(given, problem), settings


def _pool_labels(given: Mapping[str, Any], problem: "Problem", selection: "Selection") -> Any:
    from foldless.selection import predict_labels

    if given["predict"] is None or problem.stored:  # such a pool is labeled as it is written
        return None
    return predict_labels(selection.model, problem.X_unlabeled)


def _finish(
    given: Mapping[str, Any], problem: "Problem", selection: "Selection", notes: Sequence[str], labels: Any
) -> None:
    """Write the files that were asked for, and print."""
    from foldless.cli import _documents as documents
    from foldless.cli.terminal import _printing as printing

    document = documents.of_selection(problem, selection, notes, _written(given), tables.unlabeled_note(labels))
    _write_model(given, problem, selection, labels)
    if given["report"] is not None:
        selection.report(given["report"], made_by=command_as_typed(), about=problem.describe())
    options.show(document, given, printing.selection, problem)


def _written(given: Mapping[str, Any]) -> dict[str, str | None]:
    return {"predicted": given["predict"], "saved": given["save"], "report": given["report"]}


def _write_model(given: Mapping[str, Any], problem: "Problem", selection: "Selection", labels: Any) -> None:
    if given["save"] is not None:
        saving.save(selection, given["save"], problem.schema)
    if labels is not None:
        problem.write_pool(given["predict"], labels)
    elif given["predict"] is not None:
        for note in problem.label_pool(given["predict"], selection.model):
            click.echo(f"Note: {note}", err=True)


def _check_ways(typed: "Sequence[str]", by: str | None, given: Mapping[str, Any]) -> None:
    """What is wrong with the names of criteria, before a table is read."""
    ways = [parse(name) for name in typed]
    twice = [way.name for at, way in enumerate(ways) if way in ways[:at]]
    if twice:
        raise BadInput(f"--criteria names {twice[0].replace('_', '-')} twice: name each once")
    _wanted(typed, ways, by, given)


def _wanted(
    typed: "Sequence[str]", ways: "Sequence[Criterion]", by: str | None, given: Mapping[str, Any]
) -> str | None:
    """The criterion whose model is wanted, if any is."""
    used = given["save"] is not None or given["predict"] is not None
    if by is None:
        return ways[0].name if used else None
    if not used:
        raise BadInput("--by says whose choice is saved: add --save or --predict, or leave it out")
    if by not in typed:
        raise BadInput(f"--by names {by!r}, and --criteria are {', '.join(typed)}: name one of these", value=by)
    return ways[typed.index(by)].name


def _check_pool(train: str, unlabeled: str | None) -> None:
    if unlabeled is not None and Path(train).resolve() == Path(unlabeled).resolve():
        raise BadInput(
            f"--unlabeled names {train} itself, and a certificate needs a pool of other rows than the labeled ones: "
            f"name a file of rows that nobody has labeled"
        )


def _check_hold_out(others: Mapping[str, Any]) -> None:
    typed = [option for option, value in others.items() if value is not None]
    if typed:
        raise BadInput(f"--hold-out certifies by the labels held out alone: leave out {' and '.join(typed)}, or it")
