"""What fits share before a parameter is known: points, and training sets."""

import numpy as np
import pytest
from helpers.two_views import VIEWS, blobs

from foldless.core.batch import Member, Part, Question
from foldless.learners import GPCoTraining
from foldless.learners.gaussian_process._point_sets import PointSets

X = blobs(20, 4)[0]
X[13] = X[2]  # two rows with one content


def member(train, unlabeled, asked, y=(0, 0, 1, 1), keep=False):
    parts = [Part(0, np.array(rows)) for rows in (train, unlabeled, asked)]
    return Member({}, parts[0], np.array(y), (Question(parts[2], "labels"),), keep, parts[1])


@pytest.fixture
def point_sets():
    return PointSets(GPCoTraining(VIEWS), [X])


def test_the_same_points_are_one_set_however_they_are_cut(point_sets):
    first = point_sets.of(member([0, 1, 2, 3], range(4, 13), [5]))
    assert point_sets.of(member([9, 1, 13, 3], [0, *range(4, 13)], [6])) is first  # row 13 is row 2
    assert point_sets.of(member([0, 1, 2, 3], range(4, 12), [5])) is not first
    assert len(first.points) == 13


def test_candidates_that_are_asked_the_same_share_the_training_set(point_sets):
    asked = member([0, 1, 2, 3], range(4, 20), [5, 6])
    point_set = point_sets.of(asked)
    again = Member({"sigma1": 3.0}, asked.train, asked.y, asked.questions, False, asked.unlabeled)
    other = Member({}, asked.train, asked.y[::-1].copy(), asked.questions, False, asked.unlabeled)
    problems = [point_set.problem(first) for first in (asked, again, other)]
    assert problems[0] is problems[1]
    assert problems[0] is not problems[2]
    assert point_set.training_sets(problems) is point_set.training_sets(problems)


def test_a_row_drawn_twice_is_one_label_and_two_rows_that_look_alike_are_two(point_sets):
    pool = [1, *range(4, 20)]
    drawn = member([0, 2, 2, 13, 3], pool, [5], y=(0, 1, 1, 1, 1))
    training = point_sets.of(drawn).problem(drawn).training
    np.testing.assert_array_equal(training.points, [0, 2, 3])
    np.testing.assert_array_equal(training.times, [1, 2, 1])
    both = member([0, 2, 2, 3], pool, [5], y=(0, 0, 1, 1))  # as labels may be drawn for one row
    training = point_sets.of(both).problem(both).training
    np.testing.assert_array_equal(training.points, [0, 2, 2, 3])
    np.testing.assert_array_equal(training.targets, [[False, False, True, True]])


def test_where_answers_are_found(point_sets):
    questions = tuple(Question(Part(0, np.array(rows)), "labels") for rows in ([5, 6, 7], [13, 2]))
    first = member([0, 1, 2, 3], range(4, 20), [])
    problem = point_sets.of(first).problem(Member({}, first.train, first.y, questions, False, first.unlabeled))
    np.testing.assert_array_equal(problem.training.asked, [5, 6, 7, 2, 2])
    assert [problem.places[question.part] for question in questions] == [slice(0, 3), slice(3, 5)]


def test_rows_that_join_and_models_that_are_kept_ask_about_all_points(point_sets):
    for first in (member([0, 1, 2, 3], range(4, 10), [15]), member([0, 1, 2, 3], range(4, 10), [5], keep=True)):
        problem = point_sets.of(first).problem(first)
        assert problem.places is None
        np.testing.assert_array_equal(problem.training.asked, np.arange(10))


def test_the_first_set_is_kept_and_others_while_there_is_room(point_sets, monkeypatch):
    sets = [point_sets.of(member([0, 1, 2, 3], range(4, end), [5])) for end in (12, 10, 11)]
    monkeypatch.setattr("foldless.learners.gaussian_process._point_sets.KEPT_PAIRS", 12**2 + 11**2)
    assert [point_sets.keeps(point_set) for point_set in sets] == [True, True, False]
    assert point_sets.keeps(sets[0])
    monkeypatch.setattr("foldless.learners.gaussian_process._point_sets.KEPT_PAIRS", 0)
    assert PointSets(GPCoTraining(VIEWS), [X]).keeps(sets[0])
