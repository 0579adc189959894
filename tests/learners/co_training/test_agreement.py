"""Two views as one L1 problem: its objective written out, minimized by SciPy, by FISTA, and where views go apart."""

import numpy as np
import pytest
from helpers.slow import slow_beyond
from helpers.two_views import VIEWS, blobs
from scipy import sparse
from scipy.optimize import minimize
from scipy.special import expit

from foldless.learners.co_training._agreement import Agreement

N, U = 8, 40


def problem(n_classes=2, form=np.asarray, seed=0):
    X, y, _ = blobs(N + U, N, n_classes, seed=seed)
    views = [X[:, view] / 2 for view in VIEWS]
    codes = y[:N]
    return views, codes, Agreement([form(v) for v in views], np.arange(N), np.arange(N, N + U), codes, n_classes)


def objective(parts, views, signs, lam, mu):
    """As the paper has it, with the weights of one class."""
    scores = [view @ coef + intercept for view, (coef, intercept) in zip(views, parts, strict=True)]
    loss = sum(np.logaddexp(0, -signs * f[:N]).mean() for f in scores)
    return loss + lam * sum(np.abs(coef).sum() for coef, _ in parts) + mu * np.mean((scores[0] - scores[1])[N:] ** 2)


def solved(agreement, lam, mu, tol=1e-8):
    weights = agreement.start()
    assert agreement.solve(lam, mu, tol, 1000, weights) == 0
    return agreement.by_view(weights)


def of_class(parts, k=0):
    return [(coef[k], intercept[k]) for coef, intercept in parts]


@pytest.mark.parametrize("lam", [0.1, 1e-3])
@pytest.mark.parametrize("mu", [0.0, 0.01, 1.0, 100.0])
def test_minimum_of_scipy(lam, mu):
    views, codes, agreement = problem()
    signs = 2.0 * codes - 1

    def split(v):  # w = v₊ − v₋ makes the penalty linear
        w, b = v[:4] - v[4:8], v[8:]
        parts = [(w[:2], b[0]), (w[2:], b[1])]
        return objective(parts, views, signs, 0.0, mu) + lam * v[:8].sum()

    bounds = [(0, None)] * 8 + [(None, None)] * 2
    theirs = minimize(split, np.full(10, 0.1), method="L-BFGS-B", bounds=bounds, tol=1e-14, options={"maxfun": 10**5})
    ours = objective(of_class(solved(agreement, lam, mu)), views, signs, lam, mu)
    assert ours <= theirs.fun + 1e-9
    assert ours == pytest.approx(theirs.fun, abs=1e-5)


def fista(views, signs, lam, mu, steps=20_000):
    """Beck and Teboulle (2009) with step 1 / L, on the columns of both views and two intercepts."""
    A = np.hstack([views[0], np.ones((N + U, 1)), views[1], np.ones((N + U, 1))])
    first, second, apart = A[:N] * [1, 1, 1, 0, 0, 0], A[:N] * [0, 0, 0, 1, 1, 1], A[N:] * [1, 1, 1, -1, -1, -1]
    curvature = (first.T @ first + second.T @ second) / (4 * N) + 2 * mu * apart.T @ apart / U
    step, penalties = 1 / np.linalg.eigvalsh(curvature)[-1], lam * np.array([1, 1, 0, 1, 1, 0])
    w = v = np.zeros(6)
    t = 1.0
    for _ in range(steps):
        gradient = sum(-rows.T @ (signs * expit(-signs * (rows @ v))) / N for rows in (first, second))
        free = v - step * (gradient + 2 * mu * apart.T @ (apart @ v) / U)
        new = np.sign(free) * np.maximum(np.abs(free) - step * penalties, 0)
        t, before = (1 + np.sqrt(1 + 4 * t * t)) / 2, t
        v, w = new + (before - 1) / t * (new - w), new
    return [(w[:2], w[2]), (w[3:5], w[5])]


@pytest.mark.parametrize(("lam", "mu"), slow_beyond(1, [(0.1, 0.1), (0.02, 1.0), (0.3, 0.0), (0.05, 20.0)]))
def test_minimum_of_fista(lam, mu):
    views, codes, agreement = problem(seed=1)
    theirs, ours = fista(views, 2.0 * codes - 1, lam, mu), of_class(solved(agreement, lam, mu))
    for (coef, intercept), (other, b) in zip(ours, theirs, strict=True):
        np.testing.assert_allclose([*coef, intercept], [*other, b], atol=1e-5)


@pytest.mark.parametrize("form", [sparse.csr_matrix, sparse.csc_array])
def test_sparse_is_dense(form):
    _, _, dense = problem()
    _, _, other = problem(form=form)
    for first, second in zip(of_class(solved(dense, 0.01, 1.0)), of_class(solved(other, 0.01, 1.0)), strict=True):
        np.testing.assert_allclose(first[0], second[0], atol=1e-8)
        np.testing.assert_allclose(first[1], second[1], atol=1e-8)


def test_each_of_three_classes_is_against_the_rest():
    views, codes, agreement = problem(3)
    parts = solved(agreement, 0.01, 1.0)
    for k in range(3):
        alone = Agreement(views, np.arange(N), np.arange(N, N + U), (codes == k).astype(int), 2)
        for first, second in zip(of_class(parts, k), of_class(solved(alone, 0.01, 1.0)), strict=True):
            np.testing.assert_array_equal(first[0], second[0])
            assert first[1] == second[1]


@pytest.mark.parametrize("exponent", [-40, -20, 0, 12, 25])
def test_it_ends_everywhere_on_the_papers_grid(exponent):
    """A gradient method with step 1 / L would move as little as μ is large."""
    views, codes, agreement = problem(seed=2)
    for lam in 2.0 ** np.array([3, -10, -20]):
        parts = of_class(solved(agreement, lam, 2.0**exponent, 1e-4))
        least = objective(of_class(solved(agreement, lam, 2.0**exponent)), views, 2.0 * codes - 1, lam, 2.0**exponent)
        got = objective(parts, views, 2.0 * codes - 1, lam, 2.0**exponent)
        assert got - least <= 1e-3


def test_without_unlabeled_rows_the_views_are_apart():
    views, codes, _ = problem()
    views = [view[:N] for view in views]
    none = Agreement(views, np.arange(N), np.arange(0), codes, 2)
    for first, second in zip(of_class(solved(none, 0.01, 50.0)), of_class(solved(none, 0.01, 0.0)), strict=True):
        np.testing.assert_array_equal(first[0], second[0])
