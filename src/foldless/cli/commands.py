"""The program and its commands; those with much to say have a file of their own."""

from typing import Any

import click

from foldless._version import __version__
from foldless.cli import (
    certifying,
    completion,
    doctor,
    documents,
    options,
    predicting,
    printing,
    running,
    selecting,
    streaming,
)
from foldless.cli import model_catalog as models
from foldless.cli.criteria import HELP, parse
from foldless.cli.group import OneLine, command_as_typed
from foldless.errors import BadInput

EXAMPLES = """\
foldless select train.csv --label topic --unlabeled pool.csv --save model.skops
foldless predict model.skops new.csv --output labeled.csv
foldless compare train.csv --label topic --unlabeled pool.csv --criteria quantification-bound,k-fold
foldless certify train.csv --label topic --unlabeled pool.csv --confidence 0.95
"""


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
    that can read the unlabeled rows, says what the ranking assumes, gives you the best one trained on every label, and
    can bound how often it errs.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


@main.command(short_help="Choose a model by one criterion; label the pool, save the model.")
@options.with_options(
    *options.TASK,
    click.option("--criterion", default="quantification-bound", show_default=True, metavar="NAME",
                 help=f"How to choose: {HELP}."),
    *options.MODEL,
)  # fmt: skip
def select(criterion: str, **given: Any) -> None:
    """Choose a model for the table TRAIN.

    TRAIN is CSV, TSV, JSON lines, Parquet, Arrow or svmlight; - is standard input.

    Rows of TRAIN without a label join the pool.

    \b
    Example:
      foldless select train.csv --label topic --unlabeled pool.csv --grid C=1e-4:1e3:8
    """
    selecting.choose(parse(criterion), given)


@main.command(short_help="Choose by several criteria at once and see them side by side.")
@options.with_options(
    *options.TASK,
    click.option("--criteria", required=True, metavar="A,B,...", help=f"Ways of choosing: {HELP}."),
    options.REPORT,
)
def compare(criteria: str, report: str | None, as_json: bool, **given: Any) -> None:
    """Choose by several criteria at once for the table TRAIN.

    A fit that two of them need is run once.

    \b
    Example:
      foldless compare train.csv --label topic --unlabeled pool.csv --criteria quantification-bound,k-fold
    """
    how = [parse(name.strip()) for name in criteria.split(",")]
    twice = [one.name for at, one in enumerate(how) if one in how[:at]]
    if twice:
        raise BadInput(f"--criteria names {twice[0].replace('_', '-')} twice: name each once")
    settings = options.settings(given, {"--report": report})
    problem = options.problem(given)
    candidates = models.candidates(given["names"], given["grid"], problem.columns, problem.views)
    run = running.contrast(problem, candidates, how, settings)
    document = documents.of_comparison(problem, run, {"report": report})
    if report is not None:
        run.result.report(report, made_by=command_as_typed(), about=documents.about(document))
    options.show(document, as_json, printing.comparison, settings)


main.add_command(certifying.certify)
main.add_command(predicting.predict)
main.add_command(streaming.stream)
main.add_command(doctor.doctor)
main.add_command(completion.completion)
completion.teach(main)
