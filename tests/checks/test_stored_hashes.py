"""Values that occur more than once, from sorted hashes."""

import numpy as np

from foldless.checks._stored_hashes import repeated_values


def test_repeated_values_are_counted():
    values, n = repeated_values(np.array([3, 1, 3, 2, 1, 3], dtype=np.uint64))
    assert values.tolist() == [1, 3]
    assert n == 5
