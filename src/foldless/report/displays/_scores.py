"""What the figures of a selection are drawn from: the candidates, their scores, and the parameters that vary."""

from typing import Literal

import numpy as np

from foldless.core import Candidate, Choice
from foldless.report._varying import MISSING, Axis, axis, varying
from foldless.results import Selection

MOST_SPLITS = 100  # the scores of single rows, as leave-one-out has them, are no spread
FULL = 0.5  # the part of a grid that must be there for a heat map

Kind = Literal["curve", "heat map", "bars"]


class Scores:
    """A selection as points: ``values[candidate]`` holds one value per axis."""

    def __init__(self, selection: Selection):
        self.criterion = selection.criterion
        self.best, self.n_members = selection.best, len(selection.members)
        self.every = [c.candidate for c in selection.ranking] + [*selection.failed, *selection.unfinished]
        columns = varying(self.every)
        self.axes: tuple[Axis, ...] = tuple(axis(name, column) for name, column in columns.items())
        points = [*zip(*columns.values(), strict=True)] if columns else [()] * len(self.every)
        self.values = dict(zip(self.every, points, strict=True))
        self.scored: list[Choice] = [choice for choice in selection.ranking if np.isfinite(choice.score)]

    @property
    def kind(self) -> Kind:
        """How many parameters there are to see, and whether they make a grid."""
        n = len(self.every)
        if not self.axes or len(set(self.values.values())) < n:
            return "bars"
        if len(self.axes) == 1 and self.axes[0].numeric:
            return "curve"
        if len(self.axes) != 2 or any(MISSING in axis.values for axis in self.axes):
            return "bars"
        rows, columns = self.axes
        return "heat map" if n >= FULL * len(rows.values) * len(columns.values) else "bars"

    @property
    def lost(self) -> list[Candidate]:
        scored = {choice.candidate for choice in self.scored}
        return [candidate for candidate in self.every if candidate not in scored]

    @property
    def n_splits(self) -> int:
        """The number of splits behind every score, if they make a spread."""
        sizes = {len(choice.splits) for choice in self.scored}
        n = sizes.pop() if len(sizes) == 1 else 0
        return n if 1 < n <= MOST_SPLITS else 0

    def label(self, choice: Choice) -> str:
        """The name of a choice, with its first note where its candidate stands there more than once."""
        if choice is self.best and self.n_members > 1:  # its place in the ranking is that of the heaviest member
            return f"average of {self.n_members} models"
        name = choice.candidate.name
        return f"{name}, {choice.notes[0]}" if choice.notes and self.every.count(choice.candidate) > 1 else name

    def place(self, candidate: Candidate) -> list[float]:
        return [axis.place(value) for axis, value in zip(self.axes, self.values[candidate], strict=True)]

    def cell(self, candidate: Candidate) -> tuple[int, int]:
        row, column = (axis.values.index(value) for axis, value in zip(self.axes, self.values[candidate], strict=True))
        return row, column
