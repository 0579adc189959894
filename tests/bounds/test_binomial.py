import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from foldless.bounds._binomial import upper

SPEC = [(0, 50, 0.05, 0.058155), (3, 50, 0.05, 0.147837), (7, 20, 0.01, 0.630939), (10, 10, 0.05, 1)]
counts = st.integers(1, 10**6).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
deltas = st.floats(1e-12, 0.5)


@pytest.mark.parametrize(("errors", "n", "delta", "expected"), SPEC)
def test_known_values(errors, n, delta, expected):
    assert upper(errors, n, delta) == pytest.approx(expected, abs=5e-7)


@given(counts, deltas)
def test_at_the_bound_the_count_has_probability_delta(count, delta):
    errors, n = count
    q = float(upper(errors, n, delta))
    assert errors / n <= q <= 1
    if q < 1 - 1e-9:  # closer to 1 the rounding of q itself moves the tail
        assert binom.cdf(errors, n, q) == pytest.approx(delta, rel=1e-6)


@given(counts, deltas, deltas)
def test_more_errors_fewer_trials_or_less_delta_never_lower_it(count, delta, other):
    errors, n = count
    q = upper(errors, n, delta)
    assert upper(min(errors + 1, n), n, delta) >= q
    assert upper(errors, n + 1, delta) <= q + 1e-12
    assert (upper(errors, n, other) >= q) == (other <= delta) or upper(errors, n, other) == pytest.approx(float(q))


def test_arrays_are_taken_one_by_one():
    errors, sizes = np.array([0, 3, 9]), np.array([10, 11, 9])
    assert upper(errors, sizes, 0.01).tolist() == [float(upper(e, n, 0.01)) for e, n in zip(errors, sizes, strict=True)]
    assert upper(errors, 20, np.array([[0.1], [0.2]])).shape == (2, 3)


def test_no_trial_and_only_errors_exclude_nothing():
    assert upper([0, 0, 1, 5], [0, 0, 1, 5], 0.05).tolist() == [1, 1, 1, 1]
    assert upper(0, 1, 0.05) == pytest.approx(0.95)


@pytest.mark.parametrize("delta", [1e-30, 1e-100, 1e-300, 5e-324])
def test_a_tiny_delta_is_safe(delta):
    found = upper([0, 1, 8, 9, 10, 500], [10, 10, 10, 10, 10, 10**6], delta)
    assert (found > 0).all()
    assert (found <= 1).all()
    assert (np.diff(found[:5]) >= -1e-12).all()


def test_counts_of_any_integer_type():
    assert upper(np.int8(100), np.int16(120), 0.05) == upper(100, 120, 0.05)
