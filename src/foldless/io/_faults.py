"""Faulty rows of a stream: each is reported with its row and line number, and is skipped or stops the stream.

Nothing is learned from a faulty row. The first few have a sentence each, all of them are counted.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from foldless.errors import BadInput, SetArgument

OnError = Literal["skip", "stop"]
Kind = Literal["bad line", "missing label", "unseen class", "missing value", "value", "schema"]

MOST_SHOWN = 20


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


def silent(sentence: str) -> None:
    """Show nothing."""


@dataclass
class Ledger:
    """Counts the faults of a stream and reports them, or stops at the first; keeps every sentence that is told."""

    on_error: OnError
    on_message: Callable[[str], None] = silent
    counts: dict[str, int] = field(default_factory=dict)
    messages: list[str] = field(default_factory=list)

    def tell(self, sentence: str) -> None:
        self.messages.append(sentence)
        self.on_message(sentence)

    def enter(self, faults: Sequence[Fault]) -> None:
        for fault in faults:
            if self.on_error == "stop":
                whole = "the file" if fault.row is None else "the row"
                skip = SetArgument("on_error", "skip", to="leave it out")
                raise BadInput(str(fault), value=fault, place=fault.source, remedy=(f"correct {whole}", skip))
            before = sum(self.counts.values())
            self.counts[fault.kind] = self.counts.get(fault.kind, 0) + 1
            if before < MOST_SHOWN:
                self.tell(f"skipped: {fault}")
            elif before == MOST_SHOWN:
                self.tell("skipped: more rows, which are only counted from now on")

    @property
    def total(self) -> int:
        return sum(self.counts.values())
