import numpy as np
import pytest

from foldless.core import ranked
from foldless.criteria import TRI
from foldless.errors import BadInput, CannotAnswer

Y = list("aabb")


def predictions(*labels):
    """Answers of candidates that give these labels, one array for all rows each."""
    return lambda ask: np.array(labels[ask.fit.candidate.index])[ask.rows.indices]


def order(criterion, choices):
    return [choice.candidate.index for choice in ranked(criterion, choices)]


def test_the_last_that_holds_with_all_before_it(make_task, answered):
    task = make_task(Y, n_pool=10, params=[{}] * 4)
    simple = [0, 0, 0, 0] + [0] * 10  # error .5
    better = [0, 1, 1, 1] + [0] * 7 + [1] * 3  # error .25, .3 from the first: .3 ≤ .75
    wild = [0, 0, 1, 1] + [1, 0] * 5  # error 0, .5 from the first: .5 ≤ .5; from the second .6 > .25
    tame = [0, 0, 1, 1] + [0] * 6 + [1] * 4  # error 0, .4 from the first, .1 from the second, .5 > 0 from the third
    choices = answered(TRI(), task, predictions(simple, better, wild, tame))
    assert [choice.score for choice in choices] == pytest.approx([0, 1, -0.35, -0.5])
    assert order(TRI(), choices) == [1, 0, 2, 3]
    assert choices[2].notes == ("too far from candidate 1",)
    choices = answered(TRI(), make_task(Y, n_pool=10, params=[{}] * 3), predictions(simple, better, tame))
    assert [choice.score for choice in choices] == [0, 1, 2]
    assert order(TRI(), choices) == [2, 1, 0]


def test_equality_holds(make_task, answered):
    task = make_task(Y, n_pool=10, params=[{}, {}])
    for n, score in ((5, 1.0), (6, -0.1)):  # a training error of .5 and one of 0
        choices = answered(TRI(), task, predictions([0] * 14, [0, 0, 1, 1] + [1] * n + [0] * (10 - n)))
        assert choices[1].score == pytest.approx(score)


def test_the_first_candidate_always_holds(make_task, answered):
    task = make_task(Y, n_pool=3)
    (choice,) = answered(TRI(), task, predictions([1, 1, 0, 0, 1, 1, 1]))
    assert choice.score == 0
    assert choice.fits == (task.full(task.candidates[0]),)


def test_probabilities_measure_finer(make_task, answered):
    task = make_task(Y, n_pool=2, params=[{}, {}], responses=("labels", "probabilities"))
    p = [
        np.array([[0.6, 0.4]] * 2 + [[0.4, 0.6]] * 2 + [[0.6, 0.4]] * 2),
        np.array([[0.9, 0.1]] * 2 + [[0.1, 0.9]] * 4),
    ]
    choices = answered(TRI("probabilities"), task, lambda ask: p[ask.fit.candidate.index][ask.rows.indices])
    assert [choice.score for choice in choices] == [0, 1]  # .5 apart on the pool, errors .4 and .1


def test_candidates_that_give_no_probabilities(make_task):
    with pytest.raises(CannotAnswer, match="candidate 'candidate 0' gives no probabilities"):
        next(TRI("probabilities").evaluate(make_task(Y, n_pool=2)))
    with pytest.raises(BadInput, match="answers must be 'labels' or 'probabilities', got 'evidence'"):
        next(TRI("evidence").evaluate(make_task(Y, n_pool=2)))
