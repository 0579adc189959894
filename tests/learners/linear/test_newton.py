"""Newton's method finds scipy's minimum and that of coordinate descent, also where features depend on each other."""

import numpy as np
import pytest
from helpers.linear_problems import blobs, losses, ours, topics, weights_of
from scipy.optimize import minimize as scipy_minimize

from foldless.learners.linear import _newton as newton
from foldless.learners.linear import _paths as paths
from foldless.learners.linear._problem import LinearProblem
from foldless.solvers.linear._csr_rows import Vocabulary


def solved(X, t, costs, loss, tol=1e-6, scaling=1.0, max_iter=100):
    vocabulary = Vocabulary.of(X)
    dense = newton.DenseRows(vocabulary.rows(X), len(vocabulary.used), scaling)
    w, done = newton.minimize(dense, t, costs, loss, np.zeros(len(vocabulary.used) + 1), tol, max_iter)
    whole = np.zeros(X.shape[1] + 1)
    whole[vocabulary.used], whole[-1] = w[:-1], w[-1]
    return whole, done


def objective(X, t, costs, loss, w):
    return w @ w / 2 + costs @ losses(loss, t * (np.c_[X, np.ones(len(X))] @ w))


@pytest.mark.parametrize("loss", newton.LOSSES)
@pytest.mark.parametrize("C", [1e-6, 1e-2, 1.0, 100.0])
def test_it_is_scipys_minimum(loss, C):
    X, y = blobs(80, 5, 2)
    X[::3, 1] = 0
    t, costs = np.where(y == 1, 1.0, -1.0), C * np.linspace(0, 2, 80)
    w, done = solved(X, t, costs, loss)
    assert done > 0
    best = scipy_minimize(lambda v: objective(X, t, costs, loss, v), np.zeros(6), tol=1e-12)
    assert objective(X, t, costs, loss, w) <= best.fun * (1 + 1e-9)


@pytest.mark.parametrize("loss", newton.LOSSES)
@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e4])
@pytest.mark.parametrize("C", [1e-6, 1.0, 1e6])
def test_dependent_features_and_extreme_costs(loss, scale, C):
    X, y = blobs(120, 5, 2)
    X = scale * np.c_[X, X, np.ones(120), np.zeros(120)]
    t = np.where(y == 1, 1.0, -1.0)
    w, done = solved(X, t, np.full(120, C), loss)
    assert done > 0
    if C * scale**2 < 1e6:  # beyond, ½‖w‖² is lost beside the losses
        np.testing.assert_allclose(w[:5], w[5:10], rtol=1e-3, atol=1e-6 / scale)
    assert w[-2] == 0
    near = np.random.default_rng(0).normal(size=(50, len(w))) * np.abs(w).max() * 1e-3
    f = objective(X, t, np.full(120, C), loss, w)
    assert f <= (1 + 1e-7) * min(objective(X, t, np.full(120, C), loss, w + v) for v in near)


@pytest.mark.parametrize("loss", newton.LOSSES)
def test_derivatives_are_differences(loss):
    m = np.array([-3.0, 0.5, 0.99, 1.5, 40.0])
    value, slope, bend = newton.LOSSES[loss](m)
    np.testing.assert_allclose(value, losses(loss, m), atol=1e-12)
    h = 1e-6
    np.testing.assert_allclose(slope, (losses(loss, m + h) - losses(loss, m - h)) / (2 * h), atol=1e-6)
    np.testing.assert_allclose(
        bend, (newton.LOSSES[loss](m + h)[1] - newton.LOSSES[loss](m - h)[1]) / (2 * h), atol=1e-6
    )


@pytest.mark.parametrize("loss", newton.LOSSES)
@pytest.mark.parametrize("k", [2, 5])
def test_it_agrees_with_descent(loss, k, monkeypatch):
    X, y = blobs(200, 6, k)
    model = ours(loss, C=0.1, tol=1e-6, class_weight="balanced")
    sample_weight = np.linspace(0, 2, 200)
    with monkeypatch.context() as patch:
        patch.setattr(paths, "NEWTON_WORK", 0)
        descended = weights_of(model.fit(X, y, sample_weight))
    stepped = weights_of(model.fit(X, y, sample_weight))
    assert model.n_iter_ < 15
    for a, b in zip(stepped, descended, strict=True):
        np.testing.assert_allclose(a, b, atol=1e-4)


def test_rows_past_a_chunk(monkeypatch):
    X, y = blobs(100, 4, 2)
    t = np.where(y == 1, 1.0, -1.0)
    whole = solved(X, t, np.ones(100), "squared_hinge")[0]
    monkeypatch.setattr(newton, "ROWS", 7)
    np.testing.assert_allclose(solved(X, t, np.ones(100), "squared_hinge")[0], whole, atol=1e-10)


def test_where_it_is_used():
    def suits(X, y, loss="squared_hinge"):
        vocabulary = Vocabulary.of(X)
        ones = np.ones(y.max() + 1, np.float32)
        return paths.suits_newton(LinearProblem(
            loss, 1e-3, 100, 1.0, 1, vocabulary.rows(X), y, len(vocabulary.used), len(ones), ones, ones, np.ones(len(y))
        ))  # fmt: skip

    assert suits(*blobs(200, 20, 2))
    assert suits(*blobs(200, 20, 2), loss="logistic")
    assert not suits(*blobs(200, 20, 2), loss="hinge")  # no second derivative
    assert not suits(*blobs(70, 20, 2))  # too few rows
    assert not suits(*blobs(1000, 120, 16))  # the work of sixteen Hessians
    assert not suits(*topics(1000, 100, 2))  # too sparse


def test_too_few_steps_are_told_by_their_sign():
    X, y = blobs(80, 5, 2)
    assert solved(X, np.where(y == 1, 1.0, -1.0), np.ones(80), "logistic", max_iter=1)[1] == -1
