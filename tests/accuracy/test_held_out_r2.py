"""Intervals of R² hold the truth as often as they say, and shorter ones do not."""

import numpy as np
import pytest
from scipy.stats import binom

from foldless.accuracy._held_out_r2 import held_out_r2
from foldless.accuracy._jackknife import jackknife
from foldless.judging._value_scoring import r2

RUNS, LEVEL = 250, 0.93


def ridge(X, y, alpha):
    """The weights of a ridge regression without intercept."""
    return np.linalg.solve(X.T @ X + alpha * np.eye(X.shape[1]), X.T @ y)


def hits(n, **settings):
    """How often the interval of the best of three ridge regressions holds its R²."""
    rng, found = np.random.default_rng(0), 0
    for _ in range(RUNS):
        X, new = rng.normal(size=(n, 6)), rng.normal(size=(2000, 6))
        noise = rng.standard_t(5, size=n), rng.standard_t(5, size=2000)
        y, truth = X[:, 0] + 0.5 * np.abs(X[:, 1]) + noise[0], new[:, 0] + 0.5 * np.abs(new[:, 1]) + noise[1]
        y, truth = y - y.mean(), truth - y.mean()
        fold = rng.permutation(n) % 5
        values = {}
        for alpha in (0.1, 10.0, 100.0):
            values[alpha] = np.empty(n)
            for at in range(5):
                values[alpha][fold == at] = X[fold == at] @ ridge(X[fold != at], y[fold != at], alpha)
        best = max(values, key=lambda alpha: r2(y, values[alpha]))
        interval = held_out_r2(y, values[best], np.arange(n), 0.95, rng, **settings)
        found += interval.lower <= r2(truth, new @ ridge(X, y, best)) <= interval.upper
    return found


@pytest.mark.slow
@pytest.mark.parametrize("n", [40, 120])
def test_the_interval_holds_the_truth(n):
    assert binom.cdf(hits(n), RUNS, LEVEL) > 1e-6


def test_a_third_of_it_does_not():
    assert binom.cdf(hits(40, inflated=0.16, by_row=2.8), RUNS, LEVEL) < 1e-6


def test_the_value_is_that_of_all_rows_and_groups_count_once():
    rng = np.random.default_rng(1)
    y = rng.normal(size=90)
    values = y + rng.normal(size=90)
    rows = held_out_r2(y, values, np.arange(90), 0.95, rng)
    assert rows.value == r2(y, values)
    plain = jackknife(lambda at: r2(y[at], values[at]), np.arange(90), 0.95, rng)
    assert rows.upper - rows.value == pytest.approx((plain.upper - plain.value) * np.sqrt(1.5 + 25 / 90))
    twice = np.repeat(np.arange(90), 2)
    pairs = held_out_r2(y[twice], values[twice], twice, 0.95, rng)
    assert pairs.value == pytest.approx(rows.value)
    assert pairs.upper - pairs.value == pytest.approx(rows.upper - rows.value, rel=0.1)
