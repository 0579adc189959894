"""Batches of Gaussian process fits: thousands of label vectors share one kernel.

The kernels of the views are computed once for each set of points, the latent kernel once for each set and candidate,
and Laplace's method runs on all training sets that share it.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import validate_data

from foldless.core import Array
from foldless.core._threads import one_blas_thread, threads
from foldless.core.batch import Answered, Member
from foldless.learners._logits import as_answer
from foldless.learners.gaussian_process._fitted import Fitted
from foldless.learners.gaussian_process._laplace_sets import LaplaceAnswers, evidence_of, mean_logit
from foldless.learners.gaussian_process._point_sets import PointSet, PointSets
from foldless.learners.gaussian_process._view_kernels import LatentKernel


class Series:
    """Batches on the same blocks, whose fits may differ in all but the kernels of the views."""

    def __init__(self, learner: Any, blocks: Sequence[Any]):
        self.blocks = blocks
        self._learner = clone(learner)
        self._point_sets = PointSets(self._learner, blocks)

    def prepare(self, members: Sequence[Member]) -> None:
        """Compute the kernels that later batches will use."""
        with one_blas_thread():
            for point_set in dict.fromkeys(map(self._point_sets.of, members)):
                if self._point_sets.keeps(point_set):
                    point_set.prepare()

    def answer(self, members: Sequence[Member]) -> list[Answered]:
        answered: dict[int, Answered] = {}
        with one_blas_thread():  # batches run on every core: more threads would wait for each other
            for point_set, groups in self._sorted(members).items():
                for group in groups.values():
                    answered.update(_Group(point_set, [(number, members[number]) for number in group]).answered())
                if not self._point_sets.keeps(point_set):
                    point_set.drop_cache()
        return [answered[number] for number in range(len(members))]

    def _sorted(self, members: Sequence[Member]) -> dict[PointSet, dict[tuple[Any, ...], list[int]]]:
        point_sets: dict[PointSet, dict[tuple[Any, ...], list[int]]] = {}
        for number, member in enumerate(members):
            params = tuple(sorted(member.params.items()))
            point_sets.setdefault(self._point_sets.of(member), {}).setdefault(params, []).append(number)
        return point_sets


class _Group:
    """Members that share points and parameters, so that one latent kernel serves them all."""

    def __init__(self, point_set: PointSet, members: Sequence[tuple[int, Member]]):
        self.point_set, self.members = point_set, members
        self.model = clone(point_set.learner).set_params(**members[0][1].params)
        self.model._check()
        self.latent: list[LatentKernel] = self.model._latent(point_set.parts)
        self.problems = [point_set.problem(member) for _, member in members]
        self._solve()

    def answered(self) -> Iterator[tuple[int, Answered]]:
        for at, (number, member) in enumerate(self.members):
            yield number, (self._looked_up if self.problems[at].places is not None else self._fitted)(at, member)
        for kernel in self.latent:
            kernel.drop_cache()

    def _solve(self) -> None:
        """Laplace's method; of the kernel only the block of the labeled points is kept, where new rows will need it."""
        sets = self.point_set.training_sets(self.problems)
        self.solved: list[list[LaplaceAnswers]] = []
        self.blocks: list[dict[int, Array]] = []
        labeled = {at: problem.training.points for at, problem in enumerate(self.problems) if problem.places is None}
        for kernel in self.latent:
            K = kernel.gram()
            self.solved.append(sets.solve(K, threads()))
            self.blocks.append({at: K[np.ix_(points, points)] for at, points in labeled.items()})

    def _looked_up(self, at: int, member: Member) -> Answered:
        """All rows asked about are points."""
        problem, by_view = self.problems[at], [of_view[at] for of_view in self.solved]
        scores = mean_logit([of_view.scores for of_view in by_view])
        answers = [
            np.array([evidence_of(by_view)])
            if question.response == "evidence"
            else as_answer(scores[:, (problem.places or {})[question.part]], question.response, problem.classes)
            for question in member.questions
        ]
        return Answered(tuple(answers), problem.classes)

    def _fitted(self, at: int, member: Member) -> Answered:
        """Some rows asked about are new, or the model is kept."""
        problem, rows = self.problems[at], self.point_set.rows
        by_view, blocks = [of_view[at] for of_view in self.solved], [of_view[at] for of_view in self.blocks]
        fitted = Fitted.of(self.point_set.points, self.latent, problem.training, by_view, blocks)
        answers = []
        for question in member.questions:
            if question.response == "evidence":
                answers.append(np.array([fitted.evidence]))
                continue
            which = rows.of(question.part)
            scores = fitted.scores_at(self.point_set.place[which], rows.X, rows.first[which])
            answers.append(as_answer(scores, question.response, problem.classes))
        kept = None
        if member.keep:
            kept = clone(self.model)
            validate_data(kept, rows.blocks[member.train.block], reset=True, skip_check_array=True)
            kept._take_over(problem.classes, fitted)
        return Answered(tuple(answers), problem.classes, kept)
