"""The logit of a mean probability, near zero and far from it."""

import numpy as np
import pytest
from scipy.special import expit, logit

from foldless.learners.gaussian_process._answers import evidence_of, mean_logit
from foldless.learners.gaussian_process._laplace_sets import LaplaceAnswers


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
