"""Rows for the kernels: what is kept, what is left out, and that X is left alone."""

import numpy as np
import pytest
from scipy import sparse

from foldless.solvers.linear._csr_rows import Csr, Vocabulary, as_csr

X = np.array([[0, 2.0, 0, 0, 1], [0, 3, 0, 4, 0], [0, 0, 0, 0, 0], [0, 5, 0, 0, 6]])


def dense(rows, d):
    out = np.zeros((rows.n, d))
    for i in range(rows.n):
        for k in range(rows.starts[i], rows.starts[i + 1]):
            out[i, rows.columns[k]] += rows.values[k]
    return out


def test_unused_features_go_and_others_are_numbered_as_they_come():
    vocabulary = Vocabulary.of(X)
    assert vocabulary.used.tolist() == [1, 4, 3]
    assert vocabulary.place.tolist() == [-1, 0, -1, 2, 1]
    rows = vocabulary.rows(X)
    assert (dense(rows, 3) == X[:, [1, 4, 3]]).all()
    assert rows.squares().tolist() == [5, 25, 0, 61]
    assert [array.dtype for array in rows] == [np.int64, np.int32, np.float32]


@pytest.mark.parametrize("make", [sparse.csr_matrix, sparse.csr_array, sparse.csc_array, sparse.coo_matrix])
def test_dense_and_sparse_are_the_same_rows(make):
    given, wanted = make(X), Vocabulary.of(X)
    vocabulary = Vocabulary.of(given)
    for got, expected in zip((*vocabulary, *vocabulary.rows(given)), (*wanted, *wanted.rows(X)), strict=True):
        assert (got == expected).all()


WIDE = sparse.csr_array(np.arange(1, 25, dtype=float).reshape(3, 8))


def test_copies_in_several_classes_follow_each_other_round_a_circle():
    rows = Vocabulary.of(WIDE).rows(WIDE[[0, 1, 0, 2, 0, 1, 1, 2]])
    assert rows.copies(np.array([0, 1, 2, 1, 2, 1, 1, -1])).tolist() == [2, 1, 4, 7, 0, 5, 6, 3]


def test_more_copies_than_half_the_entries_are_left_to_themselves():
    rows = Vocabulary.of(WIDE).rows(WIDE[[0, 0, 0, 0, 0, 1, 1, 1, 1]])
    assert rows.copies(np.array([0, 1, 0, 1, 0, 0, 1, 0, 1])).tolist() == [0, 1, 2, 3, 4, 6, 7, 8, 5]
    empty = sparse.csr_array(np.array([[0.0, 0], [0, 0], [1, 2]]))
    assert Vocabulary.of(empty).rows(empty).copies(np.arange(3)).tolist() == [0, 1, 2]


def test_a_copy_may_have_its_entries_in_another_order():
    entries, columns = np.array([2.0, 1, 3, 4, 3, 1, 4, 2]), np.array([1, 4, 0, 2, 0, 4, 2, 1])
    swapped = sparse.csr_array((entries, columns, np.array([0, 4, 8])), shape=(2, 5))
    assert Vocabulary.of(swapped).rows(swapped).copies(np.arange(2)).tolist() == [1, 0]


def test_other_rows_lose_features_that_no_training_row_has():
    vocabulary = Vocabulary.of(X[:1])
    for other in (X, sparse.csr_array(X)):
        assert (dense(vocabulary.rows(other), 2) == X[:, [1, 4]]).all()
        assert (dense(vocabulary.rows(other, np.array([3, 1])), 2) == X[[3, 1]][:, [1, 4]]).all()


def test_explicit_zeros_are_none():
    stored = sparse.csr_array((np.array([0.0, 2.0]), np.array([0, 1]), np.array([0, 2])), shape=(1, 2))
    vocabulary = Vocabulary.of(stored)
    assert vocabulary.used.tolist() == [1]
    assert vocabulary.rows(stored).values.tolist() == [2]


def test_entries_that_come_twice_are_added():
    """Else the squares would be too small, and steps of coordinate descent too long."""
    twice = sparse.csr_array((np.array([1.0, 2.0, 3.0]), np.array([1, 1, 0]), np.array([0, 3])), shape=(1, 2))
    rows = Vocabulary.of(twice).rows(twice)
    assert sorted(rows.values) == [3, 3]
    assert rows.squares().tolist() == [18]
    assert twice.nnz == 3  # X is left alone
    assert twice.indices.tolist() == [1, 1, 0]


def test_squares_of_small_rows_beside_large_ones():
    values = np.array([1e4] * 1000 + [1e-3, 1e4], dtype=np.float32)
    rows = Csr(np.arange(1003), np.zeros(1002, np.int32), values)
    np.testing.assert_allclose(rows.squares(), values**2, rtol=1e-6)


def test_shapes_at_the_edge():
    for empty in (np.zeros((3, 4)), sparse.csr_array((3, 4))):
        vocabulary = Vocabulary.of(empty)
        rows = vocabulary.rows(empty)
        assert (len(vocabulary.used), rows.n, len(rows.values), rows.squares().tolist()) == (0, 3, 0, [0, 0, 0])
    assert as_csr(np.asfortranarray(X)).toarray().tolist() == X.tolist()
    wide = sparse.csr_array(X)
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    assert (dense(Vocabulary.of(wide).rows(wide), 3) == X[:, [1, 4, 3]]).all()
