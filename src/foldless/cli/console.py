"""Results on the terminal: sentences, tables, and numbers that can be compared.

On a terminal as wide as it is; into a file or a pipe without color, and wide enough that no name is broken.
"""

import sys
from collections.abc import Mapping, Sequence
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from foldless.core.host.terminal import printable

PIPE_WIDTH = 200
MOST_ROWS = 30
RIGHT = {
    "rank", "score", "error at most", "by labels", "by pool", "confidence", "test accuracy", "test error", "macro F1",
    "regret", "fits", "seconds", "threads",
}  # fmt: skip


class Screen:
    """Standard output; what is read from files is never taken for markup."""

    def __init__(self) -> None:
        terminal = Console(file=sys.stdout)
        piped = Console(file=sys.stdout, width=PIPE_WIDTH, no_color=True)
        self.console = terminal if terminal.is_terminal else piped

    def say(self, sentence: str, style: str = "") -> None:
        self.console.print(Text(printable(sentence), style=style), soft_wrap=True)

    def note(self, sentence: str) -> None:
        self.say(f"Note: {sentence}", style="yellow")

    def table(self, columns: Mapping[str, Sequence[str]], bold: int | None = None) -> None:
        """The columns that have something in them."""
        shown = {title: cells for title, cells in columns.items() if any(cells)}
        table = Table(box=box.SIMPLE, header_style="dim", pad_edge=False)
        for title in map(printable, shown):
            wraps = title == "notes"
            table.add_column(title, justify="right" if title in RIGHT else "left", no_wrap=not wraps, overflow="fold")
        rows = list(zip(*shown.values(), strict=True))
        for at, row in enumerate(rows[:MOST_ROWS]):
            table.add_row(*(Text(printable(cell), style="bold" if at == bold else "") for cell in row))
        self.console.print(table)
        if len(rows) > MOST_ROWS:
            self.say(f"and {len(rows) - MOST_ROWS} more, which --json lists")


def number(value: float | None, digits: int = 4) -> str:
    """A number with so many decimals; a dash for none."""
    if value is None:
        return "–"
    return str(value) if isinstance(value, int) else f"{value:.{digits}f}"


def named(model: str, params: Mapping[str, Any]) -> str:
    """A candidate in a sentence."""
    return " with ".join(filter(None, [model, typed(params)]))


def typed(params: Mapping[str, Any]) -> str:
    """Parameters as they are typed."""
    return ", ".join(
        f"{key}={value:g}" if isinstance(value, float) else f"{key}={value}" for key, value in params.items()
    )


def dashed(name: str) -> str:
    """A criterion as it is typed."""
    return name.replace("_", "-")
