"""Clouds of points that Gaussian process fits share: what is made of rows and labels before a parameter is known.

Fits whose labeled and unlabeled rows are the same set of points have one cloud, with the kernels of its views, however
the points are cut into labeled and unlabeled ones. Candidates that are asked the same share their training sets, too.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from foldless.core import Array
from foldless.core.batch import Member, Part
from foldless.errors import BadInput
from foldless.learners._stacked import Stacked
from foldless.learners.gaussian_process._distinct_rows import Points, distinct
from foldless.learners.gaussian_process._kernel_memory import check_room
from foldless.learners.gaussian_process._laplace_sets import TrainingSet, TrainingSets

KEPT_PAIRS = 2**23  # pairs of points whose kernels are kept for the next candidates


class Contents(Stacked):
    """All rows of some blocks under each other, each with the number of its content."""

    def __init__(self, blocks: Sequence[Any]):
        super().__init__(blocks)
        self.blocks = blocks
        self.first, self.which = distinct(self.X)

    def of(self, part: Part) -> Array:
        """The numbers of the contents of some rows."""
        return self.which[self.rows(part)]


@dataclass(frozen=True, eq=False)
class Work:
    """A training set with its classes, and where in its answers those to each part that is asked about are.

    Where a question goes beyond the points, or the model is kept, the set is asked about all points, and there are no
    such places.
    """

    classes: Array
    training: TrainingSet
    places: dict[Part, slice] | None


class Cloud:
    """Points that several fits share, with the kernels of their views and the training sets of all candidates."""

    def __init__(self, learner: Any, rows: Contents, mask: Array):
        self.learner, self.rows = learner, rows
        self.place = np.where(mask, np.cumsum(mask) - 1, -1)
        check_room(int(mask.sum()), type(learner).__name__)
        self.points = Points(rows.X[rows.first[mask]])
        self.parts = learner._parts(self.points.X, rows.names)
        self._works: dict[tuple[Any, ...], Work] = {}
        self._sets: dict[tuple[Work, ...], TrainingSets] = {}

    def work(self, member: Member) -> Work:
        """The training set of a member."""
        asked = dict.fromkeys(question.part for question in member.questions if question.response != "evidence")
        key = member.train, tuple(member.y.tolist()), member.keep, *asked
        if key not in self._works:
            self._works[key] = self._made(member, list(asked))
        return self._works[key]

    def together(self, works: Sequence[Work]) -> TrainingSets:
        """Training sets one behind the other."""
        key = tuple(works)
        if key not in self._sets:
            self._sets[key] = TrainingSets([work.training for work in works])
        return self._sets[key]

    def prepare(self) -> None:
        """Make the kernels of the views."""
        for part in self.parts:
            _ = part.values

    def forget(self) -> None:
        """Give back their memory."""
        for part in self.parts:
            part.forget()

    def _made(self, member: Member, asked: list[Part]) -> Work:
        classes, codes = np.unique(member.y, return_inverse=True)
        if len(classes) < 2:
            name = type(self.learner).__name__
            raise BadInput(f"{name} needs at least 2 classes, a member holds {classes.tolist()}")
        at = [self.place[self.rows.of(part)] for part in asked]
        ends = np.cumsum([0, *map(len, at)]).tolist()
        places: dict[Part, slice] | None = dict(zip(asked, map(slice, ends, ends[1:]), strict=True))
        points = np.concatenate([*at, np.empty(0, int)])
        if member.keep or (points < 0).any():
            places, points = None, np.arange(len(self.points))
        rows = self.rows.rows(member.train)
        if self.learner.semi_supervised:
            once = _first_of_each(rows, codes)
            rows, codes = rows[once], codes[once]
        labeled = self.place[self.rows.which[rows]]
        return Work(classes, self.learner._training(labeled, codes, len(classes), points), places)


def _first_of_each(rows: Array, codes: Array) -> Array:
    """Where each row is for the first time: one that a bootstrap sample has drawn twice is one point with one label.

    Rows that only look alike have different numbers, and all their labels count.
    """
    return np.unique(rows * (codes.max() + 1) + codes, return_index=True)[1]


class Clouds:
    """The clouds that fits have made of some blocks; the kernels of the first are kept, of others while there is room.

    Of many clouds, such as one for each fold, the same few are kept: to keep the latest would keep none until it is
    asked for again.
    """

    def __init__(self, learner: Any, blocks: Sequence[Any]):
        self.learner, self.rows = learner, Contents(blocks)
        self._clouds: dict[bytes, Cloud] = {}
        self._of: dict[tuple[Part, Part | None], Cloud] = {}
        self._kept: dict[Cloud, int] = {}

    def of(self, member: Member) -> Cloud:
        """The cloud of the labeled and unlabeled rows of a member."""
        parts = member.train, member.unlabeled
        if parts not in self._of:
            mask = np.zeros(len(self.rows.first), bool)
            for part in parts:
                if part is not None:
                    mask[self.rows.of(part)] = True
            key = mask.tobytes()
            if key not in self._clouds:
                self._clouds[key] = Cloud(self.learner, self.rows, mask)
            self._of[parts] = self._clouds[key]
        return self._of[parts]

    def keeps(self, cloud: Cloud) -> bool:
        """Whether the kernels of a cloud stay for the next candidates."""
        pairs = len(cloud.points) ** 2
        if cloud not in self._kept and (not self._kept or sum(self._kept.values()) + pairs <= KEPT_PAIRS):
            self._kept[cloud] = pairs
        return cloud in self._kept
