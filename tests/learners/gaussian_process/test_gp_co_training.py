"""Gaussian process co-training: transduction, new rows, the grids of the paper, and its data."""

from fractions import Fraction

import numpy as np
import pytest
from helpers.two_views import VIEWS, blobs, synth
from scipy.special import expit

from foldless.learners import GPCoTraining, Precomputed
from foldless.learners.gaussian_process._view_kernels import view_kernels
from foldless.learners.gaussian_process.gp_co_training import CoTrainingKernel, Spectrum
from foldless.solvers._laplace import mode_of, solve_apart

SIGMAS = 10.0 ** np.arange(2, -6, -1)


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_new_row_is_answered_as_if_it_had_been_in_the_pool(kernel, n_classes):
    X, _, known = blobs(50, 6, n_classes)
    for sigmas in ((0.5, 0.5), (0.05, 3.0)):
        learner = GPCoTraining(VIEWS, kernel=kernel, gamma=0.2, sigma1=sigmas[0], sigma2=sigmas[1])
        without = learner.fit(X[:-1], known[:-1]).predict_proba(X[-1:])
        np.testing.assert_allclose(without, learner.fit(X, known).predict_proba(X[-1:]), rtol=1e-6)


def test_a_model_is_laplaces_method_on_the_co_training_kernel():
    X, _, known = blobs(30, 6)
    model = GPCoTraining(VIEWS, kernel="linear", sigma1=0.4, sigma2=1.5).fit(X, known)
    A = X[:, :2] @ X[:, :2].T + 0.4**2 * np.eye(30)
    B = X[:, 2:] @ X[:, 2:].T + 1.5**2 * np.eye(30)
    K = np.linalg.inv(np.linalg.inv(A) + np.linalg.inv(B))
    z = solve_apart(mode_of(K[:6, :6], known[:6] == 1, np.ones(6)), K[:, :6], np.diag(K).copy())
    np.testing.assert_allclose(model.predict_proba(X)[:, 1], expit(z), rtol=1e-8)


def test_precomputed_kernels_are_the_kernels():
    X, _, known = blobs(30, 6)
    plain = GPCoTraining(VIEWS, kernel="linear").fit(X[:25], known[:25])
    kernels = tuple(Precomputed(X[:, view] @ X[:, view].T) for view in VIEWS)
    numbers = np.column_stack([np.arange(30.0)] * 2)
    given = GPCoTraining([[0], [1]], kernel=kernels).fit(numbers[:25], known[:25])
    np.testing.assert_allclose(given.decision_function(numbers), plain.decision_function(X), rtol=1e-8)


def test_everything_is_finite_in_the_corners_of_both_grids():
    X, _, known = synth(0)
    for sigma1 in SIGMAS[[0, -1]]:
        for sigma2 in SIGMAS[[0, -1]]:
            model = GPCoTraining(VIEWS, kernel="centered_linear", sigma1=sigma1, sigma2=sigma2).fit(X, known)
            assert np.isfinite(model.log_marginal_likelihood())
            assert np.isfinite(model.decision_function(X)).all()
            assert (model.decision_function(X) != 0).any()  # a sign, also where K is 1e-10
    X = X[:150]
    for sigma1 in (1e6, 1e-2):
        for sigma2 in (1e6, 1e-2):
            model = GPCoTraining([slice(None)] * 2, kernel=("rbf", "graph"), sigma1=sigma1, sigma2=sigma2)
            model.fit(X, known[:150])
            assert np.isfinite(model.log_marginal_likelihood())
            assert np.isfinite(model.predict_proba(np.vstack([X, X[:2] + 0.01]))).all()


def test_two_views_solve_what_the_paper_made_them_for():
    """Two labels of each class: the best of the grid errs as little as a method that knows the densities, 0.023."""
    errors = []
    for seed in range(6):
        X, y, known = synth(seed)
        model = GPCoTraining(VIEWS, kernel="centered_linear", sigma1=0.01, sigma2=0.01).fit(X, known)
        errors.append(np.mean(model.predict(X)[4:] != y[4:]))
    assert np.mean(errors) < 0.06


def test_rows_without_a_label_are_not_trained_on():
    X, y, known = blobs(30, 6)
    hidden = np.where(known == -1, -1, known)
    hidden[20:] = -1
    np.testing.assert_array_equal(
        GPCoTraining(VIEWS).fit(X, hidden).predict_proba(X), GPCoTraining(VIEWS).fit(X, known).predict_proba(X)
    )


def test_labels_of_any_kind():
    X, y, known = blobs(30, 6)
    words = np.where(known == -1, -1, np.array(["no", "yes"], dtype=object)[known])
    model = GPCoTraining(VIEWS).fit(X, words)
    assert model.classes_.tolist() == ["no", "yes"]
    same = GPCoTraining(VIEWS).fit(X, known)
    np.testing.assert_array_equal(model.predict(X) == "yes", same.predict(X) == 1)


def test_one_kernel_for_each_fit(monkeypatch):
    computed = []
    gram = CoTrainingKernel.gram
    monkeypatch.setattr(CoTrainingKernel, "gram", lambda self: computed.append(self) or gram(self))
    X, _, known = blobs(30, 6, 3)
    GPCoTraining(VIEWS).fit(X, known)  # three classes, one kernel
    assert len(computed) == 1


X = blobs(40, 4)[0]


def kernel_of(X, sigma1, sigma2, kernel="rbf", gamma=0.2):
    first, second = view_kernels(X, [np.array(view) for view in VIEWS], kernel, gamma, 1)
    return CoTrainingKernel(Spectrum(first, second), sigma1, sigma2)


def by_definition(K, L, sigma1, sigma2):
    A, B = (M + s**2 * np.eye(len(M)) for M, s in ((K, sigma1), (L, sigma2)))
    return np.linalg.inv(np.linalg.inv(A) + np.linalg.inv(B))


@pytest.mark.parametrize("sigmas", [(1, 1), (0.1, 3), (100, 0.01), (0.01, 100), (1e3, 1e3), (1e-3, 1e-3)])
@pytest.mark.parametrize("kernel", ["rbf", "linear", "centered_linear"])
def test_equals_its_definition(kernel, sigmas):
    consensus = kernel_of(X, *sigmas, kernel)
    expected = by_definition(consensus.spectrum.first.values, consensus.spectrum.second.values, *sigmas)
    np.testing.assert_allclose(consensus.gram(), expected, atol=1e-8 * max(1, expected.max()))
    np.testing.assert_allclose(consensus.gram(), consensus.gram().T, atol=1e-15 * expected.max())


def exactly(K, sigma):
    """The rows of (K + σ² I)⁻¹ in fractions."""
    return inverse([[Fraction(v) + (i == j) * Fraction(sigma) ** 2 for j, v in enumerate(row)]
                    for i, row in enumerate(K.tolist())])  # fmt: skip


def inverse(rows):
    n = len(rows)
    rows = [[*row, *(Fraction(i == j) for j in range(n))] for i, row in enumerate(rows)]
    for at in range(n):  # a positive definite matrix needs no other pivot
        rows[at] = [value / rows[at][at] for value in rows[at]]
        rows = [row if i == at else [v - row[at] * own for v, own in zip(row, rows[at], strict=True)]
                for i, row in enumerate(rows)]  # fmt: skip
    return [row[n:] for row in rows]


@pytest.mark.parametrize("sigmas", [(1e2, 1e2), (1e2, 1e-5), (1e-5, 1e2), (1e-5, 1e-5), (1e6, 1e-2), (1e-2, 1e6)])
@pytest.mark.parametrize("kernel", ["centered_linear", ("rbf", "graph")])
def test_equals_its_definition_in_the_corners_of_both_grids(kernel, sigmas):
    """Where floating point cannot follow the definition, fractions can."""
    consensus = kernel_of(synth(0)[0][:8], *sigmas, kernel, gamma=None)
    views = consensus.spectrum.first, consensus.spectrum.second
    parts = [exactly(view.values, sigma) for view, sigma in zip(views, sigmas, strict=True)]
    both = [[a + b for a, b in zip(*rows, strict=True)] for rows in zip(*parts, strict=True)]
    expected = np.array(inverse(both), dtype=float)
    np.testing.assert_allclose(consensus.gram(), expected, rtol=0, atol=1e-6 * np.abs(expected).max())


def test_equals_the_covariance_of_the_consensus():
    """f_j ~ N(0, K_j), exp(−‖f_j − f_c‖² / 2σ_j²): the block of f_c in the inverse of the joint precision."""
    consensus = kernel_of(X[:15], 0.5, 0.8)
    identity = np.eye(15)
    K, L = (np.linalg.inv(view.values) for view in (consensus.spectrum.first, consensus.spectrum.second))
    a, b, none = identity / 0.5**2, identity / 0.8**2, np.zeros((15, 15))
    precision = np.block([[K + a, none, -a], [none, L + b, -b], [-a, -b, a + b]])
    np.testing.assert_allclose(consensus.gram(), np.linalg.inv(precision)[30:, 30:], atol=1e-8)


@pytest.mark.parametrize("large", [1e2, 1e4, 1e6])
def test_a_view_without_a_say_leaves_the_other(large):
    consensus = kernel_of(X, large, 1e-5)
    alone = consensus.spectrum.second.values + 1e-10 * np.eye(40)
    np.testing.assert_allclose(consensus.gram(), alone, atol=50 * 40 / large**2)
    np.linalg.cholesky(kernel_of(X, large, 0.1).gram())  # positive definite, although 1e12 was there


@pytest.mark.slow
def test_nothing_indefinite_over_the_whole_grid_of_the_paper():
    X = synth(0)[0]
    for sigma1 in (1e2, 1.0, 1e-5):
        for sigma2 in (1e2, 1.0, 1e-5):
            values = kernel_of(X, sigma1, sigma2, "centered_linear").gram()
            assert np.isfinite(values).all()
            assert np.linalg.eigvalsh(values).min() > -1e-13 * np.abs(values).max()


@pytest.mark.parametrize("sigmas", [(1, 1), (0.1, 3), (30, 0.05), (1e-4, 1e-4)])
@pytest.mark.parametrize("kernel", ["rbf", "linear"])
def test_a_row_that_joins_is_one_more_point(kernel, sigmas):
    """All that labels see of the larger kernel: their own block, the row's values with them, and with itself."""
    whole = kernel_of(X, *sigmas, kernel).gram()
    consensus = kernel_of(X[:-3], *sigmas, kernel)
    labeled = np.array([2, 5, 11, 30])
    for at in range(3):
        larger = kernel_of(np.vstack([X[:-3], X[37 + at]]), *sigmas, kernel).gram()
        cross, diagonal, less = consensus.at_new_rows(X[-3:], labeled)
        within = 1e-9 * np.abs(whole).max() + 1e-13  # the views' own values are of size 10
        np.testing.assert_allclose(cross[at], larger[-1, labeled], atol=within)
        assert diagonal[at] == pytest.approx(larger[-1, -1], abs=within)
        block = consensus.gram()[np.ix_(labeled, labeled)] - np.outer(less[at], less[at])
        np.testing.assert_allclose(block, larger[np.ix_(labeled, labeled)], atol=within)
        assert np.abs(less[at]).max() ** 2 > 10 * within  # it does change the others


@pytest.mark.parametrize("kernel", ["rbf", "linear", "centered_linear", "graph"])
@pytest.mark.parametrize("sigma", [1e-9, 1e-20, 1e-300])
def test_noise_below_rounding_is_a_kernel_as_well(kernel, sigma):
    """Two linear views have no common function but zero, and their sum has null vectors."""
    consensus = kernel_of(X, sigma, sigma, kernel)
    K = consensus.gram()
    assert np.linalg.eigvalsh(K)[0] > -1e-10 * np.abs(consensus.spectrum.first.values).max()
    cross, diagonal, less = consensus.at_new_rows(X[:3] + 0.1, np.arange(10))
    assert all(np.isfinite(part).all() for part in (K, cross, diagonal, less))
