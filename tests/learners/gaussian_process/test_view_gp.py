"""The supervised baseline against scikit-learn's classifier, in its three forms."""

import numpy as np
import pytest
from helpers.two_views import VIEWS, blobs
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.gaussian_process.kernels import RBF, DotProduct

from foldless.learners import ViewGP

RBF_WIDTH = 1 / np.sqrt(2 * 0.3)
DOT = DotProduct(1e-9, "fixed")


def theirs(kernel, X, y):
    return GaussianProcessClassifier(kernel, optimizer=None, max_iter_predict=10_000).fit(X, y)


@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize(("name", "kernel"), [("rbf", RBF(RBF_WIDTH)), ("linear", DOT)])
def test_a_single_view_is_scikit_learns_classifier(name, kernel, n_classes):
    X, y, _ = blobs(60, 60, n_classes)
    ours = ViewGP([[0, 1]], kernel=name, gamma=0.3).fit(X[:40], y[:40])
    reference = theirs(kernel, X[:40, :2], y[:40])
    assert ours.log_marginal_likelihood() == pytest.approx(reference.log_marginal_likelihood(), abs=1e-6)
    np.testing.assert_allclose(ours.predict_proba(X), reference.predict_proba(X[:, :2]), atol=0.03)
    assert np.mean(ours.predict(X) == reference.predict(X[:, :2])) >= 0.98


def test_stacked_views_are_one():
    X, y, _ = blobs(60, 60)
    stacked = ViewGP([[0, 2], [3]], form="stacked", gamma=0.3).fit(X, y)
    alone = ViewGP([[0, 2, 3]], gamma=0.3).fit(X, y)
    np.testing.assert_array_equal(stacked.decision_function(X), alone.decision_function(X))


def test_averaged_views_average_probabilities():
    X, y, _ = blobs(60, 60)
    both = ViewGP(VIEWS).fit(X[:30], y[:30])
    each = [ViewGP([view]).fit(X[:30], y[:30]) for view in VIEWS]
    mean = np.mean([model.predict_proba(X) for model in each], axis=0)
    np.testing.assert_allclose(both.predict_proba(X), mean, rtol=1e-10)
    mixture = np.log(np.mean([np.exp(model.log_marginal_likelihood()) for model in each]))
    assert both.log_marginal_likelihood() == pytest.approx(mixture)


def test_a_row_that_occurs_twice_counts_twice():
    """As in scikit-learn: it is no transduction."""
    X, y, _ = blobs(20, 20)
    again = np.concatenate([np.arange(20), [0, 0, 5]])
    ours = ViewGP([[0, 1]], gamma=0.3).fit(X[again], y[again])
    reference = theirs(RBF(RBF_WIDTH), X[again][:, :2], y[again])
    assert ours.log_marginal_likelihood() == pytest.approx(reference.log_marginal_likelihood(), abs=1e-6)


def test_minus_one_is_a_class():
    X, y, _ = blobs(20, 20)
    assert ViewGP().fit(X, 2 * y - 1).classes_.tolist() == [-1, 1]
