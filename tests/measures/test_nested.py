"""A measure of one's own: compiled once, of functions of numbers or of arrays, and wrong functions named."""

import copy
import math
import pickle

import numpy as np
import pytest
from helpers.counting_problems import drawn, weights_of
from sklearn.base import clone

from foldless.errors import BadInput
from foldless.measures import Nested
from foldless.online import NEMSIS, OnePassMiniBatch, SVMPerf


def psi(x, y):
    return x - (1 - y) ** 2


def psi_gradient(x, y):
    return 1, 2 * (1 - y)


def log_rate(P, N, p):
    return math.log(max(P, 1e-3))


def log_rate_gradient(P, N, p):
    return (1 / P, 0.0) if P > 1e-3 else (0.0, 0.0)


def rate(P, N, p):
    return N


def rate_gradient(P, N, p):
    return 0.0, 1.0


FUNCTIONS = {
    "psi": psi, "psi_gradient": psi_gradient, "zeta1": log_rate, "zeta1_gradient": log_rate_gradient,
    "zeta2": rate, "zeta2_gradient": rate_gradient,
}  # fmt: skip
OF_NUMBERS = Nested(**FUNCTIONS)
OF_ARRAYS = Nested(
    psi, psi_gradient, lambda P, N, p: np.log(np.maximum(P, 1e-3)),
    lambda P, N, p: (np.where(P > 1e-3, 1 / np.maximum(P, 1e-3), 0.0), 0.0), rate, rate_gradient,
)  # fmt: skip


def test_compiled_once_for_the_same_functions():
    first = OF_NUMBERS.compiled_dual
    for again in (Nested(**FUNCTIONS), copy.deepcopy(OF_NUMBERS), pickle.loads(pickle.dumps(OF_NUMBERS))):
        assert again == OF_NUMBERS
        assert again.compiled_dual is first
    assert clone(NEMSIS(OF_NUMBERS)).measure.compiled_dual is first


def test_functions_of_numbers_will_do_for_arrays():
    P, N = np.array([0.0, 0.2, 1.0])[:, None], np.array([0.4, 0.9])
    np.testing.assert_allclose(OF_NUMBERS.value(P, N, 0.3), OF_ARRAYS.value(P, N, 0.3))
    for mine, theirs in zip(OF_NUMBERS.gradient(P, N, 0.3), OF_ARRAYS.gradient(P, N, 0.3), strict=True):
        np.testing.assert_allclose(np.broadcast_to(mine, (3, 2)), np.broadcast_to(theirs, (3, 2)))
    X, y = drawn(120, 3)
    for make in (SVMPerf, lambda measure: OnePassMiniBatch(measure, buffer=40, passes=2)):
        np.testing.assert_allclose(weights_of(make(OF_NUMBERS).fit(X, y)), weights_of(make(OF_ARRAYS).fit(X, y)))


@pytest.mark.parametrize(("change", "words"), [
    ({"psi_gradient": lambda x, y: (-5.0, -5.0)}, r"psi_gradient returned \(-5.0, -5.0\) at x = .*differences of psi"),
    ({"zeta2_gradient": lambda P, N, p: (0.0, 1.0 + p)}, r"zeta2_gradient returned \(0.0, 1.2\) at P = 0.6, N = 0.8"),
    ({"zeta1_gradient": lambda P, N, p: 1.0}, "zeta1_gradient must return a pair of numbers, returned 1.0"),
    ({"zeta1_gradient": lambda P, N, p: (1.0, 0.0, 0.0)}, "zeta1_gradient must return a pair of numbers"),
    ({"zeta1_gradient": lambda P, N, p: ((1.0, 2.0), 0.0)}, "zeta1_gradient must return a pair of numbers"),
    ({"zeta2": lambda P, N, p: (N, P)}, "zeta2 must return a finite number, returned"),
    ({"zeta2": lambda P, N, p: np.inf}, "zeta2 must return a finite number, returned inf"),
    ({"zeta2": lambda P, N: N}, "zeta2 failed at P = 0.6, N = 0.8, p = 0.2 \\(TypeError"),
    ({"psi": lambda x, y: math.log(x - 9)}, "psi failed at x = .*ValueError"),
])  # fmt: skip
def test_wrong_functions_are_named(change, words):
    with pytest.raises(BadInput, match=words):
        Nested(**{**FUNCTIONS, **change})


def test_what_numba_cannot_compile_is_named():
    def odd(P, N, p):
        return float(str(N))

    with pytest.raises(BadInput, match=r"Numba cannot compile zeta2 \(.*write it in plain arithmetic"):
        NEMSIS(Nested(**{**FUNCTIONS, "zeta2": lambda P, N, p: odd(P, N, p)})).fit(*drawn(30, 2))
