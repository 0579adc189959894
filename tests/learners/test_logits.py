"""Scores as the predict methods give them."""

import numpy as np
import pytest
from scipy import sparse
from scipy.special import expit

from foldless.learners import _logits
from foldless.learners._logits import LinearClassifier, as_response, probabilities


def test_scores_in_every_response():
    two, three = np.array([[-1.0, 1e-30]]), np.random.default_rng(0).normal(size=(3, 4))
    np.testing.assert_array_equal(as_response(two, "labels"), [0, 1])  # 1e-30 has a sign, σ(1e-30) has none
    np.testing.assert_array_equal(as_response(three, "labels"), three.argmax(axis=0))
    np.testing.assert_allclose(as_response(two, "probabilities")[:, 1], expit(two[0]))
    np.testing.assert_allclose(as_response(three, "probabilities"), (expit(three) / expit(three).sum(axis=0)).T)
    np.testing.assert_array_equal(as_response(three, "scores"), three.T)
    assert np.isfinite(probabilities(np.full((1, 3), -900.0))).all()  # where every σ is zero


class Weighted(LinearClassifier):
    """Weights that nobody has learned."""

    def fit(self, n_classes):
        rng = np.random.default_rng(0)
        self.classes_, self.n_features_in_ = np.array(list("abcde")[:n_classes]), 3
        self.coef_, self.intercept_ = rng.normal(size=(1 if n_classes == 2 else 5, 3)), np.full(1, 0.1)
        return self


@pytest.mark.parametrize("n_classes", [2, 5])
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_labels_in_blocks_are_those_of_all_scores(monkeypatch, n_classes, form):
    model, X = Weighted().fit(n_classes), form(np.random.default_rng(1).normal(size=(40, 3)))
    scores, labels = model.decision_function(X), model.predict(X)
    codes = (scores > 0).astype(int) if n_classes == 2 else scores.argmax(axis=1)
    assert labels.tolist() == model.classes_[codes].tolist()
    monkeypatch.setattr(_logits, "BLOCK", 7 * n_classes)
    assert model.predict(X).tolist() == labels.tolist()
