from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from foldless.bounds._relative_entropy import upper


@given(st.integers(1, 5000), st.data(), st.floats(1e-9, 0.5))
def test_at_the_bound_the_relative_entropy_is_spent(m, data, delta):
    total = data.draw(st.integers(1, m))
    counts = np.zeros(m, dtype=int)
    counts[:total] = 1
    q, p = upper(counts, 2, delta), total / (2 * m)
    assert p < q <= 1
    if q > 1 - 1e-9:  # closer to 1 the rounding of q itself moves the entropy
        return
    spent = p * log(p / q) + (1 - p) * log((1 - p) / (1 - q))
    assert m * spent == pytest.approx(log(1 / delta), rel=1e-6)


def test_without_a_count_it_is_the_exact_binomial_bound():
    assert upper(np.zeros(50, dtype=int), 5, 0.05) == pytest.approx(0.058155, abs=5e-7)
