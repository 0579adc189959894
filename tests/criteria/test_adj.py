import numpy as np
import pytest

from foldless.core import ranked
from foldless.criteria import ADJ
from foldless.errors import BadInput, CannotAnswer

Y = list("aabb")


def predictions(*labels):
    """Answers of candidates that give these labels, one array for all rows each."""
    return lambda ask: np.array(labels[ask.fit.candidate.index])[ask.rows.indices]


def scores(make_task, answered, *labels):
    task = make_task(Y, n_pool=len(labels[0]) - 4, params=[{}] * len(labels))
    choices = answered(ADJ(), task, predictions(*labels))
    return [c.score for c in choices], [c.candidate.index for c in ranked(ADJ(), choices)]


def test_by_hand(make_task, answered):
    simple = [0, 0, 0, 0] + [0] * 10  # error .5
    better = [0, 1, 1, 1] + [0] * 7 + [1] * 3  # error .25; .75 apart on labels, .3 on the pool: factor .4
    wild = [0, 0, 0, 1] + [1, 0] * 5  # error .25; .25 and .5 from the first, .5 and .6 from the second: factor 2
    found, ranking = scores(make_task, answered, simple, better, wild)
    assert found == pytest.approx([0.5, 0.25 * 0.4, 0.25 * 2])
    assert ranking == [1, 0, 2]


def test_equal_distances_leave_the_training_error(make_task, answered):
    found, _ = scores(make_task, answered, [0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 1, 0, 0, 0, 1])
    assert found == [0.5, 0.25]


def test_nothing_over_nothing_is_one_and_something_over_nothing_is_infinite(make_task, answered):
    same = [0, 0, 0, 1, 0, 1]
    found, ranking = scores(make_task, answered, same, same, [0, 0, 0, 1, 1, 1])
    assert found == [0.25, 0.25, np.inf]
    assert ranking == [0, 1, 2]


def test_a_training_error_of_zero_stays_zero_and_the_simplest_wins(make_task, answered):
    right = [0, 0, 1, 1]
    found, ranking = scores(make_task, answered, [0] * 6, [*right, 0, 1], [*right, 1, 0], [*right, 0, 1])
    assert found == [0.5, 0, 0, 0]
    assert ranking == [1, 2, 3, 0]


def test_probabilities(make_task, answered):
    task = make_task(Y, n_pool=2, params=[{}, {}], responses=("labels", "probabilities"))
    p = [np.full((6, 2), 0.5), np.array([[0.9, 0.1]] * 2 + [[0.1, 0.9]] * 2 + [[0.3, 0.7]] * 2)]
    choices = answered(ADJ("probabilities"), task, lambda ask: p[ask.fit.candidate.index][ask.rows.indices])
    assert [choice.score for choice in choices] == pytest.approx([0.5, 0.1 * 0.2 / 0.4])


def test_what_cannot_be_used(make_task):
    with pytest.raises(CannotAnswer, match="candidate 'candidate 0' gives no probabilities"):
        next(ADJ("probabilities").evaluate(make_task(Y, n_pool=2)))
    with pytest.raises(BadInput, match="answers must be 'labels' or 'probabilities', got 'evidence'"):
        next(ADJ("evidence").evaluate(make_task(Y, n_pool=2)))
