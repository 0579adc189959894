"""A temperature: found again where it is known, bounded where all is right, and the prediction stays the same."""

import numpy as np
import pytest
from scipy.special import log_softmax, softmax

from foldless.accuracy._temperature import probabilities, temperature


def drawn(n, t, seed=0):
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=(n, 4))
    shares = softmax(scores / t, axis=1)
    return scores, (shares.cumsum(axis=1) < rng.random((n, 1))).sum(axis=1)


@pytest.mark.parametrize("t", [0.2, 1.0, 5.0])
def test_a_known_temperature_is_found_again(t):
    assert temperature(*drawn(20_000, t)) == pytest.approx(t, rel=0.1)


def test_it_maximizes_the_likelihood_as_it_is_written_down():
    scores, y = drawn(120, 0.7)
    scores[:30, 2] = -np.inf
    seen = scores[np.isfinite(scores)]
    finite = np.where(np.isfinite(scores), scores, seen.min() - seen.std())
    target = np.full(scores.shape, 1 / 122 / 3)
    target[np.arange(120), y] = 121 / 122
    found = temperature(scores, y)
    likelihoods = [np.sum(target * log_softmax(finite / t, axis=1)) for t in found * np.array([0.999, 1, 1.001])]
    assert likelihoods[1] == max(likelihoods)


def test_all_right_is_not_certain():
    scores = np.eye(3)[np.arange(30) % 3]
    found = temperature(scores, np.arange(30) % 3)
    assert 0.9 < probabilities(scores, found).max() < 1 - 1e-3


def test_the_most_probable_class_is_the_predicted_one():
    scores, y = drawn(200, 0.5)
    scores[:, 3] = np.where(np.arange(200) < 50, -np.inf, scores[:, 3])  # a fold that has not seen the class
    table = probabilities(scores[50:], temperature(scores, y))
    np.testing.assert_array_equal(table.argmax(axis=1), scores[50:].argmax(axis=1))
    np.testing.assert_allclose(table.sum(axis=1), 1)
    two = probabilities(np.array([-1.0, 0.0, 2.0]), 1.0)
    np.testing.assert_allclose(two[:, 1], [1 / (1 + np.exp(2)), 0.5, 1 / (1 + np.exp(-4))])
