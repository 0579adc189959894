"""Text from files on a terminal: what would move the cursor, change the title or turn text around is spelled out."""

import re
import shutil
import sys
from typing import TextIO

import click

from foldless.cli._remedies import worded

CONTROL = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)


def printable(text: str) -> str:
    """Text in which control characters are written as Python writes them; tabs and line breaks stay.

    >>> printable("a\\x1b[2Jb")
    'a\\\\x1b[2Jb'
    """
    return CONTROL.sub(lambda match: match[0].encode("unicode_escape").decode(), text)


class PrintableFile:
    """A text file that takes text, or bytes of it; on a terminal they are made printable."""

    def __init__(self, file: TextIO):
        self._file, self._shown = file, file.isatty()

    def write(self, content: str | bytes) -> int:
        if self._shown:
            text = content if isinstance(content, str) else content.decode(errors="replace")
            return self._file.write(printable(text.replace("\r\n", "\n")))
        return self._file.write(content) if isinstance(content, str) else self._file.buffer.write(content)


def note(sentence: str) -> None:
    """Show a sentence about the data on standard error, beside the result."""
    sys.stdout.flush()  # what was printed before it comes first
    show_error(f"Note: {printable(worded(sentence))}")


def show_error(text: str) -> None:
    """Write to standard error; a terminal would break words."""
    if sys.stderr.isatty():
        from foldless.cli.terminal._layout import wrapped

        text = "\n".join(wrapped(text, shutil.get_terminal_size().columns))
    click.echo(text, err=True)
