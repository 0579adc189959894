from math import log, sqrt

import numpy as np
import pytest

from foldless.bounds._empirical_bernstein import upper


def test_by_hand():
    counts = np.array([0, 1, 2, 1] * 100)  # in quarters: mean 1/4, sum of squares 400 (1/4)² / 2
    variance = 200 / 16 / 399
    expected = 0.25 + sqrt(2 * variance * log(40) / 400) + 7 * log(40) / (3 * 399)
    assert upper(counts, 4, 0.05) == pytest.approx(expected)


def test_values_that_vary_little_pay_little():
    m = 10_000
    assert upper(np.full(m, 2), 4, 0.05) < 0.501
    assert upper(np.arange(m) % 5, 4, 0.05) > 0.509
