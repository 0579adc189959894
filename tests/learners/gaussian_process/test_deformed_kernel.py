"""The deformed kernel against its definition, at points and outside of them."""

import numpy as np
import pytest
from helpers.two_views import blobs

from foldless.learners.gaussian_process._deformed_kernel import DeformedKernel, Roughness
from foldless.learners.gaussian_process._graph import LaplacianPower, graph_laplacian
from foldless.learners.gaussian_process._view_kernels import view_kernels

X = blobs(30, 4)[0]
NEW = blobs(30, 4, seed=1)[0][:5]
LABELED = np.array([0, 7, 19])
(AMBIENT,) = view_kernels(X, [np.arange(4)], "rbf", 0.3, 1)
EYE = np.eye(30)


@pytest.mark.parametrize("ratio", [0.0, 1e-3, 1.0, 1e4])
@pytest.mark.parametrize("degree", [1, 2])
def test_deformed_at_points_and_outside(degree, ratio):
    deformed = DeformedKernel(Roughness(AMBIENT, LaplacianPower(X, 3, degree)), ratio)
    K, M = AMBIENT.values, np.linalg.matrix_power(graph_laplacian(X, 3).toarray(), degree)
    np.testing.assert_allclose(deformed.gram(), np.linalg.solve(EYE + ratio * K @ M, K), atol=1e-8)
    k = AMBIENT.cross(NEW)
    whole = k @ np.linalg.solve(EYE + ratio * M @ K, ratio * M)
    cross, diagonal, less = deformed.at_new_rows(NEW, LABELED)
    np.testing.assert_allclose(cross, (k - whole @ K)[:, LABELED], atol=1e-8)
    np.testing.assert_allclose(diagonal, 1 - np.sum(whole * k, axis=1), atol=1e-8)
    assert less is None
    at_points = deformed.at_new_rows(X[:4], LABELED)
    np.testing.assert_allclose(at_points.cross, deformed.gram()[:4, LABELED], atol=1e-8)
    np.testing.assert_allclose(at_points.diagonal, np.diag(deformed.gram())[:4], atol=1e-8)
