"""What was said of the rows of a pool, by whom: the entries of a journal, replayed.

Every person has a pile of answers for each row, and an undo takes the top one away. The label of a row is what all who
answered agree on. Where they differ the row is disputed and has no label, until a person settles it. Who skips a row or
is unsure of it has no say about it; "none of these classes" and a flag are answers that differ from any label.

Entries without a name are of one person, who has the last word: it is the owner of a journal that is not shared.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

STATES = ("skip", "unsure", "none", "flag")
"""What can be said of a row in the place of a class."""
ABSTAINING = ("skip", "unsure")
HINTS = ("likely", "words")
"""What the page can show of the model's opinion before an answer: likely classes first, and marked words."""
OWNER = ""


class Answer(NamedTuple):
    """A label, or one of `STATES`, of a row; ``number`` and ``tab`` are those of the entry, for undo.

    Several labels of a row are a tuple in the order of their names: however they were given, equal sets are equal.

    ``order`` tells which of two answers came first, ``hints`` what its person saw of the model's opinion before.
    """

    label: Any
    state: str | None
    by: str
    at: str | None
    note: str | None
    number: int
    tab: str | None
    order: int
    hints: tuple[str, ...] = ()

    @property
    def value(self) -> dict[str, Any]:
        """What was said, as an entry has it."""
        return {"skip": True, "state": self.state} if self.state else {"label": self.label}


class RowDraw(NamedTuple):
    """With which probability a row was drawn, in which batch of how many, and why it was shown."""

    p: float | None
    batch: int
    of: int
    why: str | None


class Repeat(NamedTuple):
    """What a person said of a row, and said of it when it was shown again."""

    row: int
    by: str
    first: Any
    second: Any


class RowAnswers:
    """The state of all rows after some entries.

    >>> answers = RowAnswers()
    >>> for by, label in (("anna", "spam"), ("ben", "ham")):
    ...     answers.apply({"row": 3, "label": label, "by": by})
    >>> answers.labels, answers.disputed
    ({}, {3})
    >>> answers.apply({"row": 3, "label": "spam", "by": "anna", "settles": True})
    >>> answers.labels, answers.disputed
    ({3: 'spam'}, set())
    """

    def __init__(self) -> None:
        self.labels: dict[int, Any] = {}
        self.states: dict[int, str] = {}
        self.disputed: set[int] = set()
        self.rounds: list[dict[str, Any]] = []
        self.draws: dict[int, RowDraw] = {}
        self._piles: dict[int, dict[str, list[Answer]]] = {}
        self._settled: dict[int, list[Answer]] = {}
        self._again: dict[tuple[str, int], list[Answer]] = {}
        self._n_answers = 0

    def apply(self, entry: Mapping[str, Any], number: int = 0, tab: str | None = None) -> None:
        """Take an entry into account, which `is_entry` has let through."""
        if "round" in entry:
            self.rounds.append(dict(entry["round"]))
            return
        self._n_answers += 1
        row, by = entry["row"], entry.get("by", OWNER)
        answer = _answer(entry, by, number, tab, self._n_answers)
        if "batch" in entry and row not in self.draws:
            self.draws[row] = RowDraw(entry["p"], entry["batch"], entry["of"], entry.get("why"))
        if entry.get("repeat"):
            pile = self._again.setdefault((by, row), [])
        else:
            of_row = self._piles.setdefault(row, {})
            pile = self._settled.setdefault(row, []) if entry.get("settles") else of_row.setdefault(by, [])
        if entry.get("undo"):
            del pile[-1:]
        else:
            pile.append(answer)
        if not entry.get("repeat"):
            self._resolve(row)

    def last(self, row: int, by: str, *, settles: bool = False, repeat: bool = False) -> Answer | None:
        """What a person said last of a row; what was settled of it; or what was said when it was shown again."""
        if repeat:
            pile = self._again.get((by, row), [])
        else:
            pile = self._settled.get(row, []) if settles else self._piles.get(row, {}).get(by, [])
        return pile[-1] if pile else None

    def opinions(self, row: int) -> list[Answer]:
        """The last answer of everybody who answered, in the order in which they did."""
        return sorted((pile[-1] for pile in self._piles.get(row, {}).values() if pile), key=lambda each: each.order)

    def decision(self, row: int) -> Answer | None:
        return self.last(row, OWNER, settles=True)

    def said(self, row: int) -> list[Answer]:
        """The last answer of everybody, then the one that settled a row."""
        decision = self.decision(row)
        return [*self.opinions(row), *([decision] if decision else [])]

    def rows(self) -> list[int]:
        """All rows of which anything is said now, in the order of the first answer."""
        return [row for row in self._piles if self.said(row)]

    def people(self) -> list[str]:
        return list(dict.fromkeys(by for piles in self._piles.values() for by, pile in piles.items() if pile))

    def of(self, by: str) -> dict[int, Answer]:
        """The last answer of a person to each row, in the order in which they were given."""
        said = [(row, piles[by][-1]) for row, piles in self._piles.items() if piles.get(by)]
        return dict(sorted(said, key=lambda each: each[1].order))

    def repeats(self) -> list[Repeat]:
        """Labels that were given twice by the same person, the second time without the first in view."""
        twice = []
        for (by, row), again in self._again.items():
            first = self.last(row, by)
            if again and first is not None and first.state is None and again[-1].state is None:
                twice.append(Repeat(row, by, first.label, again[-1].label))
        return twice

    def repeated(self, by: str) -> list[int]:
        """Rows that a person has answered a second time."""
        return [row for (name, row), again in self._again.items() if name == by and again]

    def drawn(self) -> list[tuple[int, Any, float | None, int]]:
        """Row, label, probability and batch of each label.

        Batches are labeled from their beginning: where only k of n rows were, each was drawn with k/n of its
        probability. A row that was in no batch was chosen: its probability is 0.
        """
        parts = self._parts_done()
        drawn = []
        for row, label in self.labels.items():
            p, batch, n, _ = self.draws.get(row, RowDraw(0.0, 0, 1, None))
            k, ahead = parts.get(batch, (0, 0))
            drawn.append((row, label, p and p * min(1.0, k / max(1, n - ahead)), batch))
        return drawn

    def _parts_done(self) -> dict[int, tuple[int, int]]:
        """How many rows of each batch were answered in their turn, and how many were picked ahead of it.

        A row that is picked after its batch was left is neither: it was not reached.
        """
        handled = {*self.labels, *self.states, *self.disputed}
        done, ahead, picked = Counter[int](), Counter[int](), Counter[int]()
        for row, draw in self.draws.items():  # in the order of the first answers
            if row in handled and draw.p == 0:
                picked[draw.batch] += 1
            elif row in handled:
                done[draw.batch] += 1
                ahead[draw.batch] = picked[draw.batch]
        return {batch: (k, ahead[batch]) for batch, k in done.items()}

    def hints(self, row: int) -> list[str]:
        """What anybody saw of the model's opinion before an answer to this row."""
        return [name for name in HINTS if any(name in each.hints for each in self.opinions(row))]

    def n_hinted(self) -> int:
        """How many labels count as drawn, although the model's opinion was in view when they were given."""
        return sum(p != 0 and bool(self.hints(row)) for row, _, p, _ in self.drawn())

    def value(self, row: int) -> dict[str, Any] | None:
        """The label of a row, or its state, as an entry has it; None where it has neither."""
        if row in self.states:
            return {"skip": True, "state": self.states[row]}
        return {"label": self.labels[row]} if row in self.labels else None

    def _resolve(self, row: int) -> None:
        self.labels.pop(row, None)
        self.states.pop(row, None)
        self.disputed.discard(row)
        opinions, decision = self.opinions(row), self.decision(row)
        if not opinions and decision is None:
            return
        last = decision or (opinions[-1] if opinions[-1].by == OWNER else None)
        if last is None:
            speaking = [each for each in opinions if each.state not in ABSTAINING]
            if len({repr(each.value) for each in speaking}) > 1:
                self.disputed.add(row)
                return
            last = (speaking or opinions)[-1]
        if last.state is None:
            self.labels[row] = last.label
        else:
            self.states[row] = last.state


def _answer(entry: Mapping[str, Any], by: str, number: int, tab: str | None, order: int) -> Answer:
    state = entry.get("state", "skip") if entry.get("skip") else None
    hints, label = tuple(entry.get("hints", ())), entry.get("label")
    if isinstance(label, list | tuple):
        label = tuple(sorted(set(label), key=lambda each: (isinstance(each, str), each)))
    return Answer(label, state, by, entry.get("at"), entry.get("note"), number, tab, order, hints)


def classes_of(label: Any) -> tuple[Any, ...]:
    """The classes of a label: one, or those of a tuple."""
    return label if isinstance(label, tuple) else (label,)


def codes_of(label: Any, codes: Mapping[Any, int]) -> Any:
    """The number of a class, or a list of those of several."""
    return [codes.get(each) for each in label] if isinstance(label, tuple) else codes.get(label)
