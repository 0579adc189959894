import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from foldless.errors import BadInput
from foldless.quantifiers import MeanProbabilities, SigmoidShares, classify_and_count, pcc

SCORES = arrays(float, st.tuples(st.integers(1, 12), st.integers(2, 4)), elements=st.floats(-50, 50, width=16))


def expit(t):
    return 1 / (1 + np.exp(-t))


def test_shares_are_mean_probabilities():
    shares = MeanProbabilities()(np.array([[0.2, 0.8], [0.6, 0.4]]))
    assert shares == pytest.approx([0.4, 0.6])


@given(st.lists(st.integers(0, 3), min_size=1, max_size=30))
def test_one_hot_probabilities_are_counted(labels):
    counted = classify_and_count(np.array(labels), 4)
    assert MeanProbabilities()(np.eye(4)[labels]) == pytest.approx(counted)


def test_scores_of_one_row_by_hand():
    scores = np.array([[1.0, -2.0, 0.0]])
    raw = np.array([expit(2.0), expit(-4.0), 0.5])
    assert SigmoidShares((2,))(scores)[0] == pytest.approx(raw / raw.sum())
    assert SigmoidShares((2,), normalize=False)(scores)[0] == pytest.approx(raw)


def test_one_row_of_shares_for_every_sigma():
    scores = np.array([[1.0, -2.0, 0.0], [0.3, 0.2, -1.0]])
    every = SigmoidShares((1, 0.5, 7))(scores)
    assert every.shape == (3, 3)
    for shares, sigma in zip(every, (1, 0.5, 7), strict=True):
        assert shares == pytest.approx(SigmoidShares((sigma,))(scores)[0])
    assert SigmoidShares().sigmas == tuple(range(1, 11))


@given(arrays(float, st.integers(1, 12), elements=st.floats(-50, 50, width=16)), st.booleans())
def test_two_classes_are_the_sigmoid_and_its_complement(scores, normalize):
    shares = SigmoidShares((3,), normalize)(np.column_stack([-scores, scores]))[0]
    assert shares == pytest.approx([np.mean(expit(-3 * scores)), np.mean(expit(3 * scores))])


@given(SCORES)
def test_shares_sum_to_one(scores):
    assert SigmoidShares((1, 10))(scores).sum(axis=1) == pytest.approx([1, 1])


@given(st.lists(st.integers(0, 3), min_size=1, max_size=20), st.floats(0.01, 5))
def test_a_steep_sigmoid_counts(labels, margin):
    scores = np.where(np.eye(4)[labels] > 0, margin, -margin)
    shares = SigmoidShares((1e6,))(scores)[0]
    assert shares == pytest.approx(classify_and_count(np.array(labels), 4), abs=1e-9)


def test_a_row_that_scores_nothing_is_undecided():
    scores = np.array([[-1e6, -1e6, -1e6, -1e6], [-np.inf] * 4, [1e6, -1e6, -np.inf, -1e6]])
    assert SigmoidShares((1,))(scores)[0] == pytest.approx(np.array([1.5, 0.5, 0.5, 0.5]) / 3)
    assert SigmoidShares((1,), normalize=False)(scores)[0] == pytest.approx([1 / 3, 0, 0, 0])


def test_an_unseen_class_has_no_share():
    assert SigmoidShares((1,))(np.array([[0.3, -np.inf, 0.1]]))[0][1] == 0


def test_long_pools_are_added_up_in_chunks(monkeypatch):
    scores = np.random.default_rng(0).normal(size=(10, 3))
    at_once = SigmoidShares()(scores)
    for chunk in (1, 3, 10, 11):
        monkeypatch.setattr(pcc, "CHUNK", chunk)
        assert SigmoidShares()(scores) == pytest.approx(at_once)


@pytest.mark.parametrize("reduce", [MeanProbabilities(), SigmoidShares()])
def test_a_reduction_of_nothing(reduce):
    with pytest.raises(BadInput, match="no rows to estimate shares from"):
        reduce(np.empty((0, 2)))


@pytest.mark.parametrize("reduce", [MeanProbabilities(), SigmoidShares((1, 2), normalize=False)])
def test_reductions_travel_and_compare_by_value(reduce):
    assert pickle.loads(pickle.dumps(reduce)) == reduce
    assert hash(pickle.loads(pickle.dumps(reduce))) == hash(reduce)
