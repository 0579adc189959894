"""What a shell completes: files, criteria, and the columns of the table named before.

How a parameter completes depends on its name only, so an option that several commands share completes alike.
"""

import csv
import shlex
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

TEXTS = (".csv", ".tsv", ".tab")


class _Criteria(click.types.StringParamType):
    """Names of criteria, several of them with commas between."""

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG002 (click's)
        """The names that begin like what stands behind the last comma."""
        from foldless.cli._criteria import NAMES

        before, comma, last = incomplete.rpartition(",")
        return [CompletionItem(f"{before}{comma}{name}") for name in NAMES if name.startswith(last)]


class _Column(click.types.StringParamType):
    """A column of the table that was named before."""

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG002 (click's)
        """The names in the header that need no quotes in a shell."""
        table = ctx.params.get("train") or next(iter(ctx.args), None)
        names = [] if table is None else _header(Path(table))
        return [CompletionItem(name) for name in names if name.startswith(incomplete) and shlex.quote(name) == name]


class _Columns(_Column):
    """Columns of that table, with commas between."""

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """The names that begin like what stands behind the last comma."""
        before, comma, last = incomplete.rpartition(",")
        return [CompletionItem(f"{before}{comma}{item.value}") for item in super().shell_complete(ctx, param, last)]


TYPES: Mapping[str, Callable[[], Any]] = {
    **dict.fromkeys(("train", "unlabeled", "test", "journal", "predict", "save", "report"), click.Path),
    **dict.fromkeys(("label", "drop", "text", "categorical", "keep", "groups"), _Column),
    "views": _Columns,
    **dict.fromkeys(("criterion", "criteria"), _Criteria),
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
        if path.suffix.lower() not in TEXTS:
            return []
        with path.open(encoding="utf-8-sig", newline="") as file:
            line = file.readline()
        return next(csv.reader([line], delimiter=max(",;\t|", key=line.count)), [])
    except Exception:
        return []
