"""Rows by their entries, against the dense matrix."""

import numpy as np
import pytest
from scipy import sparse

from foldless.solvers.linear._l1_table import L1Table, descend, direct, restrict, score

ROWS = np.array([4, 0, 4, 2])  # in any order, one of them twice


def matrix():
    rng = np.random.default_rng(0)
    return rng.normal(size=(6, 9)) * (rng.random((6, 9)) < 0.5)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix, sparse.csc_array, sparse.coo_array])
def test_scores_and_gradients(form):
    X = np.hstack([matrix(), np.ones((6, 1))])
    table, w, first = L1Table.with_intercept(form(matrix())), np.arange(10.0), np.array([1.0, -2.0, 0.5, 3.0])
    scores, gradient = np.empty(4), np.full(10, np.nan)
    score(table, ROWS, w, scores)
    descend(table, ROWS, first, gradient)
    np.testing.assert_allclose(scores, X[ROWS] @ w)
    np.testing.assert_allclose(gradient, X[ROWS].T @ first)


@pytest.mark.parametrize("features", [[0, 3, 8], [5], [], list(range(9))])
def test_some_features_of_some_rows(features):
    X, table = matrix(), L1Table.of(matrix())
    part = restrict(table, ROWS, np.array(features, np.int64), 9)
    n = part.starts[-1]
    dense = sparse.csr_matrix((part.values[:n], part.places[:n], part.starts), shape=(4, max(len(features), 1)))
    np.testing.assert_array_equal(dense.toarray()[:, : len(features)], X[ROWS][:, features])
    direction, moves = np.arange(1.0, len(features) + 1), np.full(4, np.nan)
    direct(part, direction, moves)
    np.testing.assert_allclose(moves, X[ROWS][:, features] @ direction)


def test_entries_that_are_there_twice_are_added():
    X = sparse.csr_matrix((np.ones(5), [0, 0, 1, 1, 0], [0, 2, 3, 4, 5]), shape=(4, 2))
    table = L1Table.of(X)
    assert table.values.tolist() == [2, 1, 1, 1]
    assert table.columns.tolist() == [0, 1, 1, 0]
    assert X.nnz == 5  # the matrix that was passed is as it was
