"""The optimum of the L1 problem: against scikit-learn, against SciPy, by its own conditions, and from anywhere."""

import numpy as np
import pytest
from scipy import sparse
from scipy.optimize import minimize
from scipy.special import expit
from sklearn.linear_model import LogisticRegression

from foldless.solvers.linear._l1_logistic import L1Rows, solve
from foldless.solvers.linear._l1_table import L1Table


def problem(seed, n=30, d=8):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * (rng.random((n, d)) < 0.6)
    y = np.where(X[:, 0] - X[:, 1] + rng.normal(size=n) > 0.3, 1.0, -1.0)
    return X, y


def optimum(X, y, lam, tol=1e-8, start=None, shares=None):
    """Weights with the intercept last, and the steps."""
    n, d = X.shape
    weights = np.zeros(d + 1) if start is None else start.copy()
    penalties = np.append(np.full(d, lam), 0.0)
    rows = L1Rows(np.arange(n), y, np.full(n, 1 / n) if shares is None else shares)
    steps = solve(L1Table.with_intercept(X), rows, penalties, tol, 1000, weights)
    assert steps >= 0
    return weights, steps


def objective(w, X, y, lam, shares=None):
    s = X @ w[:-1] + w[-1]
    losses = np.where(y == 0, s**2, np.logaddexp(0, -y * s))
    return losses @ (np.full(len(y), 1 / len(y)) if shares is None else shares) + lam * np.abs(w[:-1]).sum()


def violation(w, X, y, lam):
    g = np.append(X, np.ones((len(X), 1)), axis=1).T @ (-y * expit(-y * (X @ w[:-1] + w[-1]))) / len(y)
    ours = np.where(w[:-1] == 0, np.abs(g[:-1]) - lam, np.abs(g[:-1] + lam * np.sign(w[:-1])))
    return max(ours.max() / lam, abs(g[-1]) / min(1, lam))


@pytest.mark.parametrize("lam", [0.1, 0.03, 0.003])  # with no weights saga never looks at its intercept
@pytest.mark.parametrize("seed", range(3))
def test_optimum_of_scikit_learn(seed, lam):
    X, y = problem(seed)
    theirs = LogisticRegression(l1_ratio=1, solver="saga", C=1 / (len(y) * lam), tol=1e-10, max_iter=100_000)
    theirs.fit(X, y)
    other = np.append(theirs.coef_[0], theirs.intercept_)
    ours, _ = optimum(X, y, lam)
    np.testing.assert_allclose(objective(ours, X, y, lam), objective(other, X, y, lam), rtol=0, atol=1e-9)
    np.testing.assert_allclose(ours, other, atol=1e-4)
    assert ((ours != 0) == (np.abs(other) > 1e-9)).all()


@pytest.mark.parametrize("lam", [0.1, 1e-3, 1e-5])
def test_optimum_of_scipy_with_rows_of_squared_loss(lam):
    X, y = problem(5, n=24, d=3)
    y[16:] = 0  # the conditions that their scores be near 0
    shares = np.random.default_rng(0).uniform(0.01, 0.1, size=24)

    def split(v):  # w = v₊ − v₋ makes the penalty linear
        w = np.append(v[:3] - v[3:6], v[6])
        return objective(w, X, y, 0.0, shares) + lam * v[:6].sum()

    bounds = [(0, None)] * 6 + [(None, None)]
    theirs = minimize(split, np.full(7, 0.1), method="L-BFGS-B", bounds=bounds, tol=1e-14, options={"maxfun": 10**5})
    ours, _ = optimum(X, y, lam, shares=shares)
    assert objective(ours, X, y, lam, shares) == pytest.approx(theirs.fun, abs=1e-6)
    assert objective(ours, X, y, lam, shares) <= theirs.fun + 1e-9


@pytest.mark.parametrize("lam", [1.0, 1e-2, 1e-4, 1e-6])
@pytest.mark.parametrize("tol", [1e-2, 1e-6])
def test_what_it_promises_holds_for_many_features_and_classes_that_do_not_overlap(lam, tol):
    X, y = problem(3, n=20, d=200)
    w, _ = optimum(X, y, lam, tol)
    assert violation(w, X, y, lam) <= tol * (1 + 1e-6)
    best, _ = optimum(X, y, lam, 1e-10)
    assert objective(w, X, y, lam) - objective(best, X, y, lam) <= 2 * tol * np.log(2)
    assert (w != 0).sum() <= 21


def test_no_weights_are_the_shares_of_the_classes():
    X, y = problem(1)
    w, _ = optimum(X, y, 10.0)
    assert not w[:-1].any()
    assert expit(w[-1]) == pytest.approx(np.mean(y > 0))


@pytest.mark.parametrize("form", [sparse.csr_matrix, sparse.csr_array, sparse.csc_matrix, sparse.coo_array])
def test_sparse_is_dense(form):
    X, y = problem(2)
    np.testing.assert_allclose(optimum(form(X), y, 0.02)[0], optimum(X, y, 0.02)[0], atol=1e-12)


def test_entries_that_are_there_twice_are_added():
    X = sparse.csr_matrix((np.ones(5), [0, 0, 1, 1, 0], [0, 2, 3, 4, 5]), shape=(4, 2))
    y = np.array([1.0, -1.0, -1.0, 1.0])
    np.testing.assert_allclose(optimum(X, y, 0.01)[0], optimum(X.toarray(), y, 0.01)[0], atol=1e-10)
    assert X.nnz == 5  # the matrix that was passed is as it was


@pytest.mark.parametrize("tol", [1e-2, 1e-4, 1e-6])
def test_no_step_from_the_optimum(tol):
    X, y = problem(4, n=60, d=30)
    cold, _ = optimum(X, y, 0.01, tol)
    again, steps = optimum(X, y, 0.01, tol, start=cold)
    assert steps == 0
    assert (again == cold).all()


def test_where_rounding_hides_the_tolerance_a_restart_stays():
    """Steps at violations of 1e-8 change F by less than its last digit: what it confirms there is rounding."""
    X, y = problem(4, n=60, d=30)
    cold, _ = optimum(X, y, 0.01, 1e-12)
    again, _ = optimum(X, y, 0.01, 1e-12, start=cold)
    np.testing.assert_allclose(again, cold, rtol=0, atol=1e-9)


def test_from_anywhere_to_the_same_optimum_and_from_nearby_in_fewer_steps():
    X, y = problem(4, n=60, d=30)
    cold, steps = optimum(X, y, 0.01)
    for seed in range(3):
        far = np.random.default_rng(seed).normal(scale=5, size=31)
        np.testing.assert_allclose(optimum(X, y, 0.01, start=far)[0], cold, atol=1e-6)
    near, _ = optimum(X[:-2], y[:-2], 0.01)
    assert optimum(X, y, 0.01, start=near)[1] < steps


def test_columns_of_zeros_and_copies():
    X, y = problem(6)
    lam = 0.02
    alone, _ = optimum(X, y, lam)
    wide = np.hstack([X, np.zeros((30, 2)), X])
    start = np.random.default_rng(0).normal(size=wide.shape[1] + 1)
    for begin in (None, start):
        w, _ = optimum(wide, y, lam, start=begin)
        assert not w[8:10].any()
        np.testing.assert_allclose(w[:8] + w[10:18], alone[:8], atol=1e-5)
        assert objective(w, wide, y, lam) == pytest.approx(objective(alone, X, y, lam), abs=1e-9)


def test_identical_rows_in_both_classes():
    X = np.repeat([[1.0, 2.0], [0.0, 1.0]], 4, axis=0)
    y = np.array([1.0, -1.0, 1.0, -1.0, 1.0, 1.0, 1.0, -1.0])
    w, _ = optimum(X, y, 1e-4)
    assert expit(X[0] @ w[:-1] + w[-1]) == pytest.approx(0.5, abs=1e-2)
    assert expit(X[4] @ w[:-1] + w[-1]) == pytest.approx(0.75, abs=1e-2)


def test_scores_of_any_size_stay_finite():
    X, y = problem(7)
    for scale in (1e-8, 1e8):
        w, _ = optimum(X * scale, y, 0.02 * scale, tol=1e-4)
        np.testing.assert_allclose(w[:-1] * scale, optimum(X, y, 0.02)[0][:-1], atol=1e-2)
        far, _ = optimum(X, y, 0.02, start=np.full(9, scale))
        np.testing.assert_allclose(far, optimum(X, y, 0.02)[0], atol=1e-6)


def test_steps_that_did_not_do_are_told():
    X, y = problem(0, d=50)
    rows = L1Rows(np.arange(30), y, np.full(30, 1 / 30))
    assert solve(L1Table.with_intercept(X), rows, np.append(np.full(50, 1e-4), 0), 1e-8, 1, np.zeros(51)) < 0
