"""Help pages whose lines end between words, and whose examples can be copied at any width.

Names such as ``linear-svc`` are never broken. On a terminal, an example that is wider than it continues behind ``\\``.
"""

import sys
import textwrap
from collections.abc import Iterable, Iterator

import click

UNWRAPPED = "\b\n"  # click's mark of a paragraph whose lines stay as they are


class HelpPage(click.HelpFormatter):
    """Click's pages, with whole words."""

    def write_text(self, text: str) -> None:
        """Paragraphs below each other; those that are marked keep their lines."""
        indent = " " * self.current_indent
        paragraphs = []
        for paragraph in text.split("\n\n"):
            if paragraph.startswith(UNWRAPPED):
                kept = paragraph.removeprefix(UNWRAPPED).splitlines()
                lines = [part for line in kept for part in command_lines(indent + line, self.width)]
            else:
                lines = [indent + line for line in _filled(paragraph, self.width - len(indent))]
            paragraphs.append("\n".join(lines))
        self.write("\n\n".join(paragraphs) + "\n")

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        """Names beside what they mean, which has at least two thirds of the width."""
        rows = list(rows)
        name_width = min(max(len(name) for name, _ in rows), col_max, self.width // 3) + col_spacing
        indent = " " * self.current_indent
        for name, meaning in rows:
            lines = _filled(meaning, self.width - name_width - self.current_indent) or [""]
            beside = len(name) <= name_width - col_spacing
            first = f"{name:{name_width}}{lines[0]}" if beside else f"{name}\n{indent}{'':{name_width}}{lines[0]}"
            self.write(f"{indent}{first}".rstrip() + "\n")
            for line in lines[1:]:
                self.write(f"{indent}{'':{name_width}}{line}\n")


class HelpContext(click.Context):
    """A context of a command whose help is a ``HelpPage``."""

    formatter_class = HelpPage


def command_lines(line: str, width: int) -> list[str]:
    """A command to copy: on a terminal that is narrower, lines that end with a backslash, with options kept whole."""
    if len(line) <= width or not _is_terminal():
        return [line]
    indent = " " * (len(line) - len(line.lstrip()))
    lines: list[str] = []
    for part in _with_values(line.split()):
        if lines and len(f"{lines[-1]} {part} \\") <= width:
            lines[-1] += f" {part}"
        else:
            lines.append(f"{indent}{'    ' if lines else ''}{part}")
    return [f"{each} \\" for each in lines[:-1]] + lines[-1:]


def _is_terminal() -> bool:
    return sys.stdout.isatty()


def _with_values(words: Iterable[str]) -> Iterator[str]:
    """The words of a command, each option with its value."""
    option = ""
    for word in words:
        if option and word.startswith("-"):
            yield option
            option = ""
        if option:
            yield f"{option} {word}"
            option = ""
        elif word.startswith("--"):
            option = word
        else:
            yield word
    if option:
        yield option


def _filled(text: str, width: int) -> list[str]:
    return textwrap.wrap(" ".join(text.split()), max(width, 10), break_on_hyphens=False, break_long_words=False)
