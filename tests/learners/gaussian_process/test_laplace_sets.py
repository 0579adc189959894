"""Training sets one behind the other: two classes are one problem, more are one for each."""

import numpy as np
import pytest
from scipy.special import expit, logit
from sklearn.gaussian_process.kernels import RBF

from foldless.learners.gaussian_process import _laplace_sets as laplace_sets
from foldless.learners.gaussian_process._laplace_sets import (
    LaplaceAnswers,
    TrainingSet,
    TrainingSets,
    evidence_of,
    mean_logit,
)

rng = np.random.default_rng(0)
K = RBF(1.0)(rng.normal(size=(40, 2)))
SETS = [
    TrainingSet.of(rng.permutation(40)[:8], rng.permutation(np.arange(8) % n), n, rng.permutation(40)[: 5 + n])
    for n in (2, 3, 2, 5)
]


def test_two_classes_are_one_problem():
    codes = np.array([0, 1, 1, 2])
    at = np.arange(4)
    np.testing.assert_array_equal(TrainingSet.of(at, codes > 0, 2, codes).targets, [[False, True, True, True]])
    targets = TrainingSet.of(at, codes, 3, codes).targets
    np.testing.assert_array_equal(targets, [codes == 0, codes == 1, codes == 2])


def test_labels_that_a_point_has_often_are_counted():
    points, codes = np.array([5, 2, 5, 5, 2, 5]), np.array([1, 0, 1, 0, 0, 1])
    training = TrainingSet.of(points, codes, 2, points)
    np.testing.assert_array_equal(training.points, [5, 2, 5])  # in the order in which they came
    np.testing.assert_array_equal(training.targets, [[True, False, False]])
    np.testing.assert_array_equal(training.times, [3, 2, 1])


@pytest.mark.parametrize("n_threads", [1, 3, 50])
def test_together_as_each_alone(monkeypatch, n_threads):
    monkeypatch.setattr(laplace_sets, "LITTLE", 1)
    for training, answers in zip(SETS, TrainingSets(SETS).solve(K, n_threads), strict=True):
        (alone,) = TrainingSets([training]).solve(K)
        assert answers.scores.shape == (len(training.targets), len(training.asked))
        np.testing.assert_array_equal(answers.scores, alone.scores)
        np.testing.assert_array_equal(answers.evidence, alone.evidence)


def test_a_class_against_the_rest_is_a_set_of_two_classes():
    several = TrainingSets([SETS[3]]).solve(K)[0]
    for at, target in enumerate(SETS[3].targets):
        two = TrainingSet.of(SETS[3].points, target.astype(int), 2, SETS[3].asked)
        np.testing.assert_array_equal(TrainingSets([two]).solve(K)[0].scores[0], several.scores[at])


def test_nothing_asked_leaves_the_evidence():
    (answers,) = TrainingSets([TrainingSet.of(np.arange(4), np.arange(4) % 2, 2, np.empty(0, int))]).solve(K)
    assert answers.scores.shape == (1, 0)
    assert np.isfinite(answers.evidence).all()


def test_together_is_the_logit_of_the_mean():
    z = np.random.default_rng(0).normal(scale=3, size=(2, 1, 500))
    np.testing.assert_allclose(mean_logit(list(z)), logit(expit(z).mean(axis=0)), rtol=1e-9, atol=1e-12)
    np.testing.assert_array_equal(mean_logit([z[0]]), z[0])


def test_together_keeps_what_is_small_and_what_is_large():
    tiny = mean_logit([np.array([[3e-200, -1e-18]]), np.array([[1e-200, -3e-18]])])
    np.testing.assert_allclose(tiny, [[2e-200, -2e-18]], rtol=1e-12)
    large = mean_logit([np.array([[800.0, -700.0]]), np.array([[800.0, -600.0]])])
    np.testing.assert_allclose(large, [[800.0, -600 - np.log(2)]], rtol=1e-12)


def test_evidence_is_the_mean_over_classes_and_the_mixture_over_processes():
    first = LaplaceAnswers(np.empty((2, 0)), np.array([-1.0, -3.0]))
    second = LaplaceAnswers(np.empty((2, 0)), np.array([-5000.0, -7000.0]))
    assert evidence_of([first]) == pytest.approx(-2)
    assert evidence_of([first, second]) == pytest.approx(-2 - np.log(2))
