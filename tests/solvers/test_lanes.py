"""Every operation on lanes does in a register what numpy does to an array."""

import numpy as np
import pytest
from numba import njit
from scipy.special import expit

from foldless.solvers._lanes import (
    WIDTHS,
    any_above,
    at_most,
    highest,
    lane,
    larger,
    load,
    plus_times,
    same,
    sigmoid,
    size,
    smaller,
    store,
    with_lane,
)  # fmt: skip


@njit
def operate(left, right, number, at, out):
    """Each operation, in a row of its own."""
    a, b = load(left, 1), load(right, np.int32(0))
    store(out, 0, a + b)
    store(out, 1, a - b)
    store(out, 2, a * b)
    store(out, 3, a / b)
    store(out, 4, larger(a, b))
    store(out, 5, smaller(a, b))
    store(out, 6, at_most(a, b))
    store(out, 7, size(a))
    store(out, 8, same(a, number))
    store(out, 9, plus_times(a, number, b))
    store(out, 10, with_lane(a, at, number))
    store(out, 11, sigmoid(a))
    return highest(a), lane(a, at), any_above(a, number)


@pytest.mark.parametrize("width", WIDTHS)
def test_operations_are_those_of_numpy(width):
    rng = np.random.default_rng(width)
    left, right = (rng.normal(size=(2, width)).astype(np.float32) for _ in range(2))
    right[0, 0] = left[1, 0]  # equal numbers, for at_most
    out = WIDTHS[width](np.full((13, width), 7, np.float32))
    number, at = np.float32(1.5), width - 1
    top, last, above = operate(WIDTHS[width](left), WIDTHS[width](right), number, at, out)
    a, b = left[1], right[0]
    replaced = a.copy()
    replaced[at] = number
    expected = [a + b, a - b, a * b, a / b, np.maximum(a, b), np.minimum(a, b), (a <= b) * 1.0, np.abs(a),
                np.full(width, number), a + number * b, replaced, expit(a)]  # fmt: skip
    for row, (got, wanted) in enumerate(zip(out.values, expected, strict=False)):
        np.testing.assert_allclose(got, wanted, rtol=1e-6, atol=1e-6, err_msg=f"operation {row}")
    assert (top, last, above) == (a.max(), a[at], (a > number).any())
    assert (out.values[12] == 7).all()  # nothing is written past its row


def test_lanes_in_the_middle():
    out = WIDTHS[16](np.zeros((13, 16), np.float32))
    a = np.arange(32, dtype=np.float32).reshape(2, 16)
    for at in (0, 7, 15):
        top, picked, above = operate(WIDTHS[16](a), WIDTHS[16](a[:1] + 1), np.float32(-3), at, out)
        assert (top, picked, above) == (31, a[1, at], True)
        assert np.flatnonzero(out.values[10] != a[1]).tolist() == [at]


def test_sigmoid_over_its_whole_range():
    a = np.linspace(-100, 100, 16 * 2001, dtype=np.float32)
    out = WIDTHS[16](np.zeros((13, 16), np.float32))
    got = []
    for part in a.reshape(-1, 16):
        operate(WIDTHS[16](np.array([part, part])), WIDTHS[16](np.ones((1, 16), np.float32)), np.float32(0), 0, out)
        got.append(out.values[11].copy())
    got = np.concatenate(got)
    wanted = expit(a.astype(np.float64))
    assert np.abs(got - wanted).max() < 1e-6
    inside = np.abs(a) < 80  # beyond, it stays where it is
    assert np.abs(got[inside] / wanted[inside] - 1).max() < 2e-5
    assert (np.diff(got) >= -1e-7).all()
    assert 0 < got[0] < 1e-30
