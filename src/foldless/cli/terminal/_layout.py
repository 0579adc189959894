"""Tables that fit a width without cutting a number.

What is too wide gives way in this order: notes go below their row, columns that can be missed are left out, titles are
shortened, text wraps between words, and in the end each row has its numbers on lines of their own.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rich.cells import cell_len

NOTES = "notes"
NOTES_WIDTH = 60  # a narrower column of notes is no pleasure to read
WHOLE = "\u00a0"  # a space at which no line ends, as in the cell of an interval
BETWEEN, EDGES = 3, 2  # spaces between columns and around the table
INDENT = 8  # of what stands below a row
HEADS = ("rank", "model", "parameters", "criterion", "choice", "evaluated", "class", "needs", "may use", "thread pool",
         "member")  # fmt: skip
NUMBERS = {
    "rank", "score", "ranking score", "error at most", "by labels", "by pool", "confidence", "test accuracy",
    "test error", "macro F1", "regret", "fits", "seconds", "threads", "share in labels", "predicted share in pool",
    "predicted share", "predicted", "share", "estimated rows", "rows", "precision", "recall", "F1",
    "weight", "change of accuracy", "change of log loss",
}  # fmt: skip
MISSED = (
    "seconds", "fits", "macro F1", "by pool", "by labels", "kind", "accuracy minus the chosen's",
    "R² minus the chosen's", "confidence",
)  # first goes  # fmt: skip
SHORT = {
    "ranking score": "score",
    "test accuracy": "test acc.",
    "error at most": "error ≤",
    "balanced accuracy": "bal. acc.",
    "confidence": "conf.",
    "KLD of shares": "KLD",
    "change of accuracy": "Δ accuracy",
    "change of log loss": "Δ log loss",
}
RIGHT = NUMBERS | {SHORT[title] for title in NUMBERS & SHORT.keys()}


@dataclass(frozen=True)
class Layout:
    """How a table is shown: titles with their cells and widths, and what stands below each row."""

    columns: Mapping[str, Sequence[str]]
    widths: Mapping[str, int]
    below: Sequence[str] = ()
    left_out: Sequence[str] = ()
    stacked: bool = False

    @property
    def width(self) -> int:
        """Of the whole table, with its edges."""
        return sum(self.widths.values()) + BETWEEN * (len(self.widths) - 1) + EDGES


def fitted(columns: Mapping[str, Sequence[str]], width: int) -> Layout:
    """The layout of non-empty columns for a terminal of this width."""
    whole = _natural(columns)
    if whole.width <= width:
        return whole
    if NOTES in columns:
        room = width - (whole.width - whole.widths[NOTES])
        if room >= max(NOTES_WIDTH, _longest_word(columns[NOTES])):
            return replace(whole, widths={**whole.widths, NOTES: room})
        rest = {title: cells for title, cells in columns.items() if title != NOTES}
        return replace(_without_notes(rest, width), below=columns[NOTES])
    return _without_notes(columns, width)


def _without_notes(columns: Mapping[str, Sequence[str]], width: int) -> Layout:
    left_out: list[str] = []
    for title in ("", *MISSED):
        if title in columns:
            columns = {other: cells for other, cells in columns.items() if other != title}
            left_out.append(title)
        if (layout := replace(_natural(columns), left_out=tuple(left_out))).width <= width:
            return layout
    columns = {SHORT.get(title, title): cells for title, cells in columns.items()}
    layout = replace(_natural(columns), left_out=tuple(left_out))
    while layout.width > width:
        words = {
            title: layout.widths[title]
            for title, cells in columns.items()
            if layout.widths[title] > _longest_word([title, *cells])
        }
        if not words:
            return replace(layout, stacked=True)
        widest = max(words, key=lambda title: words[title])
        layout = replace(layout, widths={**layout.widths, widest: words[widest] - 1})
    return layout


def _natural(columns: Mapping[str, Sequence[str]]) -> Layout:
    return Layout(columns, {title: max(map(cell_len, (title, *cells))) for title, cells in columns.items()})


def _longest_word(cells: Sequence[str]) -> int:
    return max((cell_len(word) for cell in cells for word in _words(cell)), default=0)


def _words(text: str) -> list[str]:
    return [word for word in re.split(r"[ \t\n]+", text) if word]


@dataclass(frozen=True)
class TableLine:
    """A line of a table: its row (None for titles, rules and edges), and whether it is a note below the row."""

    text: str
    row: int | None = None
    note: bool = False


def lines(layout: Layout, width: int) -> Iterator[TableLine]:
    """The lines of a table on a terminal of this width."""
    yield TableLine("")
    if not layout.stacked:
        yield from (TableLine(text) for text in _row(layout, {title: title for title in layout.columns}))
        yield TableLine(" " + "─" * (layout.width - EDGES))
    for at in range(len(next(iter(layout.columns.values()), ()))):
        row = {title: cells[at] for title, cells in layout.columns.items()}
        texts = _stacked(row, width) if layout.stacked else _row(layout, row)
        yield from (TableLine(text, at) for text in texts)
        if layout.below and layout.below[at]:
            below = wrapped(" " * INDENT + layout.below[at], width)
            yield from (TableLine(text, at, note=True) for text in below)
    yield TableLine("")


def _stacked(row: Mapping[str, str], width: int) -> Iterator[str]:
    """A row with its name on the first line, and "title value" pairs below it."""
    filled = {title: cell for title, cell in row.items() if cell}
    yield from wrapped(" " + "  ".join(cell for title, cell in filled.items() if title in HEADS), width)
    pairs = [f"{title} {cell}" for title, cell in filled.items() if title not in HEADS]
    if pairs:
        yield from _packed(pairs, width, "  ", " " * INDENT, " " * INDENT)


def _row(layout: Layout, row: Mapping[str, str]) -> Iterator[str]:
    """A row, of several lines where text wraps."""
    cells = {title: list(wrapped(cell, layout.widths[title])) or [""] for title, cell in row.items()}
    for at in range(max(map(len, cells.values()), default=0)):
        parts = [_padded(title, part[at] if at < len(part) else "", layout) for title, part in cells.items()]
        yield (" " + (" " * BETWEEN).join(parts)).rstrip()


def _padded(title: str, cell: str, layout: Layout) -> str:
    space = " " * (layout.widths[title] - cell_len(cell))
    return f"{space}{cell}" if title in RIGHT else f"{cell}{space}"


def wrapped(text: str, width: int) -> Iterator[str]:
    """Lines of a text, indented alike and broken between words only; a word that is too long has a line for itself."""
    if cell_len(text) <= width:
        yield text
        return
    body = text.lstrip(" ")
    indent = " " * (len(text) - len(body))
    yield from _packed(_words(body), width, " ", indent, indent + "  " * body.startswith("- "))


def _packed(parts: Iterable[str], width: int, between: str, first: str, later: str) -> Iterator[str]:
    """Lines of as many parts as fit, at least one each; the first line begins with ``first``, others with ``later``."""
    line, begun = first, False
    for part in parts:
        if begun and cell_len(f"{line}{between}{part}") > width:
            yield line
            line, begun = later, False
        line = f"{line}{between if begun else ''}{part}"
        begun = True
    yield line
