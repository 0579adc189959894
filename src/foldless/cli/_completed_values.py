"""What a shell completes: files, criteria, and the columns, tables and sheets of the file named before.

How a parameter completes depends on its name and on what help pages call its value, so an option that several
commands share completes alike.
"""

import shlex
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

READING = "foldless.reading"  # where a context keeps what was typed about the files
OF_COLUMNS = "COL"  # how help pages call the value of an option that names a column


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
        return [
            CompletionItem(name)
            for name in self._names(ctx)
            if name.startswith(incomplete) and shlex.quote(name) == name
        ]

    def _names(self, ctx: click.Context) -> list[str]:
        from foldless.cli._seen_columns import columns

        file = _file(ctx)
        return [] if file is None else columns(file, ctx.meta.get(READING, {}))


class _Columns(_Column):
    """Columns of that table, with commas between."""

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """The names that begin like what stands behind the last comma."""
        before, comma, last = incomplete.rpartition(",")
        return [CompletionItem(f"{before}{comma}{item.value}") for item in super().shell_complete(ctx, param, last)]


class _Table(_Column):
    """A table of the database that was named before."""

    def _names(self, ctx: click.Context) -> list[str]:
        from foldless.cli._seen_columns import tables

        file = _file(ctx)
        return [] if file is None else tables(file)


class _Sheet(_Column):
    """A sheet of the spreadsheet that was named before."""

    def _names(self, ctx: click.Context) -> list[str]:
        from foldless.cli._seen_columns import sheets

        file = _file(ctx)
        return [] if file is None else sheets(file)


def _file(ctx: click.Context) -> Path | None:
    """The table that was typed first."""
    typed = ctx.params.get("train") or next(iter(ctx.params.get("files") or ctx.args), None)
    return Path(typed) if isinstance(typed, str) else None


TYPES: Mapping[str, Callable[[], Any]] = {
    **dict.fromkeys(("train", "unlabeled", "test", "journal", "predict", "save", "report"), click.Path),
    "views": _Columns,
    "of_database": _Table,
    "sheet": _Sheet,
    **dict.fromkeys(("criterion", "criteria"), _Criteria),
}


def teach(command: click.Command) -> None:
    """Give the parameters of a command the types by which they complete; their values stay strings."""
    if isinstance(command, click.Group):
        for each in command.commands.values():
            teach(each)
    for param in command.params:
        kind = _Column if getattr(param, "metavar", None) == OF_COLUMNS else TYPES.get(param.name or "")
        if kind is not None and isinstance(param.type, click.types.StringParamType):
            param.type = kind()
