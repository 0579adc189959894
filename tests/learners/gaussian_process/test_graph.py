"""Laplacians by hand, and the kernel of a graph with a row that hangs on it."""

import numpy as np
import pytest

from foldless.learners.gaussian_process._graph import RIDGE, GraphKernel, LaplacianPower, graph_laplacian

LINE = np.array([[0.0], [1.0], [3.0], [10.0], [11.5]])
ONE = np.array([[1, -1, 0, 0, 0], [-1, 2, -1, 0, 0], [0, -1, 1, 0, 0], [0, 0, 0, 1, -1], [0, 0, 0, -1, 1]])
COLUMN = np.array([0])


def test_one_neighbor_each_by_hand():
    np.testing.assert_array_equal(graph_laplacian(LINE, 1).toarray(), ONE)


def test_more_neighbors_than_points_is_everybody():
    np.testing.assert_array_equal(graph_laplacian(LINE, 99).toarray(), 5 * np.eye(5) - 1)
    np.testing.assert_array_equal(graph_laplacian(LINE[:1], 2).toarray(), [[0]])


def test_the_kernel_is_the_inverse():
    np.testing.assert_allclose(
        GraphKernel(LINE, COLUMN, 1).values @ (ONE + RIDGE * np.eye(5)), np.eye(5), rtol=0, atol=1e-9
    )


def test_one_more_row_with_one_neighbor_is_as_far_from_all_as_in_the_larger_graph():
    """The variance of f(x) − f(z), which does not know the common constant that the ridge is for."""
    larger = GraphKernel(np.array([[0.0], [1.0], [3.0], [10.0], [11.5], [14.0]]), COLUMN, 1).values
    kernel, new = GraphKernel(LINE, COLUMN, 1), np.array([[14.0]])
    np.testing.assert_allclose(kernel.cross(new)[0], kernel.values[4])
    for z in (3, 4):
        there = larger[5, 5] + larger[z, z] - 2 * larger[5, z]
        here = kernel.diagonal(new)[0] + kernel.values[z, z] - 2 * kernel.cross(new)[0, z]
        assert here == pytest.approx(there, abs=1e-4)


def test_one_more_row_with_two_neighbors_is_their_mean():
    kernel = GraphKernel(LINE, COLUMN, 2)
    mean = kernel.values[[1, 2]].mean(axis=0)
    np.testing.assert_allclose(kernel.cross(np.array([[2.2]]))[0], mean)
    assert kernel.diagonal(np.array([[2.2]]))[0] == pytest.approx(mean[[1, 2]].mean() + 0.5)


@pytest.mark.parametrize("degree", [1, 2, 3])
def test_the_root_of_a_power(degree):
    X = np.random.default_rng(0).normal(size=(15, 2))
    L = graph_laplacian(X, 3).toarray()
    S = LaplacianPower(X, 3, degree).values
    np.testing.assert_allclose(S @ S, np.linalg.matrix_power(L, degree), atol=1e-9 * 8**degree)


def test_what_is_constant_on_each_component_costs_nothing():
    """Not even rounding, which a large weight would multiply."""
    rng = np.random.default_rng(1)
    X = np.vstack([rng.normal(size=(20, 2)) + 30 * at for at in range(3)])
    S = LaplacianPower(X, 5, 1).values
    for at in range(3):
        f = np.zeros(60)
        f[20 * at : 20 * at + 20] = 1
        assert np.abs(S @ f).max() < 1e-13  # the root of an eigenvalue of 1e-16 would be 1e-8
