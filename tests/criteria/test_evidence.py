import numpy as np
import pytest

from foldless.core import Ask, Rows, ranked
from foldless.criteria import Evidence
from foldless.errors import CannotAnswer

ABLE = ("labels", "evidence")


def test_every_candidate_is_asked_once_about_no_rows(make_task, answered, asked):
    task = make_task(list("aabb"), n_pool=3, params=[{}, {}, {}], responses=ABLE, semi_supervised=True)
    evidence = [-5.0, -2.5, -3.0]
    choices = answered(Evidence(), task, lambda ask: np.array([evidence[ask.fit.candidate.index]]))
    assert asked == [Ask(task.full(c), Rows(range(0)), "evidence") for c in task.candidates]
    assert [choice.score for choice in choices] == evidence
    assert [choice.candidate.index for choice in ranked(Evidence(), choices)] == [1, 2, 0]
    assert [choice.fits for choice in choices] == [(task.full(c),) for c in task.candidates]


def test_learners_without_evidence(make_task):
    with pytest.raises(
        CannotAnswer, match="needs learners with a log_marginal_likelihood, which candidate 'candidate 0'"
    ):
        next(Evidence().evaluate(make_task(list("ab"), responses=("labels", "probabilities", "scores"))))


def test_it_needs_no_pool(make_task, answered):
    assert Evidence.needs == frozenset()
    (choice,) = answered(Evidence(), make_task(list("ab"), responses=ABLE), lambda _: np.array([-1.0]))
    assert choice.score == -1
