"""Distinct rows are found again by content, dense or sparse, and travel without what they cached."""

import pickle
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pytest
from scipy import sparse

from foldless.learners.gaussian_process._distinct_rows import Cached, Points, distinct, sample

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
