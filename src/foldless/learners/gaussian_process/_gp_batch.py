"""Thousands of label vectors for one kernel: batches of Gaussian process fits, sorted by points and parameters.

The kernels of the views are made once for each cloud of points, the latent kernel once for each cloud and candidate,
and Laplace's method runs on all training sets that share it at once.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import validate_data

from foldless.core import Array
from foldless.core.batch import Answered, Member, Question
from foldless.learners._logits import spoken
from foldless.learners._threads import one_blas_thread, threads
from foldless.learners.gaussian_process._answers import evidence_of, together
from foldless.learners.gaussian_process._fitted import Fitted
from foldless.learners.gaussian_process._laplace_sets import Answers
from foldless.learners.gaussian_process._latent_kernels import LatentKernel
from foldless.learners.gaussian_process._point_sets import Cloud, Clouds


class Series:
    """Batches on the same blocks, whose fits may differ in all but the kernels of the views."""

    def __init__(self, learner: Any, blocks: Sequence[Any]):
        self.blocks = blocks
        self._learner = clone(learner)
        self._clouds = Clouds(self._learner, blocks)

    def prepare(self, members: Sequence[Member]) -> None:
        """Make the kernels that later batches find here."""
        with one_blas_thread():
            for cloud in dict.fromkeys(map(self._clouds.of, members)):
                if self._clouds.keeps(cloud):
                    cloud.prepare()

    def answer(self, members: Sequence[Member]) -> list[Answered]:
        """Answers for every member, in order."""
        answered: dict[int, Answered] = {}
        with one_blas_thread():  # of a batch there is one on every core, and on a busy machine more wait for each other
            for cloud, groups in self._sorted(members).items():
                for group in groups.values():
                    answered.update(_Group(cloud, [(number, members[number]) for number in group]).answered())
                if not self._clouds.keeps(cloud):
                    cloud.forget()
        return [answered[number] for number in range(len(members))]

    def _sorted(self, members: Sequence[Member]) -> dict[Cloud, dict[tuple[Any, ...], list[int]]]:
        """The numbers of the members by cloud and parameters."""
        clouds: dict[Cloud, dict[tuple[Any, ...], list[int]]] = {}
        for number, member in enumerate(members):
            params = tuple(sorted(member.params.items()))
            clouds.setdefault(self._clouds.of(member), {}).setdefault(params, []).append(number)
        return clouds


class _Group:
    """Members that share points and parameters, so that one latent kernel serves them all."""

    def __init__(self, cloud: Cloud, members: Sequence[tuple[int, Member]]):
        self.cloud, self.members = cloud, members
        self.model = clone(cloud.learner).set_params(**members[0][1].params)
        self.model._check()
        self.latent: list[LatentKernel] = self.model._latent(cloud.parts)
        self.works = [cloud.work(member) for _, member in members]
        self.solved: list[list[Answers]] = []
        self.blocks: list[dict[int, Array]] = []

    def answered(self) -> Iterator[tuple[int, Answered]]:
        """The number of every member with its answers."""
        self._solve()
        for at, (number, member) in enumerate(self.members):
            yield number, (self._looked_up if self.works[at].places is not None else self._fitted)(at, member)
        for kernel in self.latent:
            kernel.forget()

    def _solve(self) -> None:
        """Laplace's method; of the kernel there is left what rows that join will need."""
        sets = self.cloud.together(self.works)
        joining = {at: work.training.points for at, work in enumerate(self.works) if work.places is None}
        for kernel in self.latent:
            K = kernel.gram()
            self.solved.append(sets.solve(K, threads()))
            self.blocks.append({at: K[np.ix_(points, points)] for at, points in joining.items()})

    def _looked_up(self, at: int, member: Member) -> Answered:
        """All that was asked are points."""
        work, answers = self.works[at], [each[at] for each in self.solved]
        scores = together([one.scores for one in answers])
        said = [
            np.array([evidence_of(answers)])
            if question.response == "evidence"
            else _said(scores[:, (work.places or {})[question.part]], question, work.classes)
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
