"""``foldless stream``: learn from rows that are read once, and estimate class shares of rows as they come."""

import click

from foldless.cli.commands.stream_shares import shares
from foldless.cli.commands.stream_train import train

EXAMPLES = """\
Examples:
  foldless stream train --label spam day1.parquet day2.parquet --save model.skops
  foldless stream shares --model model.skops day3.parquet --window 10000
"""


@click.group(epilog=f"\b\n{EXAMPLES}")
def stream() -> None:
    """Learn from rows that are read once, in constant memory, and estimate class shares of rows as they come.

    A stream is CSV, TSV or Parquet files one after the other, folders of Parquet, or - for standard input. An invalid
    row is reported with its number; it stops the run, or is skipped with --on-error skip.
    """


stream.add_command(train)
stream.add_command(shares)
