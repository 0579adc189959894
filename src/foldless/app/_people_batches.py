"""Batches of rows to label, dealt to people: how each row was drawn, who is shown it, and rows that are shown again."""

import random
from typing import Any

from foldless.app._row_answers import RowAnswers

REPEATS = 20  # rows that are shown a second time to a person
APART = 30  # labels that a person gives at least between the two
EVERY = 6  # rows of a batch for one that is shown again
Entry = dict[str, Any]


class PeopleBatches:
    """The batch of each person, and how rows came to be shown; ``number`` is that of the last batch."""

    def __init__(self, people: tuple[str, ...], overlap: float):
        self._people, self._overlap = people, overlap
        self.number = 0
        self._origins: dict[int, Entry] = {}
        self._of: dict[str, list[Entry]] = {}  # by person
        self._for: dict[int, str] = {}  # numbers of batches that one person has asked for

    def asked_for(self, number: int, by: str) -> set[int]:
        """A person asks for the batch with this number; the rows that others are shown."""
        self._for[number] = by
        return {entry["row"] for name, batch in self._of.items() if name != by for entry in batch}

    def rows(self) -> set[int]:
        """All rows that are shown to somebody."""
        return {entry["row"] for batch in self._of.values() for entry in batch}

    def how_shown(self, row: Any, picked: Any, repeat: Any) -> Entry:
        """How a row came to be shown: what was drawn has its probability, what was looked for has none."""
        if repeat is True:
            return {"repeat": True}
        origin = self._origins.get(row, {})
        return {**origin, "p": 0.0, "why": "picked"} if origin and picked is True else origin

    def dealt(self, batch: list[Entry], left: list[Entry]) -> dict[str, list[Entry]]:
        """What each person is shown of a batch, of which the entries that are ``left`` have no answer yet."""
        for entry in left:
            self._origins[entry["row"]] = {key: entry[key] for key in ("p", "batch", "of", "why") if key in entry}
            if "why" in entry:
                entry["why"] = entry["why"].partition(":")[0]  # which classes leaders name would lead whoever labels
        number = batch[0]["batch"] if batch else min(self._for, default=0)  # orders are answered one after the other
        one = self._for.pop(number, None)
        parts = {one: left} if one is not None else assigned(left, self._people, self._overlap)
        self._of.update(parts)
        return parts


def assigned(batch: list[Entry], people: tuple[str, ...], overlap: float) -> dict[str, list[Entry]]:
    """The rows of a batch that each person is shown; a share of them is shown to two.

    A batch is in random order, so that who labels a row says nothing about it.

    >>> assigned([{"row": 3}, {"row": 5}], ("anna", "ben"), 0)
    {'anna': [{'row': 3}], 'ben': [{'row': 5}]}
    """
    parts: dict[str, list[Entry]] = {name: [] for name in people}
    for at, entry in enumerate(batch):
        parts[people[at % len(people)]].append(entry)
        if len(people) > 1 and random.Random(entry["row"]).random() < overlap:
            others = [name for name in people if name != people[at % len(people)]]
            parts[others[at // len(people) % len(others)]].append(entry)
    return parts


def with_repeats(part: list[Entry], by: str, answers: RowAnswers, cards: dict[int, Entry]) -> list[Entry]:
    """Rows that a person has labeled some time ago between the others, until enough were shown twice."""
    repeated = answers.repeated(by)
    said = answers.of(by)
    labeled = [row for row, answer in said.items() if answer.state is None][:-APART]
    rows = [row for row in labeled if row not in repeated and row in cards]
    wanted = min(REPEATS - len(repeated), len(part) // EVERY, len(rows))
    if wanted <= 0:
        return part
    rng = random.Random(len(said))
    shown = list(part)
    for row in rng.sample(rows, wanted):
        why = answers.draws[row].why if row in answers.draws else None
        card = {**cards[row], "why": (why or "drawn at random").partition(":")[0], "repeat": True}
        shown.insert(rng.randrange(len(shown) + 1), card)
    return shown
