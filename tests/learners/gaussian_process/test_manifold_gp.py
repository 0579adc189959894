"""The deformed kernel follows two moons where the plain one does not."""

import numpy as np
import pytest
from helpers.two_views import blobs
from sklearn.datasets import make_moons

from foldless.learners import ManifoldGP, ViewGP
from foldless.learners.gaussian_process._graph import LaplacianPower, graph_laplacian
from foldless.learners.gaussian_process._view_kernels import view_kernels
from foldless.learners.gaussian_process.manifold_gp import DeformedKernel, Roughness

X, Y = make_moons(200, noise=0.08, random_state=0)
FIRST = np.concatenate([np.flatnonzero(label == Y)[:2] for label in (0, 1)])
KNOWN = np.where(np.isin(np.arange(200), FIRST), Y, -1)


def test_four_labels_are_enough_for_two_moons():
    assert ManifoldGP(ratio=1000.0).fit(X, KNOWN).score(X, Y) > 0.95
    assert ManifoldGP(ratio=0.0).fit(X, KNOWN).score(X, Y) < 0.9


def test_without_a_penalty_it_is_the_plain_process():
    """Points are the labeled rows alone, so that the width is the same."""
    plain = ViewGP([[0, 1]], gamma=2.0).fit(X[FIRST], Y[FIRST])
    same = ManifoldGP(ratio=0.0, gamma=2.0).fit(X, KNOWN)
    np.testing.assert_allclose(same.decision_function(X), plain.decision_function(X), rtol=1e-9)


def test_new_rows_follow_the_manifold_as_well():
    new, labels = make_moons(100, noise=0.08, random_state=1)
    assert ManifoldGP(ratio=1000.0).fit(X, KNOWN).score(new, labels) > 0.94


def test_a_row_of_the_pool_is_answered_by_the_formula_for_new_rows():
    model = ManifoldGP(ratio=10.0).fit(X, KNOWN)
    nearly = X[50:53] + 1e-9
    np.testing.assert_allclose(model.decision_function(nearly), model.decision_function(X[50:53]), rtol=1e-5)


@pytest.mark.parametrize("degree", [1, 2, 4])
@pytest.mark.parametrize("gamma", [None, 10.0])
def test_a_ratio_beyond_all_rounding_is_the_limit(degree, gamma):
    """Constants on each component cost nothing whatever the ratio is."""
    rng = np.random.default_rng(0)
    rows = np.vstack([rng.normal(size=(60, 2)), rng.normal(size=(30, 2)) + 12])
    labels = np.repeat([0, 1], [60, 30])
    known = np.where(np.isin(np.arange(90), [0, 1, 2, 60]), labels, -1)
    near = ManifoldGP(ratio=1e10, degree=degree, gamma=gamma).fit(rows, known)
    for ratio in (1e14, 1e18, 1e30, 1e300):
        model = ManifoldGP(ratio=ratio, degree=degree, gamma=gamma).fit(rows, known)
        assert model.score(rows, labels) == model.score(rows + 1e-9, labels) == 1
        np.testing.assert_allclose(model.predict_proba(rows), near.predict_proba(rows), atol=0.01)


POINTS = blobs(30, 4)[0]
NEW = blobs(30, 4, seed=1)[0][:5]
LABELED = np.array([0, 7, 19])
(AMBIENT,) = view_kernels(POINTS, [np.arange(4)], "rbf", 0.3, 1)
EYE = np.eye(30)


@pytest.mark.parametrize("ratio", [0.0, 1e-3, 1.0, 1e4])
@pytest.mark.parametrize("degree", [1, 2])
def test_deformed_at_points_and_outside(degree, ratio):
    deformed = DeformedKernel(Roughness(AMBIENT, LaplacianPower(POINTS, 3, degree)), ratio)
    K, M = AMBIENT.values, np.linalg.matrix_power(graph_laplacian(POINTS, 3).toarray(), degree)
    np.testing.assert_allclose(deformed.gram(), np.linalg.solve(EYE + ratio * K @ M, K), atol=1e-8)
    k = AMBIENT.cross(NEW)
    whole = k @ np.linalg.solve(EYE + ratio * M @ K, ratio * M)
    cross, diagonal, less = deformed.at_new_rows(NEW, LABELED)
    np.testing.assert_allclose(cross, (k - whole @ K)[:, LABELED], atol=1e-8)
    np.testing.assert_allclose(diagonal, 1 - np.sum(whole * k, axis=1), atol=1e-8)
    assert less is None
    at_points = deformed.at_new_rows(POINTS[:4], LABELED)
    np.testing.assert_allclose(at_points.cross, deformed.gram()[:4, LABELED], atol=1e-8)
    np.testing.assert_allclose(at_points.diagonal, np.diag(deformed.gram())[:4], atol=1e-8)
