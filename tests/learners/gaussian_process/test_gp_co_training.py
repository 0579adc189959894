"""Gaussian process co-training: transduction, new rows, the grids of the paper, and its data."""

import numpy as np
import pytest
from helpers.two_views import VIEWS, blobs, synth
from scipy.special import expit

from foldless.learners import GPCoTraining, Precomputed
from foldless.learners.gaussian_process._co_training_kernel import CoTrainingKernel
from foldless.solvers.gaussian_process._laplace import mode_of, solve_apart

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
