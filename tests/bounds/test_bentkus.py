from math import e

import numpy as np
import pytest

from foldless.bounds import _binomial as binomial
from foldless.bounds._bentkus import upper


@pytest.mark.parametrize(("total", "rounded"), [(0, 0), (1, 1), (10, 1), (11, 2), (70, 7), (71, 8)])
def test_the_sum_is_rounded_up_in_whole_numbers(total, rounded):
    counts = np.zeros(100, dtype=int)
    counts[:total] = 1  # tenths, whose sum in floats is off
    assert upper(counts, 10, 0.05) == binomial.upper(rounded, 100, 0.05 / e)
