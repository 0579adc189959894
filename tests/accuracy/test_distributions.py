"""Quantiles, tails and ranks are those of scipy.stats, to the bit."""

import numpy as np
import pytest
from scipy import stats

from foldless.accuracy._distributions import average_ranks, normal_quantile, student_quantile, student_tail


@pytest.mark.parametrize("p", [1e-9, 0.025, 0.5, 0.9, 0.975, 0.995, 1 - 1e-9])
def test_quantiles_are_those_of_scipy(p: float) -> None:
    assert normal_quantile(p) == stats.norm.ppf(p)
    for freedom in (1, 2, 4, 9, 59, 1e4, 1e9):
        assert student_quantile(p, freedom) == stats.t.ppf(p, freedom)


def test_tails_are_those_of_scipy() -> None:
    values = np.array([-3.0, 0.0, 1e-12, 0.5, 2.0, 40.0, np.inf])
    for freedom in (1, 7, 300):
        np.testing.assert_array_equal(student_tail(values, freedom), stats.t.sf(values, freedom))


@pytest.mark.parametrize("shape", [(1,), (7,), (40,), (40, 3), (1, 2)])
def test_ranks_are_those_of_scipy_also_where_values_are_equal(shape: tuple[int, ...]) -> None:
    values = np.random.default_rng(0).integers(0, 9, size=shape).astype(float)
    np.testing.assert_array_equal(average_ranks(values), stats.rankdata(values, axis=0))


def test_a_nan_leaves_its_column_without_ranks() -> None:
    values = np.array([[1.0, 2.0], [np.nan, 1.0]])
    np.testing.assert_array_equal(average_ranks(values), stats.rankdata(values, axis=0))
