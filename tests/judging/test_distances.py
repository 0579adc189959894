import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from foldless.judging._distances import between, from_truth

SEEDS = st.integers(0, 10_000)


def one_hot(codes, n=3):
    return np.eye(n)[codes]


def test_by_hand():
    assert between(np.array([0, 1, 2, 1]), np.array([0, 2, 2, 0])) == 0.5
    assert between(np.array([[0.7, 0.3]]), np.array([[0.2, 0.8]])) == pytest.approx(0.5)
    assert from_truth(np.array([0, 1, 1]), np.array([0, 1, 0])) == pytest.approx(1 / 3)
    assert from_truth(np.array([[0.7, 0.3], [0.4, 0.6]]), np.array([0, 0])) == pytest.approx(0.45)


def test_two_labels_that_are_none_of_the_classes_are_not_equal():
    assert between(np.array([-1, 0]), np.array([-1, 0])) == 0.5


@given(SEEDS)
def test_labels_are_certain_probabilities(seed):
    rng = np.random.default_rng(seed)
    a, b = rng.integers(3, size=(2, 10))
    assert between(one_hot(a), one_hot(b)) == pytest.approx(between(a, b))
    assert from_truth(one_hot(a), b) == pytest.approx(from_truth(a, b)) == pytest.approx(between(a, b))


@given(SEEDS)
def test_it_is_a_metric(seed):
    p, q, r = np.random.default_rng(seed).dirichlet(np.full(3, 0.3), (3, 8))
    assert between(p, p) == 0
    assert between(p, q) == between(q, p) <= between(p, r) + between(r, q) + 1e-12
