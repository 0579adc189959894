"""Values that occur more than once, from sorted hashes."""

import numpy as np

from foldless.checks._stored_hashes import occurrences, repeated_values


def test_repeated_values_are_counted():
    values, n = repeated_values(np.array([1, 1, 2, 3, 3, 3], dtype=np.uint64))
    assert values.tolist() == [1, 3]
    assert n == 5
    assert repeated_values(np.array([], dtype=np.uint64))[1] == 0


def test_sorted_hashes_say_how_often_a_content_occurs():
    every = np.sort(np.random.default_rng(0).integers(50, size=1000)).astype(np.uint64)
    asked = np.arange(60, dtype=np.uint64)
    assert occurrences(asked, every).tolist() == [int((every == value).sum()) for value in asked]
