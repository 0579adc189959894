"""The minimum of a quadratic with an L1 penalty: every sign pattern tried, and pieces that must not climb."""

from itertools import product

import numpy as np
import pytest

from foldless.solvers.linear._l1_quadratic import jump, minimize, solve_positive, sweep


def problem(seed, d=5, rank=None):
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(rank or 3 * d, d)) * rng.lognormal(size=d)
    g = rng.normal(size=d)
    penalties = rng.uniform(0.1, 1, size=d)
    penalties[-1] = 0
    return A.T @ A, A.T @ A @ g if rank else g, penalties


def value(H, g, penalties, z):
    return g @ z + z @ H @ z / 2 + penalties @ np.abs(z)


def brute_force(H, g, penalties):
    """The least value over all sign patterns whose stationary point has these signs."""
    best = 0.0
    for signs in product((-1, 0, 1), repeat=len(g)):
        at = np.flatnonzero(np.array(signs) != 0)
        z = np.zeros(len(g))
        if len(at):
            z[at] = np.linalg.lstsq(H[np.ix_(at, at)], -(g + penalties * signs)[at], rcond=None)[0]
        best = min(best, value(H, g, penalties, z))
    return best


@pytest.mark.parametrize("seed", range(10))
def test_minimum_by_brute_force(seed):
    H, g, penalties = problem(seed)
    z, q = np.zeros(5), g.copy()
    minimize(q, H, penalties, np.full(5, 1e-10), z)
    np.testing.assert_allclose(value(H, g, penalties, z), brute_force(H, g, penalties), rtol=1e-10)
    np.testing.assert_allclose(q, g + H @ z, atol=1e-9)  # the gradient came along


@pytest.mark.parametrize("seed", range(5))
def test_columns_that_depend_on_each_other(seed):
    H, g, penalties = problem(seed, rank=3)
    z = np.zeros(5)
    minimize(g.copy(), H, penalties, np.full(5, 1e-10), z)
    np.testing.assert_allclose(value(H, g, penalties, z), brute_force(H, g, penalties), rtol=1e-8)
    twice = np.ix_([0, 1, 2, 3, 4, 0], [0, 1, 2, 3, 4, 0])
    H, g, penalties = H[twice], g[twice[1][0]], penalties[twice[1][0]]
    more = np.zeros(6)
    minimize(g.copy(), H, penalties, np.full(6, 1e-10), more)
    np.testing.assert_allclose(value(H, g, penalties, more), value(H[:5, :5], g[:5], penalties[:5], z), rtol=1e-8)


@pytest.mark.parametrize("seed", range(20))
def test_neither_sweeps_nor_jumps_climb(seed):
    H, g, penalties = problem(seed, d=8)
    z = np.random.default_rng(seed).normal(size=8) * [1, 0, 1, 1, 0, 1, 1, 1]
    q = g + H @ z
    values = [value(H, g, penalties, z)]
    for piece in (jump, lambda *a: sweep(*a[:3], np.ones(8), a[3]), jump, jump):
        before = np.sign(z)
        piece(q, H, penalties, z)
        values.append(value(H, g, penalties, z))
        np.testing.assert_allclose(q, g + H @ z, atol=1e-8)
        if piece is jump:
            assert (np.sign(z)[:-1] * before[:-1] >= 0).all()  # no sign changed, but of the one without a penalty
    assert (np.diff(values) <= 1e-12).all()
    assert values[-1] < values[0]


def test_a_linear_system():
    H, g, _ = problem(0, d=7)
    at = np.array([1, 2, 4, 6])
    x = g[at].copy()
    solve_positive(H, at, x)
    np.testing.assert_allclose(H[np.ix_(at, at)] @ x, g[at], atol=1e-10)
    x = np.array([1.0, 1.0, 2.0])
    solve_positive(np.array([[2.0, 2.0, 0.0], [2.0, 2.0, 0.0], [0.0, 0.0, 4.0]]), np.arange(3), x)
    np.testing.assert_allclose(x, [0.5, 0.0, 0.5])  # the second depends on the first
