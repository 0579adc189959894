"""Coupling pulls two views together, up to their consensus."""

import numpy as np
import pytest
from helpers.two_views import VIEWS, blobs, synth

from foldless.learners import MultiViewGP, ViewGP
from foldless.learners.gaussian_process._view_kernels import view_kernels
from foldless.learners.gaussian_process.multi_view_gp import MultiViewKernel

X, Y, KNOWN = blobs(60, 6)


def test_without_coupling_it_is_the_sum_of_the_kernels():
    """Stacked linear kernels are their sum."""
    stacked = ViewGP(VIEWS, form="stacked", kernel="linear").fit(X[:6], Y[:6])
    free = MultiViewGP(VIEWS, kernel="linear", coupling=0.0).fit(X, KNOWN)
    np.testing.assert_allclose(free.decision_function(X), stacked.decision_function(X), rtol=1e-8)


def test_coupling_uses_the_pool():
    errors = {}
    for coupling in (0.0, 1e4):
        wrong = []
        for seed in range(5):
            X, y, known = synth(seed)
            model = MultiViewGP(VIEWS, kernel="centered_linear", coupling=coupling).fit(X, known)
            wrong.append(np.mean(model.predict(X)[4:] != y[4:]))
        errors[coupling] = np.mean(wrong)
    assert errors[1e4] < 0.5 * errors[0.0]


def test_manifold_co_regularization():
    model = MultiViewGP([slice(None)] * 2, kernel=("rbf", "graph"), n_neighbors=3, coupling=10.0, penalty2=10.0)
    assert model.fit(X, KNOWN).score(X, Y) > 0.8


POINTS = blobs(30, 4)[0]
NEW = blobs(30, 4, seed=1)[0][:5]
LABELED = np.array([0, 7, 19])
ONE, TWO = view_kernels(POINTS, [np.arange(2), np.arange(2, 4)], "rbf", (0.3, 0.8), 1)
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
    both = view_kernels(np.vstack([POINTS, NEW]), [np.arange(2), np.arange(2, 4)], "rbf", (0.3, 0.8), 1)
    a, b = both[0].values / g, both[1].values / h
    d, S = (a - b)[:, :30], (a + b)[:30, :30]
    expected = a + b - coupling * d @ np.linalg.solve(EYE + coupling * S, d.T)
    np.testing.assert_allclose(kernel.gram(), expected[:30, :30], atol=1e-10)
    cross, diagonal, less = kernel.at_new_rows(NEW, LABELED)
    np.testing.assert_allclose(cross, expected[30:][:, LABELED], atol=1e-10)
    np.testing.assert_allclose(diagonal, np.diag(expected)[30:], atol=1e-10)
    assert less is None
