"""Distinct rows are found again by content, dense or sparse, and travel without what they cached."""

import pickle
import tracemalloc
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pytest
from helpers.two_views import VIEWS, blobs
from scipy import sparse

from foldless.core.batch import Member, Part, Question
from foldless.learners import GPCoTraining, ManifoldGP, MultiViewGP, ViewGP
from foldless.learners.gaussian_process import _distinct_rows as distinct_rows
from foldless.learners.gaussian_process._distinct_rows import Cached, Points, check_room, distinct, sample

X = np.array([[1.0, 0.0], [0.0, 2.0], [1.0, -0.0], [0.0, 2.0], [3.0, 0.0]])


@dataclass(frozen=True, eq=False)
class Square(Cached):
    side: float

    @cached_property
    def area(self):
        return self.side**2


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_rows_with_the_same_content_are_one_point(form):
    first, which = distinct(form(X))
    assert first.tolist() == [0, 1, 4]
    assert which.tolist() == [0, 1, 0, 1, 2]


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("other", [np.asarray, sparse.csr_array])
def test_rows_are_found(form, other):
    points = Points(form(X[[0, 1, 4]]))
    assert len(points) == 3
    assert points.find(other(np.array([[0.0, 2.0], [9.0, 9.0], [1.0, 0.0], [3.0, 1e-300]]))).tolist() == [1, -1, 0, -1]


def test_a_sparse_matrix_may_spell_a_row_in_many_ways():
    spelled = sparse.csr_array((np.array([0.0, 1.5, 0.5]), np.array([1, 0, 0]), np.array([0, 3])), shape=(1, 2))
    assert Points(sparse.csr_array(np.array([[2.0, 0.0]]))).find(spelled).tolist() == [0]
    assert spelled.nnz == 3  # the user's matrix is as it was


def test_what_was_cached_stays_behind():
    points = Points(X[[0, 1]])
    small = len(pickle.dumps(points))
    points.find(X)
    assert "_numbers" in points.__dict__
    assert len(pickle.dumps(points)) == small
    points.drop_cache()
    assert points.__dict__.keys() == {"X"}


def test_what_was_forgotten_is_computed_again():
    square = Square(3.0)
    assert square.area == 9
    square.drop_cache()
    assert square.__dict__ == {"side": 3.0}
    assert pickle.loads(pickle.dumps(square)).area == square.area == 9


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_a_sample_does_not_depend_on_the_order(form):
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(300, 3))
    first, second = (form(rows)[rng.permutation(300)] for _ in range(2))
    ours, reordered = (np.asarray(sample(some, 40).sum(axis=1)) for some in (first, second))
    np.testing.assert_array_equal(ours, reordered)
    assert ours.shape == (40,)
    assert sample(first, 300) is first


def test_a_sample_is_as_good_as_random():
    rows = np.arange(10_000.0)[:, None]
    drawn = sample(rows, 1000).ravel()
    assert len(np.unique(drawn)) == 1000
    # the mean of 1,000 of these has standard deviation 0.0087 of their range: 5 of them
    assert abs(drawn.mean() / 9999 - 0.5) < 5 * 0.0087


LEARNERS = [GPCoTraining(VIEWS), MultiViewGP(VIEWS), ManifoldGP(), ViewGP(VIEWS)]


def test_the_most_points_that_are_taken():
    check_room(11_180, "ManifoldGP")
    with pytest.raises(ValueError, match="11,181 distinct rows, about 8 GB"):
        check_room(11_181, "ManifoldGP")
    with pytest.raises(
        ValueError, match=r"ManifoldGP .* all 100,000 distinct rows, about 640 GB.* at most 11,180 rows"
    ):
        check_room(100_000, "ManifoldGP")


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda learner: type(learner).__name__)
def test_alone_and_in_a_batch_distinct_rows_count(learner, monkeypatch):
    X, y, known = blobs(20, 6, 2)
    X[19] = X[18]
    monkeypatch.setattr(distinct_rows, "MAX_BYTES", 8 * 8 * 19**2)
    labels = known if learner.semi_supervised else y
    learner.fit(X, labels)
    monkeypatch.setattr(distinct_rows, "MAX_BYTES", 8 * 8 * 18**2)
    with pytest.raises(ValueError, match="19 distinct rows"):
        learner.fit(X, labels)
    train, rest = Part(0, np.arange(18)), Part(0, np.arange(18, 20))
    member = Member({}, train, y[:18], (Question(rest, "labels"),), False, rest if learner.semi_supervised else None)
    if learner.semi_supervised:
        with pytest.raises(ValueError, match="19 distinct rows"):
            learner.answer_batch([X], [member])
    else:
        learner.answer_batch([X], [member])  # rows that are asked about are no points


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda learner: type(learner).__name__)
def test_the_estimate_is_above_what_is_taken_and_not_twice_that(learner):
    X, y, known = blobs(500, 20, 2)
    labels = known if learner.semi_supervised else y
    learner.fit(X[:50], labels[:50])  # compiles
    tracemalloc.start()
    learner.fit(X, labels)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    needed = distinct_rows.MATRICES * 8 * 500**2
    assert needed / 2 < peak < needed
