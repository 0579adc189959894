"""What is wrong with a row, told with the number of the row and of its line; then it is skipped, or the stream stops.

Nothing is learned from a faulty row. Sentences are told for the first few, numbers for all.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

from foldless.errors import BadInput, SetArgument

OnError = Literal["skip", "stop"]
Kind = Literal["bad line", "missing label", "unseen class", "missing value", "value", "schema"]

KINDS: tuple[Kind, ...] = get_args(Kind)
MOST_TOLD = 20


@dataclass(frozen=True)
class Fault:
    """One faulty row; without a number it is all that is left of the file."""

    kind: Kind
    source: str
    row: int | None
    line: int | None
    what: str

    def __str__(self) -> str:
        if self.row is None:
            return f"{self.source} {self.what}"
        return f"row {self.row}{f' (line {self.line})' if self.line else ''} of {self.source} {self.what}"


def _silent(sentence: str) -> None:
    """Tell nobody."""


@dataclass
class Ledger:
    """Counts the faults of a stream and tells them, or stops at the first."""

    on_error: OnError
    tell: Callable[[str], None] = _silent
    counts: dict[str, int] = field(default_factory=dict)

    def enter(self, faults: Sequence[Fault]) -> None:
        """Take note of faults, in the order of their rows."""
        for fault in faults:
            if self.on_error == "stop":
                whole = "the file" if fault.row is None else "the row"
                skip = SetArgument("on_error", "skip", to="leave it out")
                raise BadInput(str(fault), value=fault, place=fault.source, remedy=(f"correct {whole}", skip))
            told = sum(self.counts.values())
            self.counts[fault.kind] = self.counts.get(fault.kind, 0) + 1
            if told < MOST_TOLD:
                self.tell(f"skipped: {fault}")
            elif told == MOST_TOLD:
                self.tell("skipped: more rows, which are only counted from here on")

    @property
    def total(self) -> int:
        return sum(self.counts.values())
