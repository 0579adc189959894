import numpy as np
import pytest
from scipy.stats import binom, ttest_rel

from foldless.accuracy import _difference as module
from foldless.accuracy._difference import paired_difference


def test_it_is_the_paired_t_interval(monkeypatch):
    monkeypatch.setattr(module, "INFLATED", 1.0)
    draw = np.random.default_rng(0)
    best, other = draw.random(80), draw.random(80)
    found = paired_difference(best, other, np.arange(80))
    expected = ttest_rel(best, other).confidence_interval(0.95)
    np.testing.assert_allclose((found.lower, found.upper), (expected.low, expected.high))


def test_unknown_rows_and_few_rows():
    best, other = np.array([1.0, 1, 1, 1, 1, np.nan]), np.array([0.0, 1, np.nan, 1, 1, 1])
    assert paired_difference(best, other, np.arange(6)) is None
    assert paired_difference(np.full(6, np.nan), other, np.arange(6)) is None
    assert paired_difference(np.ones(9), np.zeros(9), np.arange(9)).rows == 9


def test_equal_answers_are_not_told_apart():
    found = paired_difference(np.ones(30), np.ones(30), np.arange(30))
    assert found.value == 0
    assert found.lower < 0 < found.upper
    assert not found.told_apart


def test_groups_count_as_one():
    best, other = np.repeat(np.random.default_rng(1).integers(0, 2, (2, 20)), 10, axis=1).astype(float)
    alone = paired_difference(best, other, np.arange(200))
    grouped = paired_difference(best, other, np.repeat(np.arange(20), 10))
    assert grouped.upper - grouped.lower > 2 * (alone.upper - alone.lower)


def test_rows_count_by_their_weights():
    draw = np.random.default_rng(2)
    best, other = (draw.random((2, 60)) < 0.7).astype(float)
    weights = draw.integers(0, 4, 60).astype(float)
    weighted = paired_difference(best, other, np.arange(60), weights=weights)
    assert weighted.value == pytest.approx(np.average(best - other, weights=weights))
    assert weighted.rows == np.count_nonzero(weights)
    again = [np.repeat(values, weights.astype(int)) for values in (best, other, np.arange(60))]
    repeated = paired_difference(*again)  # a row of weight 2 is two rows of one group
    assert (weighted.lower, weighted.upper) == pytest.approx((repeated.lower, repeated.upper))
    equal = paired_difference(best, other, np.arange(60), weights=np.full(60, 1 / 60))
    plain = paired_difference(best, other, np.arange(60))
    assert (equal.value, equal.lower, equal.upper) == pytest.approx((plain.value, plain.lower, plain.upper))


@pytest.mark.parametrize(("inflated", "holds"), [(1.5, True), (0.4, False)])
def test_equal_candidates_are_rarely_told_apart(monkeypatch, inflated, holds):
    monkeypatch.setattr(module, "INFLATED", inflated)
    draw, rung = np.random.default_rng(3), 0
    for _ in range(1000):
        best, other = (draw.random((2, 60)) < 0.8).astype(float)
        rung += paired_difference(best, other, np.arange(60)).told_apart
    assert (rung <= binom.ppf(1 - 1e-4, 1000, 0.05)) == holds
