"""``foldless check``: what is wrong with files, and how much it matters."""

from typing import Any

import click

from foldless import tables  # what it names is imported when it is used: help pages need none of it
from foldless.cli import _options as options
from foldless.cli import _time_budget as time_budget
from foldless.cli._group import command_as_typed
from foldless.cli.terminal._interrupts import ends_quietly


@click.command()
@options.with_options(
    click.argument("train"),
    click.option("--label", metavar="COL",
                 help="The column of TRAIN that holds the classes, or numbers; svmlight files need none."),
    options.POOL,
    click.option("--test", metavar="FILE", help="Labeled rows that a model is to be tested on."),
    options.DROP,
    options.KEEP,
    click.option("--groups", metavar="COL",
                 help="The column of groups of rows that belong together, such as those of one patient."),
    options.CLASSES_OR_NUMBERS,
    options.MERGE_LABELS,
    options.MINUS_ONE,
    *options.FORMAT,
    options.POOL_SAMPLE,
    click.option("--ignore", multiple=True, metavar="CODE", callback=options.one_by_one,
                 help="A check to leave out, such as FL021; may be repeated."),
    click.option("--fast", is_flag=True, help="Make only the checks that need no model, and do not say how much "
                                              "findings matter."),
    click.option("--time-budget", **time_budget.OPTION, callback=time_budget.counted, default=20.0, show_default=True,
                 help="The time for the fits that measure how much findings matter. If you pass it, the whole command "
                      "ends after about this time, and skips checks that take longer."),
    options.SEED,
    click.option("--verbose", "-v", is_flag=True,
                 help="Also print rows, columns and intervals of each finding, the checks that found nothing, and why "
                      "others do not apply."),
    options.REPORT,
    options.JSON,
)  # fmt: skip
def check(train: str, report: str | None, verbose: bool, as_json: bool, seed: int, **typed: Any) -> None:
    """Say what is wrong with TRAIN, the pool and the test rows, and how much it matters.

    An issue changes a number that you act on; everything else is a tip. How much it matters is measured by the accuracy
    of a cheap model with and without the rows or columns in question. Files are never changed.

    \b
    Examples:
      foldless check train.csv --label topic --unlabeled pool.csv
      foldless check train.csv --label topic --fast --ignore FL015
    """
    with ends_quietly():
        from foldless.cli import _documents as documents
        from foldless.cli._outputs import check_outputs
        from foldless.cli.terminal import _checked as checked

    inputs = [path for path in (train, typed["unlabeled"], typed["test"]) if path is not None]
    check_outputs({"--report": report}, inputs)
    with documents.warnings_as_notes():
        findings = tables.check_files(train, random_state=seed, **typed)
    time_budget.answered()
    findings = checked.with_options(findings)
    if report is not None:
        findings.report(report, made_by=command_as_typed())
    if as_json:
        documents.print_json({**findings.to_dict(), "report": report})
    else:
        checked.findings(findings, verbose=verbose, report=report)
