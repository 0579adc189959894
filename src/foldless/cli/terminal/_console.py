"""Results on the terminal: sentences, tables, and numbers that can be compared.

On a terminal as wide as it is, without cutting a number; into a file or a pipe without color, and wide enough for most.
"""

import sys
from collections.abc import Mapping, Sequence
from typing import Any, TextIO

from rich.console import Console
from rich.text import Text

from foldless.cli.terminal import _layout as layout
from foldless.cli.terminal._printable import printable
from foldless.results import criterion_in_words

PIPE_WIDTH = 200
MAX_ROWS = 30
BESIDE_MEMBERS = 12  # rows of a ranking, where the members of an average have a table of their own

WRITTEN = {
    "predicted": "The pool with its predicted labels is",
    "saved": "The chosen model is",
    "picture": "A picture is",
    "report": "A report is",
}


class Screen:
    """Standard output, or another stream; what is read from files is never taken for markup."""

    def __init__(self, file: TextIO | None = None) -> None:
        file = sys.stdout if file is None else file
        terminal = Console(file=file)
        piped = Console(file=file, width=PIPE_WIDTH, no_color=True)
        self.console = terminal if terminal.is_terminal else piped

    def say(self, *sentences: str, style: str = "") -> None:
        """Sentences below each other; on a terminal their lines end between words."""
        for sentence in sentences:
            self.line(sentence, style, wraps=self.console.is_terminal)

    def line(self, text: str, style: str = "", wraps: bool = False) -> None:
        text = printable(text)
        lines = layout.wrapped(text, self.console.width) if wraps else [text]
        for line in lines:
            self.console.print(Text(line, style=style), soft_wrap=True)

    def note(self, *sentences: str) -> None:
        self.say(*(f"Note: {sentence}" for sentence in sentences), style="yellow")

    def listed(self, title: str, sentences: Sequence[str]) -> None:
        self.say(title, *(f"  - {sentence}" for sentence in sentences))

    def written(self, document: Mapping[str, Any]) -> None:
        """The files that a document names."""
        for key, what in WRITTEN.items():
            if document.get(key):
                self.say(f"{what} in {document[key]}")

    def table(
        self, columns: Mapping[str, Sequence[str]], bold: int | None = None, max_rows: int = MAX_ROWS
    ) -> Sequence[str]:
        """The columns that have something in them, as wide as the terminal allows; returns those that are left out."""
        shown = {
            printable(title): [printable(cell) for cell in cells[:max_rows]]
            for title, cells in columns.items()
            if any(cells)
        }
        fitted = layout.fitted(shown, self.console.width)
        for line in layout.lines(fitted, self.console.width):
            framed = line.row is None or line.note
            self.line(line.text.replace(layout.WHOLE, " "), "dim" if framed else "bold" if line.row == bold else "")
        if fitted.left_out:
            self.say(f"Columns not shown at this width: {', '.join(fitted.left_out)}", style="dim")
        rows = max(map(len, columns.values()), default=0)
        if rows > max_rows:
            self.say(f"and {rows - max_rows} more, which --json lists")
        return fitted.left_out


def number(value: float | None, digits: int = 4) -> str:
    """A number with so many decimals; a dash for none."""
    if value is None:
        return "–"
    return str(value) if isinstance(value, int) else f"{value:.{digits}f}"


def whole(text: str) -> str:
    """A text in a table that is never broken into two lines."""
    return text.replace(" ", layout.WHOLE)


def named(model: str, params: Mapping[str, Any]) -> str:
    """A candidate in a sentence."""
    return " with ".join(filter(None, [model, typed(params)]))


def typed(params: Mapping[str, Any]) -> str:
    return ", ".join(
        f"{key}={value:g}" if isinstance(value, float) else f"{key}={value}" for key, value in params.items()
    )


def dashed(name: str) -> str:
    """A criterion as it is typed; the measure it chooses by is said behind it, in words."""
    return criterion_in_words(name).replace("_", "-")
