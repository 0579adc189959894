"""A number that carries its place: the place of the largest, whatever the size of the array."""

import numpy as np
import pytest
from numba import njit

from foldless.solvers._lanes import KERNEL
from foldless.solvers.kernel_svm._extremes import PLACES, larger, place_of, placed, smaller


@njit(**KERNEL)
def extremes(values):
    most, least = -1e300, 1e300
    for t in range(values.shape[0]):
        most = larger(most, placed(values[t], t))
        least = smaller(least, values[t])
    return place_of(most), least


@pytest.mark.parametrize("n", [1, 2, 7, 31, 32, 33, 1000, PLACES])
def test_the_place_of_the_largest(n):
    rng = np.random.default_rng(n)
    for values in (rng.normal(size=n), -rng.random(n), rng.random(n) * 1e-300, rng.normal(size=n) * 1e200):
        place, least = extremes(values)
        assert place == values.argmax()
        assert least == values.min()


def test_numbers_that_differ_in_the_last_digits_of_single_precision():
    values = np.ones(100)
    values[37] = np.nextafter(np.float32(1), np.float32(2))
    assert extremes(values)[0] == 37


def test_equal_numbers_give_one_of_their_places():
    values = np.zeros(50)
    values[[3, 17, 40]] = 1
    assert extremes(values)[0] in (3, 17, 40)
