"""Thousands of label vectors for one kernel: a batch of Gaussian process fits, sorted by points and parameters.

The kernels of the views are made once for each set of points, the latent kernel once for each set of points and
parameters, and Laplace's method runs on all training sets that share it at once. Candidates that are asked the same
share their training sets, too.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import clone
from sklearn.utils import check_array
from sklearn.utils.validation import validate_data

from foldless.batching import Answered, Member, Part, Question
from foldless.core import Array
from foldless.learners.blas import one_blas_thread
from foldless.learners.gp_answers import evidence_of, spoken, together
from foldless.learners.gp_fitted import Fitted
from foldless.learners.laplace_sets import Answers, TrainingSet, TrainingSets
from foldless.learners.latent import LatentKernel
from foldless.learners.paths import threads
from foldless.learners.points import Points, distinct

LARGE = 1000  # points from which on threads, ours or those of BLAS, save more than they wait for each other


def answer_batch(learner: Any, blocks: Sequence[Any], members: Sequence[Member]) -> list[Answered]:
    """Answers for every member, in order."""
    rows = _Rows(blocks)
    answered: dict[int, Answered] = {}
    for mask, numbers in _by_points(rows, members):
        with nullcontext() if mask.sum() >= LARGE else one_blas_thread():
            cloud = _Cloud(learner, rows, mask)
            groups = [_Group(cloud, [(at, members[at]) for at in same]) for same in _by_params(members, numbers)]
            for group in _solved(groups):
                answered.update(group.answered())
            cloud.forget()
    return [answered[number] for number in range(len(members))]


def _solved(groups: Sequence["_Group"]) -> Iterator["_Group"]:
    """Groups in order, solved; of large kernels there is one on each thread."""
    n_threads = min(threads(), len(groups)) if len(groups[0].cloud.points) >= LARGE else 1
    if n_threads == 1:
        yield from (group.solve(threads()) for group in groups)
        return
    with one_blas_thread(), ThreadPoolExecutor(n_threads) as pool:
        yield from pool.map(lambda group: group.solve(threads() // n_threads), groups)


class _Rows:
    """All rows of the blocks under each other, each with the number of its content."""

    def __init__(self, blocks: Sequence[Any]):
        self.blocks = blocks
        parts = [check_array(block, accept_sparse="csr", dtype=np.float64) for block in blocks]
        self.starts = np.cumsum([0, *(part.shape[0] for part in parts)])
        self.X = sparse.vstack(parts, format="csr") if sparse.issparse(parts[0]) else np.concatenate(parts)
        self.first, self.which = distinct(self.X)

    def of(self, part: Part) -> Array:
        """The numbers of the contents of some rows."""
        start, stop = self.starts[part.block], self.starts[part.block + 1]
        return self.which[start:stop] if part.rows is None else self.which[start + part.rows]


def _by_points(rows: _Rows, members: Sequence[Member]) -> list[tuple[Array, list[int]]]:
    """Members with the same points: which contents these are, and the numbers of the members."""
    masks: dict[tuple[int, int], Array] = {}
    groups: dict[bytes, tuple[Array, list[int]]] = {}
    for number, member in enumerate(members):
        parts = id(member.train), id(member.unlabeled)
        if parts not in masks:
            masks[parts] = np.zeros(len(rows.first), bool)
            for part in (member.train, member.unlabeled):
                if part is not None:
                    masks[parts][rows.of(part)] = True
        groups.setdefault(masks[parts].tobytes(), (masks[parts], []))[1].append(number)
    return list(groups.values())


def _by_params(members: Sequence[Member], numbers: Sequence[int]) -> list[list[int]]:
    groups: dict[tuple[Any, ...], list[int]] = {}
    for number in numbers:
        groups.setdefault(tuple(sorted(members[number].params.items())), []).append(number)
    return list(groups.values())


@dataclass(frozen=True, eq=False)
class _Work:
    """A training set with its classes, and where in its answers the parts of its questions are.

    Where a question goes beyond the points, or the model is kept, the set is asked about all points, and there are no
    such places.
    """

    classes: Array
    training: TrainingSet
    places: dict[int, slice] | None


class _Cloud:
    """Points that several fits share, with the kernels of their views and the training sets of all candidates."""

    def __init__(self, learner: Any, rows: _Rows, mask: Array):
        self.learner, self.rows = learner, rows
        self.place = np.where(mask, np.cumsum(mask) - 1, -1)
        self.points = Points(rows.X[rows.first[mask]])
        self.parts = learner._parts(self.points.X, getattr(rows.blocks[0], "columns", None))
        for part in self.parts:
            _ = part.values  # once, before several threads ask for it
        self._works: dict[tuple[Any, ...], _Work] = {}
        self._sets: dict[tuple[int, ...], TrainingSets] = {}

    def work(self, member: Member) -> _Work:
        asked = {id(question.part): question.part for question in member.questions}
        key = id(member.train), tuple(member.y.tolist()), member.keep, *asked
        if key not in self._works:
            self._works[key] = self._made(member, asked)
        return self._works[key]

    def together(self, works: Sequence[_Work]) -> TrainingSets:
        key = tuple(map(id, works))
        if key not in self._sets:
            self._sets[key] = TrainingSets([work.training for work in works])
        return self._sets[key]

    def forget(self) -> None:
        for part in self.parts:
            part.forget()

    def _made(self, member: Member, asked: dict[int, Part]) -> _Work:
        classes, codes = np.unique(member.y, return_inverse=True)
        if len(classes) < 2:
            name = type(self.learner).__name__
            raise ValueError(f"{name} needs at least 2 classes, a member holds {classes.tolist()}")
        at = [self.place[self.rows.of(part)] for part in asked.values()]
        ends = np.cumsum([0, *map(len, at)]).tolist()
        places: dict[int, slice] | None = dict(zip(asked, map(slice, ends, ends[1:]), strict=True))
        points = np.concatenate([*at, np.empty(0, int)])
        if member.keep or (points < 0).any():
            places, points = None, np.arange(len(self.points))
        labeled = self.place[self.rows.of(member.train)]
        return _Work(classes, self.learner._training(labeled, codes, len(classes), points), places)


class _Group:
    """Members that share points and parameters, so that one latent kernel serves them all."""

    def __init__(self, cloud: _Cloud, members: Sequence[tuple[int, Member]]):
        self.cloud, self.members = cloud, members
        self.model = clone(cloud.learner).set_params(**members[0][1].params)
        self.model._check()
        self.latent: list[LatentKernel] = self.model._latent(cloud.parts)
        self.works = [cloud.work(member) for _, member in members]
        self.sets = cloud.together(self.works)
        self.solved: list[list[Answers]] = []
        self.blocks: list[dict[int, Array]] = []

    def solve(self, n_threads: int) -> "_Group":
        """Laplace's method; of the kernel there is left what rows that join will need."""
        for kernel in self.latent:
            K = kernel.gram()
            self.solved.append(self.sets.solve(K, n_threads))
            joining = {at: work.training.points for at, work in enumerate(self.works) if work.places is None}
            self.blocks.append({at: K[np.ix_(points, points)] for at, points in joining.items()})
        return self

    def answered(self) -> Iterator[tuple[int, Answered]]:
        """The number of every member with its answers."""
        for at, (number, member) in enumerate(self.members):
            yield number, (self._looked_up if self.works[at].places is not None else self._fitted)(at, member)
        self.solved.clear()
        for kernel in self.latent:
            kernel.forget()

    def _looked_up(self, at: int, member: Member) -> Answered:
        """All that was asked are points."""
        work, answers = self.works[at], [each[at] for each in self.solved]
        scores = together([one.scores for one in answers])
        said = [
            np.array([evidence_of(answers)])
            if question.response == "evidence"
            else _said(scores[:, (work.places or {})[id(question.part)]], question, work.classes)
            for question in member.questions
        ]
        return Answered(tuple(said), work.classes)

    def _fitted(self, at: int, member: Member) -> Answered:
        """Some rows join, or the model is kept."""
        work, rows = self.works[at], self.cloud.rows
        answers, blocks = [each[at] for each in self.solved], [each[at] for each in self.blocks]
        fitted = Fitted.of(self.cloud.points, self.latent, work.training, answers, blocks)
        said = []
        for question in member.questions:
            if question.response == "evidence":
                said.append(np.array([fitted.evidence]))
                continue
            which = rows.of(question.part)
            scores = fitted.scores_at(self.cloud.place[which], rows.X, rows.first[which])
            said.append(_said(scores, question, work.classes))
        kept = None
        if member.keep:
            kept = clone(self.model)
            validate_data(kept, rows.blocks[member.train.block], reset=True, skip_check_array=True)
            kept._take_over(work.classes, fitted)
        return Answered(tuple(said), work.classes, kept)


def _said(scores: Array, question: Question, classes: Array) -> Array:
    answer = spoken(scores, question.response)
    return classes[answer] if question.response == "labels" else answer
