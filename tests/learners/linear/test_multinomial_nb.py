"""The prior by hand, the rest as scikit-learn has it."""

import numpy as np
import pytest
from sklearn import naive_bayes
from sklearn.utils.estimator_checks import parametrize_with_checks

from foldless.learners import MultinomialNB

X = np.array([[2, 1, 0], [3, 0, 0], [0, 0, 4], [1, 0, 1]])
Y = np.array(["a", "a", "b", "a"])


@parametrize_with_checks([MultinomialNB()])
def test_contract(estimator, check):
    check(estimator)


def test_the_prior_is_smoothed():
    model = MultinomialNB().fit(X, Y)
    np.testing.assert_allclose(np.exp(model.class_log_prior_), [4 / 6, 2 / 6])
    # (1 + Σ f) / (V + Σ_w Σ f): class a has 6, 1, 1 occurrences of three words, b has 0, 0, 4
    np.testing.assert_allclose(np.exp(model.feature_log_prob_), [[7 / 11, 2 / 11, 2 / 11], [1 / 7, 1 / 7, 5 / 7]])
    joint = np.array([4 / 6 * 7 / 11 * 5, 2 / 6 * 1 / 7 * 5])  # a document of one first word
    np.testing.assert_allclose(model.predict_proba([[1, 0, 0]])[0], joint / joint.sum())


def test_pieces_are_the_whole():
    whole = MultinomialNB().fit(X, Y)
    pieces = MultinomialNB().partial_fit(X[:2], Y[:2], classes=["a", "b"]).partial_fit(X[2:], Y[2:])
    np.testing.assert_allclose(whole.predict_proba(X), pieces.predict_proba(X))


@pytest.mark.parametrize("settings", [{"fit_prior": False}, {"class_prior": [0.3, 0.7]}])
def test_a_prior_that_is_given_stays(settings):
    ours, theirs = MultinomialNB(**settings).fit(X, Y), naive_bayes.MultinomialNB(**settings).fit(X, Y)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X))
