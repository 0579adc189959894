"""Sets of points that Gaussian process fits share, with everything that no parameter changes.

Fits whose labeled and unlabeled rows together are the same points share the kernels of the views, however the points
are divided into labeled and unlabeled ones. Candidates that are asked the same questions share their training sets too.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from foldless.core import Array
from foldless.core.batch import Member, Part
from foldless.learners._inputs import classes_and_codes
from foldless.learners._stacked import Stacked
from foldless.learners.gaussian_process._distinct_rows import Points, check_room, distinct
from foldless.learners.gaussian_process._laplace_sets import TrainingSet, TrainingSets

KEPT_PAIRS = 2**23  # pairs of points whose kernels are kept for the next candidates


class StackedPoints(Stacked):
    """All rows of some blocks, each with the number of the distinct row that it equals."""

    def __init__(self, blocks: Sequence[Any]):
        super().__init__(blocks)
        self.blocks = blocks
        self.first, self.which = distinct(self.X)

    def of(self, part: Part) -> Array:
        return self.which[self.rows(part)]


@dataclass(frozen=True, eq=False)
class MemberProblem:
    """A training set with its classes, and where the answers for each part that is asked about are.

    If a question is about new rows, or the model is kept, the set is asked about all points, and ``places`` is None.
    """

    classes: Array
    training: TrainingSet
    places: dict[Part, slice] | None


class PointSet:
    """Points that several fits share, with the kernels of their views and the training sets of all candidates."""

    def __init__(self, learner: Any, rows: StackedPoints, mask: Array):
        self.learner, self.rows = learner, rows
        self.place = np.where(mask, np.cumsum(mask) - 1, -1)
        check_room(int(mask.sum()), type(learner).__name__)
        self.points = Points(rows.X[rows.first[mask]])
        self.parts = learner._parts(self.points.X, rows.names)
        self._problems: dict[tuple[Any, ...], MemberProblem] = {}
        self._sets: dict[tuple[MemberProblem, ...], TrainingSets] = {}

    def problem(self, member: Member) -> MemberProblem:
        asked = dict.fromkeys(question.part for question in member.questions if question.response != "evidence")
        key = member.train, tuple(member.y.tolist()), member.keep, *asked
        if key not in self._problems:
            self._problems[key] = self._new(member, list(asked))
        return self._problems[key]

    def training_sets(self, problems: Sequence[MemberProblem]) -> TrainingSets:
        key = tuple(problems)
        if key not in self._sets:
            self._sets[key] = TrainingSets([problem.training for problem in problems])
        return self._sets[key]

    def prepare(self) -> None:
        for part in self.parts:
            _ = part.values

    def drop_cache(self) -> None:
        for part in self.parts:
            part.drop_cache()

    def _new(self, member: Member, asked: list[Part]) -> MemberProblem:
        classes, codes = classes_and_codes(member.y, type(self.learner).__name__)
        at = [self.place[self.rows.of(part)] for part in asked]
        ends = np.cumsum([0, *map(len, at)]).tolist()
        places: dict[Part, slice] | None = dict(zip(asked, map(slice, ends, ends[1:]), strict=True))
        points = np.concatenate([*at, np.empty(0, int)])
        if member.keep or (points < 0).any():
            places, points = None, np.arange(len(self.points))
        rows = self.rows.rows(member.train)
        if self.learner.semi_supervised:
            # a row that a bootstrap sample draws twice is one point with one label; equal rows with other numbers count
            once = np.unique(rows * (codes.max() + 1) + codes, return_index=True)[1]
            rows, codes = rows[once], codes[once]
        labeled = self.place[self.rows.which[rows]]
        return MemberProblem(classes, self.learner._training(labeled, codes, len(classes), points), places)


class PointSets:
    """The sets of points of some blocks; the kernels of the first set are kept, those of others while there is room.

    Of many sets, such as one for each fold, the first are kept: the latest would be dropped before it is used again.
    """

    def __init__(self, learner: Any, blocks: Sequence[Any]):
        self.learner, self.rows = learner, StackedPoints(blocks)
        self._point_sets: dict[bytes, PointSet] = {}
        self._of: dict[tuple[Part, Part | None], PointSet] = {}
        self._kept: dict[PointSet, int] = {}

    def of(self, member: Member) -> PointSet:
        parts = member.train, member.unlabeled
        if parts not in self._of:
            mask = np.zeros(len(self.rows.first), bool)
            for part in parts:
                if part is not None:
                    mask[self.rows.of(part)] = True
            key = mask.tobytes()
            if key not in self._point_sets:
                self._point_sets[key] = PointSet(self.learner, self.rows, mask)
            self._of[parts] = self._point_sets[key]
        return self._of[parts]

    def keeps(self, point_set: PointSet) -> bool:
        """Whether the kernels of these points are kept for the next candidates."""
        pairs = len(point_set.points) ** 2
        if point_set not in self._kept and (not self._kept or sum(self._kept.values()) + pairs <= KEPT_PAIRS):
            self._kept[point_set] = pairs
        return point_set in self._kept
