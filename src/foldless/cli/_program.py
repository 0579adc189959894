"""The program; each command is imported when it is called."""

import click

from foldless import __version__
from foldless.cli._group import OneLine

EXAMPLES = """\
foldless select train.csv --label topic --unlabeled pool.csv --save model.skops
foldless predict model.skops new.csv --output predicted.csv
foldless compare train.csv --label topic --unlabeled pool.csv --criteria auto,k-fold,quantification-bound
foldless certify train.csv --label topic --unlabeled pool.csv --confidence 0.95
foldless evaluate model.skops labeled.csv --report evaluation.html
foldless estimate model.skops labeled.csv --unlabeled pool.csv
foldless quantify train.csv --label topic --unlabeled pool.csv
foldless suggest train.csv --label topic --unlabeled pool.csv --output to_label.csv
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
    bound its error.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())
