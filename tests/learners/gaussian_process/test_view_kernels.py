"""Kernels by their formulas, between points and with later rows, dense and sparse."""

import pickle

import numpy as np
import pytest
from helpers.two_views import blobs
from scipy import sparse
from scipy.spatial.distance import cdist, pdist
from sklearn.gaussian_process.kernels import RBF
from sklearn.metrics.pairwise import rbf_kernel

from foldless.learners import Precomputed
from foldless.learners.gaussian_process import _view_kernels as view_kernels_module
from foldless.learners.gaussian_process._view_kernels import PlainKernel, view_kernels

rng = np.random.default_rng(0)
X = rng.normal(size=(12, 5)) * (rng.random((12, 5)) < 0.6)
NEW = rng.normal(size=(3, 5))
COLUMNS = np.array([1, 3, 4])
P, Q = X[:, COLUMNS], NEW[:, COLUMNS]
CENTER = P.mean(axis=0)
FORMULAS = {
    "linear": lambda A, B: A @ B.T,
    "centered_linear": lambda A, B: (A - CENTER) @ (B - CENTER).T,
    "rbf": lambda A, B: np.exp(-(cdist(A, B) ** 2) / np.median(pdist(P)) ** 2),
}


@pytest.mark.parametrize("name", FORMULAS)
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_values_are_those_of_the_formula(name, form):
    (kernel,) = view_kernels(form(X), [COLUMNS], name, None, 1)
    formula = FORMULAS[name]
    np.testing.assert_allclose(kernel.values, formula(P, P), atol=1e-12)
    np.testing.assert_allclose(kernel.values, kernel.values.T, atol=1e-14)
    np.testing.assert_allclose(kernel.cross(form(NEW)), formula(Q, P), atol=1e-12)
    np.testing.assert_allclose(kernel.diagonal(form(NEW)), np.diag(formula(Q, Q)), atol=1e-12)


def test_a_width_of_ones_own():
    (kernel,) = view_kernels(X, [COLUMNS], "rbf", 0.3, 1)
    np.testing.assert_allclose(kernel.values, np.exp(-0.3 * cdist(P, P) ** 2), atol=1e-12)


def test_where_nothing_varies_the_width_is_one():
    (kernel,) = view_kernels(np.zeros((4, 2)), [np.arange(2)], "rbf", None, 1)
    assert kernel.gamma == 1


def test_a_function_and_a_kernel_of_scikit_learn():
    for function in (RBF(1.5), lambda A, B: np.exp(-(cdist(A, B) ** 2) / 4.5)):
        (kernel,) = view_kernels(X, [COLUMNS], function, None, 1)
        np.testing.assert_allclose(kernel.values, RBF(1.5)(P), atol=1e-12)
        np.testing.assert_allclose(kernel.cross(NEW), RBF(1.5)(Q, P), atol=1e-12)
        np.testing.assert_allclose(kernel.diagonal(NEW), np.ones(3))


def test_functions_and_sparse_rows():
    form = sparse.csr_array
    (kernel,) = view_kernels(form(X), [COLUMNS], RBF(1.5), None, 1)
    np.testing.assert_allclose(kernel.values, RBF(1.5)(P), atol=1e-12)
    np.testing.assert_allclose(kernel.cross(form(NEW)), RBF(1.5)(Q, P), atol=1e-12)
    np.testing.assert_allclose(kernel.diagonal(form(NEW)), np.ones(3))
    (kernel,) = view_kernels(form(X), [COLUMNS], lambda A, B: (A @ B.T).toarray(), None, 1)  # one that wants them
    np.testing.assert_allclose(kernel.values, P @ P.T, atol=1e-12)
    (kernel,) = view_kernels(form(X), [COLUMNS], cdist, None, 1)
    with pytest.raises(
        ValueError, match=r"kernel <function cdist .* does not take sparse matrices .*: pass X.toarray\(\)"
    ):
        _ = kernel.values


def test_each_view_may_have_its_own():
    first, second = view_kernels(X, [COLUMNS, np.array([0])], ("linear", "rbf"), (None, 2.0), 1)
    np.testing.assert_allclose(first.values, P @ P.T)
    np.testing.assert_allclose(second.values, np.exp(-2 * cdist(X[:, :1], X[:, :1]) ** 2))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("poly", None, 1), "kernel must be one of 'rbf'.* got 'poly'"),
        (("rbf", 0.0, 1), "gamma == 0.0, must be > 0"),
        (("rbf", None, 0), "n_neighbors == 0, must be >= 1"),
        ((("rbf",) * 3, None, 1), "kernel must be one value for all views or one for each of the 2"),
        ((lambda A, B: np.full((len(A), len(B)), np.nan), None, 1), "must give finite values"),
        ((Precomputed(np.eye(3)), None, 1), "one column, row numbers from 0 to 2"),
    ],
)
def test_bad_kernels_are_named(arguments, message):
    with pytest.raises((ValueError, TypeError), match=message):
        [kernel.values for kernel in view_kernels(X, [COLUMNS, np.array([0])], *arguments)]


def test_the_median_of_many_points_is_that_of_a_sample_in_any_order(monkeypatch):
    many = np.random.default_rng(1).normal(size=(400, 2))
    both = [np.arange(2)]
    (whole,) = view_kernels(many, both, "rbf", None, 1)
    monkeypatch.setattr(view_kernels_module, "MANY", 399)
    monkeypatch.setattr(view_kernels_module, "SAMPLE", 100)
    (sampled,) = view_kernels(many, both, "rbf", None, 1)
    (reversed_rows,) = view_kernels(many[::-1], both, "rbf", None, 1)
    assert whole.gamma == 1 / np.median(pdist(many)) ** 2
    assert sampled.gamma != whole.gamma
    assert reversed_rows.gamma == sampled.gamma == pytest.approx(whole.gamma, rel=0.3)


BLOBS = blobs(12, 4)[0]
LATER = blobs(5, 4, seed=1)[0]
FIRST = np.array([0, 1])


def plain():
    return PlainKernel(view_kernels(BLOBS, [FIRST], "rbf", 0.3, 1)[0])


def test_values_are_those_of_the_view():
    np.testing.assert_allclose(plain().gram(), rbf_kernel(BLOBS[:, FIRST], gamma=0.3))


def test_a_row_that_joins_does_not_change_the_kernel_of_the_others():
    labeled = np.array([7, 2, 3])
    cross, diagonal, less = plain().at_new_rows(LATER, labeled)
    np.testing.assert_allclose(cross, rbf_kernel(LATER[:, FIRST], BLOBS[labeled][:, FIRST], gamma=0.3))
    np.testing.assert_array_equal(diagonal, np.ones(5))
    assert less is None


def test_a_copy_that_traveled_says_the_same():
    kernel = plain()
    kernel.gram()
    again = pickle.loads(pickle.dumps(kernel))
    np.testing.assert_array_equal(again.gram(), kernel.gram())
