"""Shell completion: click's own, which also knows files, criteria and the columns of the table named before.

How a parameter completes depends on its name only, so an option that several commands share completes alike.
"""

import csv
import os
import shlex
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem, get_completion_class

from foldless.errors import BadInput

SHELLS = ("bash", "zsh", "fish")
MARKS = {".csv": ",", ".tsv": "\t", ".tab": "\t"}
VARIABLE = "_FOLDLESS_COMPLETE"


@click.command()
@click.argument("shell", required=False, metavar="[bash|zsh|fish]")
@click.pass_context
def completion(context: click.Context, shell: str | None) -> None:
    """Print the script that completes commands, options, files and columns in a shell.

    Without a name it is for the shell of $SHELL.

    \b
    Examples:
      foldless completion bash >> ~/.bashrc
      foldless completion zsh >> ~/.zshrc
      foldless completion fish > ~/.config/fish/completions/foldless.fish
    """
    named = shell or Path(os.environ.get("SHELL", "")).name
    script_of = get_completion_class(named) if named in SHELLS else None
    if script_of is None:
        raise BadInput(f"there is no completion for the shell {named!r}: name one of {', '.join(SHELLS)}")
    click.echo(script_of(context.find_root().command, {}, "foldless", VARIABLE).source())


class Criteria(click.types.StringParamType):
    """Names of criteria, several of them with commas between."""

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG002 (click's)
        """The names that begin like what stands behind the last comma."""
        from foldless.cli._criteria import NAMES

        before, comma, last = incomplete.rpartition(",")
        return [CompletionItem(f"{before}{comma}{name}") for name in NAMES if name.startswith(last)]


class Column(click.types.StringParamType):
    """A column of the table that was named before."""

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG002 (click's)
        """The names in the header that need no quotes in a shell."""
        table = ctx.params.get("train") or next(iter(ctx.args), None)
        names = [] if table is None else _header(Path(table))
        return [CompletionItem(name) for name in names if name.startswith(incomplete) and shlex.quote(name) == name]


class Columns(Column):
    """Columns of that table, with commas between."""

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """The names that begin like what stands behind the last comma."""
        before, comma, last = incomplete.rpartition(",")
        return [CompletionItem(f"{before}{comma}{item.value}") for item in super().shell_complete(ctx, param, last)]


TYPES: Mapping[str, Callable[[], Any]] = {
    **dict.fromkeys(("train", "unlabeled", "test", "journal", "predict", "save", "report"), click.Path),
    **dict.fromkeys(("label", "drop", "text", "categorical"), Column),
    "views": Columns,
    **dict.fromkeys(("criterion", "criteria"), Criteria),
}


def teach(command: click.Command) -> None:
    """Give the parameters of a command the types by which they complete; their values stay strings."""
    if isinstance(command, click.Group):
        for each in command.commands.values():
            teach(each)
    for param in command.params:
        if param.name in TYPES and isinstance(param.type, click.types.StringParamType):
            param.type = TYPES[param.name]()


def _header(path: Path) -> list[str]:
    """The columns of a table; none where that is not plain to see, for nobody wants a message while typing."""
    try:
        if path.suffix.lower() in (".parquet", ".pq"):
            import pyarrow.parquet

            return list(pyarrow.parquet.read_schema(path).names)
        if path.suffix.lower() not in MARKS:
            return []
        with path.open(encoding="utf-8-sig", newline="") as file:
            return next(csv.reader(file, delimiter=MARKS[path.suffix.lower()]), [])
    except Exception:
        return []
