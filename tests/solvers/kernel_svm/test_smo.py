"""The dual of a support vector machine: its optimum against scipy, and by the gap to the primal."""

import numpy as np
import pytest
from helpers.kernel_problems import by_scipy, dual, primal, problem, rbf, rings
from numba import njit

from foldless.solvers._lanes import KERNEL
from foldless.solvers.kernel_svm._smo import PLACES, intercept, larger, padded, place_of, placed, smaller, solve

STEPS = 1_000_000


@pytest.mark.parametrize("gamma", [0.01, 1.0, 100.0])
@pytest.mark.parametrize("C", [1e-3, 1.0, 100.0])
def test_the_optimum_is_scipys(gamma, C):
    X, y = rings(24, 2)
    K = rbf(X, gamma)
    gram, diagonal, signs, state = problem(K, y, C)
    assert solve(gram, diagonal, state, 1e-6, STEPS) > 0
    beta = state.beta[:24]
    best = by_scipy(K, signs[:24], C)
    assert dual(K, signs[:24], beta) == pytest.approx(best, rel=1e-5, abs=1e-9)
    assert abs(beta.sum()) < 1e-9 * C


@pytest.mark.parametrize("n", [2, 31, 32, 33, 150])
@pytest.mark.parametrize("C", [1e-3, 1.0, 1e3, 1e6])
def test_the_gap_between_primal_and_dual_closes(n, C):
    """No dual value is above a primal one, so a small gap proves both."""
    X, y = rings(n, 2, noise=0.2)
    K = rbf(X, 1.0)
    gram, diagonal, signs, state = problem(K, y, C)
    assert solve(gram, diagonal, state, 1e-6, STEPS) >= 0
    beta = state.beta[:n]
    low, high = dual(K, signs[:n], beta), primal(K, signs[:n], C, beta, intercept(state))
    assert low - 1e-9 * abs(high) <= high <= low + 1e-6 * (1 + n * C + abs(low))
    assert (state.beta >= state.lower).all()
    assert (state.beta <= state.upper).all()


def test_rows_have_costs_of_their_own():
    X, y = rings(30, 2)
    K, C = rbf(X, 1.0), np.random.default_rng(0).random(30) * 3
    C[:4] = 0
    gram, diagonal, signs, state = problem(K, y, C)
    solve(gram, diagonal, state, 1e-6, STEPS)
    assert dual(K, signs[:30], state.beta[:30]) == pytest.approx(by_scipy(K, signs[:30], C), rel=1e-5)
    assert (state.beta[:4] == 0).all()


def test_a_constant_added_to_the_kernel_changes_nothing():
    X, y = rings(60, 2)
    K = rbf(X, 1.0)
    solutions = []
    for shift in (0, 1, 5):
        gram, diagonal, _, state = problem(K + np.float32(shift), y, 1.0)
        solve(gram, diagonal, state, 1e-8, STEPS)
        solutions.append((state.beta[:60].copy(), intercept(state)))
    for beta, b in solutions[1:]:
        np.testing.assert_allclose(beta, solutions[0][0], atol=1e-4)
        assert b == pytest.approx(solutions[0][1], abs=1e-4)


def test_by_hand_two_rows():
    """Two rows at distance 2, linear: w = 1 if C allows, else w = 2 C."""
    K = np.array([[1, -1], [-1, 1]], np.float32)
    for C, beta in ((10.0, 0.5), (0.1, 0.1)):
        gram, diagonal, _, state = problem(K, np.array([0, 1]), C)
        assert solve(gram, diagonal, state, 1e-9, STEPS) == 1
        np.testing.assert_allclose(state.beta[:2], [beta, -beta])
        assert intercept(state) == pytest.approx(0)


def test_steps_that_do_not_do_are_negative():
    X, y = rings(100, 2)
    gram, diagonal, _, state = problem(rbf(X, 1.0), y, 10.0)
    assert solve(gram, diagonal, state, 1e-3, 5) == -5


@pytest.mark.parametrize("missing", [0, 1])
def test_one_class_moves_nothing(missing):
    X, y = rings(20, 2)
    gram, diagonal, _, state = problem(rbf(X, 1.0), y, np.where(y == missing, 0.0, 1.0))
    assert solve(gram, diagonal, state, 1e-3, STEPS) == 0
    assert (state.beta == 0).all()


def test_padding():
    assert [padded(n) for n in (1, 32, 33, 100)] == [32, 32, 64, 128]


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
