"""The program and its commands; those with much to say have a file of their own."""

from typing import Any

import click

from foldless import __version__
from foldless import compare as compared
from foldless.cli import completion, doctor, documents, options, predicting, printing, selecting, streaming
from foldless.cli.criteria import HELP, parse
from foldless.cli.group import OneLine, command_as_typed
from foldless.errors import BadInput, StoppedEarly

EXAMPLES = """\
foldless select train.csv --label topic --unlabeled pool.csv --save model.skops
foldless predict model.skops new.csv --output labeled.csv
foldless compare train.csv --label topic --unlabeled pool.csv --criteria auto,k-fold,quantification-bound
foldless certify train.csv --label topic --unlabeled pool.csv --confidence 0.95
foldless estimate model.skops labeled.csv --unlabeled pool.csv
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
    that can read the unlabeled rows, says what the ranking assumes, trains the best of them on every label, and can
    bound how often it is wrong.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


@click.command(short_help="Choose by several criteria at once and see them side by side.")
@options.with_options(
    *options.TASK,
    click.option(
        "--criteria",
        default="auto,k-fold,quantification-bound",
        show_default=True,
        metavar="A,B,...",
        help=f"Ways of choosing: {HELP}.",
    ),
    options.REPORT,
)
def compare(criteria: str, report: str | None, **given: Any) -> None:
    """Choose by several criteria at once for the table TRAIN.

    A fit that two of them need is run once.

    \b
    Example:
      foldless compare train.csv --label topic --unlabeled pool.csv --criteria auto,k-fold,quantification-bound
    """
    ways = [parse(name.strip()) for name in criteria.split(",")]
    twice = [way.name for at, way in enumerate(ways) if way in ways[:at]]
    if twice:
        raise BadInput(f"--criteria names {twice[0].replace('_', '-')} twice: name each once")
    settings = options.settings(given, {"--report": report})
    problem = options.problem(given)
    candidates = options.candidates(given, problem)
    with documents.warnings_as_notes(StoppedEarly) as notes:
        comparison = compared(
            candidates, None, problem.X, problem.y, criteria=ways, **options.rows(problem), **settings
        ).assuming(problem.assumes)
    document = documents.of_comparison(problem, comparison, notes, {"report": report})
    if report is not None:
        comparison.report(report, made_by=command_as_typed(), about=problem.describe())
    options.show(document, given, printing.comparison, problem)


for command in (
    selecting.select,
    compare,
    selecting.certify,
    predicting.predict,
    predicting.estimate,
    streaming.stream,
    doctor.doctor,
    completion.completion,
):
    main.add_command(command)
completion.teach(main)
