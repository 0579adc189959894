"""The two SVM losses at their optimum: the dual by hand, scipy's minimum, and rows at the edge."""

import numpy as np
import pytest
from helpers.linear_problems import blobs, descend
from scipy.optimize import minimize

from foldless.solvers.linear._csr_rows import Vocabulary


def solved(X, t, loss, C, **settings):
    rows = Vocabulary.of(X).rows(X)
    own = np.where(t > 0, 0, -1)
    (W, b, states, _, _), done = descend(rows, own, len(Vocabulary.of(X).used), loss, C, **settings)
    w = np.zeros(X.shape[1])
    w[Vocabulary.of(X).used] = W.values[:, 0]
    return w, states.values[:, 0].astype(float), done


def primal(X, t, w, loss, costs):
    slack = np.maximum(0, 1 - t * (X @ w))
    return w @ w / 2 + (costs * slack ** (2 if loss == "squared_hinge" else 1)).sum()


def dual(X, t, alpha, loss, costs):
    w = X.T @ (t * alpha)
    ridge = (alpha**2 / (4 * costs)).sum() if loss == "squared_hinge" else 0
    return alpha.sum() - ridge - w @ w / 2


@pytest.mark.parametrize("loss", ["squared_hinge", "hinge"])
@pytest.mark.parametrize("C", [1e-3, 0.1, 1.0, 20.0])
def test_no_gap_between_primal_and_dual(loss, C):
    X, y = blobs(40, 12, 2)
    t = np.where(y == 1, 1.0, -1.0)
    weights = np.linspace(0.5, 2, 40)
    w, alpha, done = solved(X, t, loss, C, weights=weights)
    assert done > 0
    assert (alpha >= 0).all()
    if loss == "hinge":
        assert (alpha <= np.float32(C) * weights.astype(np.float32)).all()
    above, below = primal(X, t, w, loss, C * weights), dual(X, t, alpha, loss, C * weights)
    assert abs(above - below) < 1e-4 * above
    early, alpha, _ = solved(X, t, loss, C, weights=weights, passes=1)  # the gap would tell
    if C >= 0.1:
        gap = primal(X, t, early, loss, C * weights) - dual(X, t, alpha, loss, C * weights)
        assert gap > 1e-2 * above


def test_squared_hinge_is_scipys_minimum():
    X, y = blobs(30, 4, 2, seed=2)
    t = np.where(y == 1, 1.0, -1.0)
    w, _, _ = solved(X, t, "squared_hinge", 2.0)
    best = minimize(lambda v: primal(X, t, v, "squared_hinge", 2.0), np.zeros(4), tol=1e-12)
    np.testing.assert_allclose(w, best.x, atol=1e-4)


def test_hinge_is_scipys_minimum():
    X, y = blobs(30, 4, 2, seed=2)
    t = np.where(y == 1, 1.0, -1.0)
    w, _, _ = solved(X, t, "hinge", 0.5)
    program = minimize(
        lambda a: -dual(X, t, a, "hinge", 0.5), np.full(30, 0.25), bounds=[(0, 0.5)] * 30, method="L-BFGS-B",
        options={"ftol": 1e-15, "gtol": 1e-10, "maxiter": 10_000, "maxfun": 10**6},
    )  # fmt: skip
    np.testing.assert_allclose(w, X.T @ (t * program.x), atol=1e-3)


def test_one_row_by_hand():
    """w = α x with α = min(C, 1 / ‖x‖²), or 1 / (‖x‖² + 1 / 2C)."""
    X, t = np.array([[3.0, 4.0]]), np.array([1.0])
    np.testing.assert_allclose(solved(X, t, "hinge", 1.0)[1], 1 / 25)
    np.testing.assert_allclose(solved(X, t, "hinge", 0.01)[1], 0.01)
    np.testing.assert_allclose(solved(X, t, "squared_hinge", 0.25)[1], 1 / 27, rtol=1e-6)


@pytest.mark.parametrize("loss", ["squared_hinge", "hinge"])
def test_empty_rows_without_intercept(loss):
    """They are lost whatever w is: α = C for the hinge, 2 C for its square, and no other row is disturbed."""
    X, y = blobs(40, 12, 2)
    t = np.where(y == 1, 1.0, -1.0)
    w, _, _ = solved(X, t, loss, 0.5)
    X0, t0 = np.vstack([X, np.zeros((5, 12))]), np.r_[t, [1, -1, 1, -1, 1]]
    w0, alpha, done = solved(X0, t0, loss, 0.5)
    assert done > 0
    np.testing.assert_allclose(w0, w, atol=1e-5)
    np.testing.assert_allclose(alpha[40:], 0.5 if loss == "hinge" else 1.0)


def test_small_caps_on_many_rows_do_not_look_like_the_optimum():
    """Each row can move its own margin by less than tol, and all of them together by thousands."""
    X, y = blobs(20_000, 20, 2)
    t = np.where(y == 1, 1.0, -1.0)
    C = 1e-4
    w, alpha, done = solved(X, t, "hinge", C, tol=0.03)
    assert done > 1
    above, below = primal(X, t, w, "hinge", C), dual(X, t, alpha, "hinge", C)
    assert above - below < 1e-3 * above
