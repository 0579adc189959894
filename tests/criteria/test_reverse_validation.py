import numpy as np
import pytest

from foldless.criteria import ReverseValidation

Y = list("aabbabbaabab")


def test_a_copy_learns_the_labels_that_the_candidate_gives_the_pool(make_task, answered, asked):
    task = make_task(Y, n_pool=40, params=[{}, {}])

    def answer(ask):
        in_pool = ask.rows.indices[0] >= 12
        return ask.rows.indices % 2 if in_pool else np.arange(12) % (2 + ask.fit.candidate.index) % 2

    choices = answered(ReverseValidation(), task, answer)
    first, second = asked[:2], asked[2:]
    assert all(ask.fit == task.full(ask.fit.candidate) and len(ask.rows) == 12 for ask in first)
    assert first[0].rows == first[1].rows
    for ask in second:
        np.testing.assert_array_equal(ask.fit.rows.indices, first[0].rows.indices)
        np.testing.assert_array_equal(ask.fit.labels, first[0].rows.indices % 2)
        assert ask.rows == task.labeled
    assert [c.score for c in choices] == pytest.approx(
        [np.mean(np.arange(12) % 2 == task.y), np.mean(np.arange(12) % 3 % 2 == task.y)]
    )
    assert [c.fits for c in choices] == [(task.full(c),) for c in task.candidates]


def test_a_pool_smaller_than_the_labels_is_used_whole(make_task, answered, asked):
    task = make_task(Y, n_pool=5)
    answered(ReverseValidation(), task, lambda ask: np.arange(len(ask.rows)) % 2)
    assert len(asked[0].rows) == 5


def test_a_candidate_that_names_no_class_has_no_score(make_task, answered):
    task = make_task(Y, n_pool=20, params=[{}, {}])
    choices = answered(
        ReverseValidation(), task, lambda ask: np.full(len(ask.rows), -ask.fit.candidate.index, dtype=int)
    )
    assert choices[0].score == pytest.approx(0.5)
    assert choices[0].notes == ("predicts 1 of 2 classes on the pool",)
    assert np.isnan(choices[1].score)
