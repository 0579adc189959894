"""Scores as the predict methods give them."""

import numpy as np
from scipy.special import expit

from foldless.learners._logits import as_response, probabilities


def test_scores_in_every_response():
    two, three = np.array([[-1.0, 1e-30]]), np.random.default_rng(0).normal(size=(3, 4))
    np.testing.assert_array_equal(as_response(two, "labels"), [0, 1])  # 1e-30 has a sign, σ(1e-30) has none
    np.testing.assert_array_equal(as_response(three, "labels"), three.argmax(axis=0))
    np.testing.assert_allclose(as_response(two, "probabilities")[:, 1], expit(two[0]))
    np.testing.assert_allclose(as_response(three, "probabilities"), (expit(three) / expit(three).sum(axis=0)).T)
    np.testing.assert_array_equal(as_response(three, "scores"), three.T)
    assert np.isfinite(probabilities(np.full((1, 3), -900.0))).all()  # where every σ is zero
