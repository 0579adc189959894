"""Brent's method takes the steps of scipy's, to the bit."""

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from foldless.accuracy._bounded_minimum import bounded_minimum


@pytest.mark.parametrize(
    "function",
    [
        lambda x: (x - 2.0) ** 2,
        lambda x: abs(x - 0.3),
        lambda x: np.cos(3 * x) + 0.1 * x,
        lambda x: -x,
        lambda x: x,
        lambda _: 1.0,
        lambda x: np.logaddexp(0, -5 * np.exp(-x)) + 0.2 * np.exp(-x),
    ],
)
@pytest.mark.parametrize("bounds", [(-7.0, 7.0), (0.0, 1.0), (2.0, 2.0)])
def test_the_minimum_is_that_of_scipy(function, bounds: tuple[float, float]) -> None:
    ours, theirs = [], []
    found = bounded_minimum(lambda x: ours.append(x) or function(x), *bounds)
    expected = minimize_scalar(lambda x: theirs.append(x) or function(x), bounds=bounds, method="bounded")
    assert ours == theirs
    assert found == expected.x
