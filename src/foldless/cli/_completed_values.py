"""What a shell completes: files, criteria, and the columns, tables and sheets of the file named before.

How a parameter completes depends on its name and on what help pages call its value, so an option that several
commands share completes alike.
"""

import shlex
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import click
from click.shell_completion import CompletionItem

READING = "foldless.reading"  # where a context keeps what was typed about the files
OF_COLUMNS = "COL"  # how help pages call the value of an option that names a column


class _Names(click.types.StringParamType):
    """Names that depend on what was typed before; of those that are ``several``, with commas between, the last one."""

    def __init__(self, names: Callable[[click.Context], Iterable[str]], *, several: bool = False):
        self._names, self._several = names, several

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG002 (click's)
        """The names that begin like what is typed; none where they cannot be known, as of a damaged file."""
        before, comma, last = incomplete.rpartition(",") if self._several else ("", "", incomplete)
        try:
            return [CompletionItem(f"{before}{comma}{name}") for name in self._names(ctx) if name.startswith(last)]
        except Exception:  # also those of packages that are not installed
            return []


def _criteria(_: click.Context) -> list[str]:
    from foldless.cli._criteria import NAMES

    return NAMES


def _seen(read: Callable[[ModuleType, Path, Mapping[str, str]], list[str]]) -> Callable[[click.Context], list[str]]:
    """What is read by `foldless.cli._seen_columns` in the table that was named before, but for what needs quotes."""

    def names(ctx: click.Context) -> list[str]:
        from foldless.cli import _seen_columns

        first = ctx.params.get("train") or next(iter(ctx.params.get("files") or ctx.args), None)
        file = Path(first) if isinstance(first, str) else None
        seen = [] if file is None else read(_seen_columns, file, ctx.meta.get(READING, {}))
        return [name for name in seen if shlex.quote(name) == name]

    return names


COLUMNS = _seen(lambda seen, file, options: seen.columns(file, options))
TYPES: Mapping[str, Any] = {
    **dict.fromkeys(("train", "unlabeled", "test", "journal", "predict", "save", "report"), click.Path()),
    "views": _Names(COLUMNS, several=True),
    "of_database": _Names(_seen(lambda seen, file, _: seen.tables(file))),
    "sheet": _Names(_seen(lambda seen, file, _: seen.sheets(file))),
    **dict.fromkeys(("criterion", "criteria"), _Names(_criteria, several=True)),
}


def teach(command: click.Command) -> None:
    """Give the parameters of a command the types by which they complete; their values stay strings."""
    if isinstance(command, click.Group):
        for each in command.commands.values():
            teach(each)
    for param in command.params:
        kind = _Names(COLUMNS) if getattr(param, "metavar", None) == OF_COLUMNS else TYPES.get(param.name or "")
        if kind is not None and isinstance(param.type, click.types.StringParamType):
            param.type = kind
