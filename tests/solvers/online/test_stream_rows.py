"""The parts of a step against NumPy: products, sums, scales, and the lazy mean of iterates."""

import numpy as np
import pytest
from helpers.slow import slow_beyond
from numba import njit
from scipy import sparse

from foldless.learners.online._kernel_rows import batches
from foldless.solvers.online._stream_rows import change, dot, keep, meet, squares
from foldless.solvers.online._stream_state import STATE
from foldless.solvers.online._stream_weights import averaged, constant_at, latest, refresh, room, settle


@njit
def product(rows, i, w):
    return dot(rows, i, w)


@njit
def square(rows, i):
    return squares(rows, i)


@njit
def changed(rows, i, w, along, area):
    """Change the weights along row i, and settle it by meeting row 0; that one's score."""
    along, area, before = change(rows, i, w, along, area, w)
    product, overlap = meet(rows, 0, w, before, along, area)
    return product + along * overlap


@njit
def kept(rows, last, w, length):
    keep(rows, last, w, length)


def forms(X):
    return [X.astype(np.float32), sparse.csr_array(X.astype(np.float32)), sparse.csr_matrix(X)]


@pytest.mark.parametrize("d", slow_beyond(3, [1, 15, 16, 17, 33, 3, 31, 32, 64, 200]))
def test_products_and_sums_of_rows(d):
    rng = np.random.default_rng(d)
    X = rng.normal(size=(5, d)) * (rng.random((5, d)) < 0.6)
    for form in forms(X):
        (batch,) = batches(form, np.zeros(5, np.int32), 0.5, 1)
        weights = np.zeros((3, room(d)), np.float32)
        weights[0, :d], weights[0, constant_at(d)] = rng.normal(size=d), 2.0
        weights[1, :d] = rng.normal(size=d)
        before = weights.copy()
        for i in range(5):
            assert product(batch.rows, i, weights.ctypes.data) == pytest.approx(X[i] @ before[0, :d] + 1.0, abs=1e-5)
            assert square(batch.rows, i) == pytest.approx(X[i] @ X[i] + 0.25, rel=1e-6)
        now = X[0] @ (before[0, :d] + 0.7 * X[3]) + 0.5 * 2.35  # at once, or by way of the overlap
        assert changed(batch.rows, 3, weights.ctypes.data, 0.7, -2.0) == pytest.approx(now, abs=1e-5)
        np.testing.assert_allclose(weights[0, :d], before[0, :d] + 0.7 * X[3], atol=1e-6)
        np.testing.assert_allclose(weights[1, :d], before[1, :d] - 2.0 * X[3], atol=1e-6)
        assert weights[:2, constant_at(d)] == pytest.approx([2.0 + 0.35, -1.0])
        untouched = np.delete(np.arange(room(d)), [*range(d), constant_at(d)])
        assert (weights[:, untouched] == 0).all()


def test_what_lies_behind_a_row_is_not_read():
    """The last row of an array may end where memory ends; a NaN behind it must not show."""
    values = np.full(40, np.nan, np.float32)
    values[:6] = 1
    (batch,) = batches(values[:6].reshape(2, 3), np.zeros(2, np.int32), 0.0, 1)
    weights = np.ones((3, room(3)), np.float32)
    assert product(batch.rows, 1, weights.ctypes.data) == 3


def test_settling_and_refreshing_change_neither_the_weights_nor_their_mean():
    rng = np.random.default_rng(0)
    weights = rng.normal(size=(3, 48)).astype(np.float32)
    state = np.zeros(1, STATE)
    s = state[0]
    s["scale"], s["area"], s["averaged"], s["along"], s["along_area"] = 0.3, 40.0, 100.0, 0.2, -0.4
    w, mean = latest(weights, state), averaged(weights, state)
    settle(state, weights.ctypes.data, 48)
    np.testing.assert_allclose(latest(weights, state), w, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(averaged(weights, state), mean, rtol=1e-5, atol=1e-6)
    total = refresh(weights.ctypes.data, 48, np.float32(s["scale"]), np.float32(s["area"]))
    s["scale"], s["area"] = 1.0, 0.0
    np.testing.assert_allclose(latest(weights, state), w, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(averaged(weights, state), mean, rtol=1e-5, atol=1e-6)
    assert total == pytest.approx(w @ w, rel=1e-5)


def test_the_last_row_is_kept():
    X = np.arange(12.0, dtype=np.float32).reshape(4, 3)
    (batch,) = batches(X, np.zeros(4, np.int32), 0.5, 1)
    weights = np.ones((3, room(3)), np.float32)
    kept(batch.rows, 4, weights.ctypes.data, room(3))
    assert weights[2, :3].tolist() == [9, 10, 11]
    assert weights[2, constant_at(3)] == 0.5
    assert (weights[:2] == 1).all()


@pytest.mark.parametrize("order", [None, np.array([7, 3, 3, 0])])
def test_batches_are_the_rows_in_their_order(order, monkeypatch):
    monkeypatch.setattr("foldless.learners.online._kernel_rows.ROOM", 40)
    monkeypatch.setattr("foldless.learners.online._kernel_rows.LONG", 40)
    X = np.arange(30.0).reshape(10, 3)
    codes = np.arange(10, dtype=np.int32)
    weights = np.zeros((3, room(3)), np.float32)
    weights[0, :3] = 1, 100, 10000
    rows = np.arange(10) if order is None else order
    for form in (*forms(X), np.asfortranarray(X)):
        found, seen, firsts = [], [], []
        for batch in batches(form, codes, 0.0, 1, order):
            found += [product(batch.rows, i, weights.ctypes.data) for i in range(batch.n)]
            seen += batch.codes.tolist()
            firsts.append(batch.first)
        np.testing.assert_allclose(found, X[rows] @ [1, 100, 10000])
        assert seen == codes[rows].tolist()
        assert len(firsts) > 1
        assert firsts[0] == 0
