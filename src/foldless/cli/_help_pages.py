"""Help pages whose lines end between words, and whose examples can be copied at any width.

Names such as ``linear-svc`` are never broken. On a terminal, an example that is wider than it continues behind ``\\``.
"""

import re
import sys
import textwrap
from collections.abc import Iterable
from functools import partial

import click

OPTION = re.compile(r"(?<!\S)(--\S+) (?!-)")  # and the space before its value
UNWRAPPED = "\b\n"  # click's mark of a paragraph whose lines stay as they are
SECTIONS = {
    "Data": "label unlabeled test task label-separator groups drop text categorical keep view",
    "Models": "model grid criterion criteria offer scoring positive cost costs at-least",
    "Options": "",  # those of one command
    "Answer": "output predict probabilities save report picture estimate json verbose quiet help",
    "Run": "time-budget n-jobs cluster journal seed dry-run no-check",
    "Values and labels": "missing min-per-class merge-labels minus-one-is-class",
    "Reading files": "delimiter decimal encoding date-format sheet table query format pool-sample",
}  # options by what they are for
wrap = partial(textwrap.wrap, break_on_hyphens=False, break_long_words=False)


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


def options_by_use(command: click.Command, ctx: click.Context, page: click.HelpFormatter) -> None:
    """The options of a command below what they are for, all in two columns of the same width."""
    sections: dict[str, list[tuple[str, str]]] = {title: [] for title in SECTIONS}
    for param in command.get_params(ctx):
        record = param.get_help_record(ctx) if isinstance(param, click.Option) else None
        names = {name.lstrip("-") for name in param.opts}
        title = next((title for title, known in SECTIONS.items() if names & set(known.split())), "Options")
        sections[title] += [record] if record else []
    width = min(22, max(len(name) for records in sections.values() for name, _ in records))
    for title, records in sections.items():
        if records:
            with page.section(title):
                page.write_dl([(name.ljust(width), meaning) for name, meaning in records], col_max=width)


class HelpContext(click.Context):
    """A context of a command whose help is a ``HelpPage``."""

    formatter_class = HelpPage


def command_lines(line: str, width: int) -> list[str]:
    """A command to copy: on a terminal that is narrower, lines that end with a backslash, with options kept whole."""
    if len(line) <= width or not _is_terminal():
        return [line]
    indent = " " * (len(line) - len(line.lstrip()))
    with_values = OPTION.sub("\\1\xa0", " ".join(line.split()))  # at such a space no line ends
    lines = wrap(with_values, width - len(" \\"), initial_indent=indent, subsequent_indent=f"{indent}    ")
    return " \\\n".join(lines).replace("\xa0", " ").split("\n")


def _is_terminal() -> bool:
    return sys.stdout.isatty()


def _filled(text: str, width: int) -> list[str]:
    return wrap(" ".join(text.split()), max(width, 10))
