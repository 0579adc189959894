"""The multi-view kernel against its definitions, at points and outside of them."""

import numpy as np
import pytest
from helpers.two_views import blobs

from foldless.learners.gaussian_process._multi_view_kernel import MultiViewKernel
from foldless.learners.gaussian_process._view_kernels import view_kernels

X = blobs(30, 4)[0]
NEW = blobs(30, 4, seed=1)[0][:5]
LABELED = np.array([0, 7, 19])
ONE, TWO = view_kernels(X, [np.arange(2), np.arange(2, 4)], "rbf", (0.3, 0.8), 1)
EYE = np.eye(30)


@pytest.mark.parametrize("coupling", [0.0, 0.1, 10.0, 1e5])
def test_multi_view_is_the_covariance_of_the_sum(coupling):
    """exp(−½ (g₁‖f₁‖² + g₂‖f₂‖² + λ Σ (f₁ − f₂)²)) is a normal density, and f₁ + f₂ has this covariance."""
    g, h = 0.5, 2.0
    kernel = MultiViewKernel(ONE, TWO, g, h, coupling)
    couple = coupling * EYE
    precision = np.block(
        [[g * np.linalg.inv(ONE.values) + couple, -couple], [-couple, h * np.linalg.inv(TWO.values) + couple]]
    )
    covariance = np.linalg.inv(precision)
    expected = sum(covariance[i : i + 30, j : j + 30] for i in (0, 30) for j in (0, 30))
    np.testing.assert_allclose(kernel.gram(), expected, atol=1e-7)


def test_multi_view_outside_of_the_points():
    """A row outside is a point on which nobody asks the views to agree."""
    g, h, coupling = 0.5, 2.0, 3.0
    kernel = MultiViewKernel(ONE, TWO, g, h, coupling)
    both = view_kernels(np.vstack([X, NEW]), [np.arange(2), np.arange(2, 4)], "rbf", (0.3, 0.8), 1)
    a, b = both[0].values / g, both[1].values / h
    d, S = (a - b)[:, :30], (a + b)[:30, :30]
    expected = a + b - coupling * d @ np.linalg.solve(EYE + coupling * S, d.T)
    np.testing.assert_allclose(kernel.gram(), expected[:30, :30], atol=1e-10)
    cross, diagonal, less = kernel.at_new_rows(NEW, LABELED)
    np.testing.assert_allclose(cross, expected[30:][:, LABELED], atol=1e-10)
    np.testing.assert_allclose(diagonal, np.diag(expected)[30:], atol=1e-10)
    assert less is None
