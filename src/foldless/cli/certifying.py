"""``foldless certify``: choose a model and say how wrong it can be, in one go.

The model has every label. The usual alternative, a bound from labels held out, can take its place or stand beside it.
"""

from pathlib import Path
from typing import Any, get_args

import click

from foldless.cli import options
from foldless.cli.selecting import choose
from foldless.core import Criterion
from foldless.criteria import HoldOut, SemiSupervisedCV
from foldless.criteria.semi_supervised_cv import Disagreement
from foldless.errors import BadInput
from foldless.selection.certify import USUAL

DISAGREEMENTS = [name.replace("_", "-") for name in get_args(Disagreement)]
PART = click.FloatRange(0, 1, min_open=True, max_open=True)
DEFAULTS = SemiSupervisedCV()


@click.command(short_help="Choose a model and bound its error, without holding labels out.")
@options.with_options(
    *options.TASK,
    click.option("--confidence", type=PART, default=USUAL, show_default=True, metavar="P",
                 help="The probability with which the bound holds."),
    click.option("--folds", type=click.IntRange(min=1), show_default=str(DEFAULTS.k), metavar="K",
                 help="Random folds of the labels; 1 is a single split."),
    click.option("--disagreement", type=click.Choice(DISAGREEMENTS), show_default=DEFAULTS.disagreement, metavar="NAME",
                 help=f"How the pool is read: {', '.join(DISAGREEMENTS)}."),
    click.option("--hold-out", type=PART, metavar="SHARE",
                 help="Certify the usual way instead: hold this share of the labels out. Needs no pool."),
    click.option("--compare-hold-out", type=PART, metavar="SHARE",
                 help="Show that certificate beside the other, for one more fit per candidate."),
    *options.MODEL,
)  # fmt: skip
def certify(
    confidence: float,
    folds: int | None,
    disagreement: str | None,
    hold_out: float | None,
    compare_hold_out: float | None,
    **given: Any,
) -> None:
    """Choose a model for the table TRAIN, and bound its error.

    The model is trained on every label. Labels and pool together bound how often it errs on new rows of the same
    population; the bound holds with the confidence asked for, also though the model was chosen by it. What must be true
    for that is printed with it. Settle for all options before you look at a result.

    \b
    Example:
      foldless certify train.csv --label topic --unlabeled pool.csv --confidence 0.95
    """
    bound: Criterion
    if hold_out is None:
        bound = SemiSupervisedCV(
            DEFAULTS.k if folds is None else folds,
            confidence,
            DEFAULTS.disagreement if disagreement is None else _known(disagreement),
        )
        _check_pool(given["train"], given["unlabeled"])
    else:
        _check_hold_out({"--folds": folds, "--disagreement": disagreement, "--compare-hold-out": compare_hold_out})
        bound = HoldOut(hold_out, confidence=confidence)
    beside = None if compare_hold_out is None else HoldOut(compare_hold_out, confidence=confidence)
    choose(bound, given, beside=beside, keep=True)


def _known(typed: str) -> Disagreement:
    return next(name for name in get_args(Disagreement) if name == typed.replace("-", "_"))


def _check_pool(train: str, unlabeled: str | None) -> None:
    if unlabeled is not None and Path(train).resolve() == Path(unlabeled).resolve():
        raise BadInput(
            f"--unlabeled names {train} itself, and a certificate needs a pool of other rows than the labeled ones: "
            f"name a file of rows that nobody has labeled"
        )


def _check_hold_out(others: dict[str, Any]) -> None:
    typed = [option for option, value in others.items() if value is not None]
    if typed:
        raise BadInput(f"--hold-out certifies by the labels held out alone: leave out {' and '.join(typed)}, or it")
