"""``foldless certify``: choose a model, and bound its error."""

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

import foldless
from foldless import criteria as kinds  # what it names is imported when it is used: help pages need none of it
from foldless.cli import _choosing as choosing
from foldless.cli import _options as options
from foldless.cli.terminal._interrupts import ends_quietly
from foldless.errors import BadInput, StoppedEarly

if TYPE_CHECKING:
    from foldless.core import Criterion
    from foldless.judging import EqualRows

DRAWN = (
    "{train} has labels that suggest drew with unequal probabilities or selected non-randomly, and a certificate "
    "needs labels that were all drawn with equal probability: leave them out, or read the estimate of foldless "
    "select, which weights each label by its probability"
)
PROGRESSIVE = "progressive"
METHODS = (PROGRESSIVE, "semi-supervised-cv")
FOLDS, DISAGREEMENT = 5, "draw"  # the defaults of semi_supervised_cv
DISAGREEMENTS = ("draw", "per-fold", "betting", "kl", "bentkus", "hb", "hoeffding", "maurer-pontil")
EQUAL_ROWS = ("either", "draws")


@click.command()
@options.with_options(
    *options.TASK,
    options.confidence_of(help="The probability with which the bound holds."),
    click.option("--method", type=click.Choice(METHODS), show_default=METHODS[0], metavar="NAME",
                 help=f"How to certify: {' or '.join(METHODS)}."),
    click.option("--refit", is_flag=True,
                 help="Train the model of progressive on every label. Needs a pool, and the bound is wider."),
    click.option("--folds", type=click.IntRange(min=1), show_default=str(FOLDS), metavar="K",
                 help="The number of random folds of semi-supervised-cv; 1 is a single split."),
    click.option("--disagreement", type=click.Choice(DISAGREEMENTS), show_default=DISAGREEMENT, metavar="NAME",
                 help=f"How semi-supervised-cv uses the pool: {', '.join(DISAGREEMENTS)}."),
    click.option("--equal-rows", type=click.Choice(EQUAL_ROWS), default="either", show_default=True,
                 metavar="NAME",
                 help="What rows with equal values are: separate draws (draws), or perhaps copies (either), where the "
                      "bound holds in both cases."),
    click.option("--hold-out", type=options.SHARE, metavar="SHARE",
                 help="Certify by holding out this share of the labels instead. Needs no pool."),
    click.option("--compare-hold-out", type=options.SHARE, metavar="SHARE",
                 help="Also show the certificate by holding out this share, for one more fit per candidate."),
    *options.SCORING,
    *options.MODEL,
)  # fmt: skip
def certify(
    confidence: float,
    method: str | None,
    refit: bool,
    folds: int | None,
    disagreement: str | None,
    equal_rows: "EqualRows",
    hold_out: float | None,
    compare_hold_out: float | None,
    **typed: Any,
) -> None:
    """Choose a model for the table TRAIN, and bound its error.

    The model is chosen and trained on seven tenths of the labels; the others bound how often it is wrong on new rows of
    the same population. The bound holds with the given confidence although the model was chosen, and is printed with
    what it assumes. Fix all options before you look at a result.

    With --refit, and with --method semi-supervised-cv, the model is trained on every label; then a part of the bound
    comes from the pool.

    Without --model the candidates are those models of the portfolio that need no pool, and the best one is certified.

    \b
    Example:
      foldless certify train.csv --label topic --unlabeled pool.csv --confidence 0.95
    """
    with ends_quietly():
        from sklearn.exceptions import FitFailedWarning

        from foldless.cli import _documents as documents

    _check_metric(typed["scoring"])
    how: Criterion
    if hold_out is None:
        how = _method(method, confidence, refit, {"--folds": folds, "--disagreement": disagreement})
        train, unlabeled = typed["train"], typed["unlabeled"]
        if unlabeled is not None and os.path.realpath(train) == os.path.realpath(unlabeled):
            raise BadInput(
                f"--unlabeled names {train} itself, and a certificate needs a pool of other rows than the labeled "
                f"ones: name a file of rows that nobody has labeled"
            )
    else:
        _check_hold_out({"--method": method, "--refit": refit or None, "--folds": folds,
                         "--disagreement": disagreement, "--compare-hold-out": compare_hold_out})  # fmt: skip
        how = kinds.HoldOut(hold_out, confidence=confidence)
    beside = None if compare_hold_out is None else kinds.HoldOut(compare_hold_out, confidence=confidence)
    typed["by_default"] = options.is_by_default(typed)
    problem, candidates, settings = choosing.opened(typed, pool_teaches=False)
    if problem.regression:
        raise BadInput(
            f"certify bounds the error of classifiers, and {problem.label!r} holds numbers: take them as classes with "
            "--task classification, or see R² with its interval by foldless select"
        )
    if problem.draws is not None:
        raise BadInput(DRAWN.format(train=typed["train"]))
    if hold_out is None and problem.groups is not None and problem.groups.pool is None:
        raise BadInput(
            f"the pool has no column {typed['groups']!r}, and a certificate counts groups in labels and pool: add it, "
            f"or certify by --hold-out"
        )
    if options.only_planned(typed, problem, candidates, [how, *([] if beside is None else [beside])]):
        return
    with documents.warnings_as_notes(StoppedEarly, FitFailedWarning) as notes:
        certificate = foldless.certify(
            candidates, problem.X, problem.y, method=how, compare_with=beside, equal_rows=equal_rows,
            **options.rows(problem), **settings,
        )  # fmt: skip
        answers, sentences = choosing.pool_answers(typed, problem, certificate.selection)
    selection = certificate.assuming(problem.assumes).selection
    choosing.finish(typed, problem, selection, [*notes, *sentences], answers)


def _check_metric(named: Sequence[str]) -> None:
    """Refuse what no certificate bounds."""
    other = next((name for name in named if name != "accuracy"), None)
    if other is not None:
        raise BadInput(
            f"a certificate bounds the share of wrong labels, 1 − accuracy, and there is no such bound of {other}: "
            f"leave --scoring out, or see {other} with its interval by foldless select --scoring {other}",
            value=other,
        )


def _method(method: str | None, confidence: float, refit: bool, of_folds: Mapping[str, Any]) -> "Criterion":
    """How to certify; options of folds choose the method that has folds."""
    named = [option for option, value in of_folds.items() if value is not None]
    if named and (method == PROGRESSIVE or refit):
        typed = f"--method {PROGRESSIVE}" if method == PROGRESSIVE else "--refit"
        raise BadInput(
            f"{typed} does not go with options of semi-supervised-cv: leave out {' and '.join(named)}, or {typed}"
        )
    if method not in (None, PROGRESSIVE) and refit:
        raise BadInput(f"--method {method} trains its model on every label anyway: leave out --refit")
    if method == PROGRESSIVE or (method is None and not named):
        return kinds.Progressive(confidence=confidence, refit=refit)
    read: Any = (of_folds["--disagreement"] or DISAGREEMENT).replace("-", "_")
    return kinds.SemiSupervisedCV(of_folds["--folds"] or FOLDS, confidence, read)


def _check_hold_out(others: Mapping[str, Any]) -> None:
    named = [option for option, value in others.items() if value is not None]
    if named:
        raise BadInput(
            f"--hold-out certifies by the labels held out alone: leave out {' and '.join(named)}, or --hold-out"
        )
