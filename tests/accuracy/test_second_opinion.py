"""The closed form against fits that leave rows out, the lead by hand, and that it narrows where confidence does not."""

import numpy as np
import pytest

from foldless.accuracy._held_out_accuracy import HeldOut, combined, held_out_accuracy
from foldless.accuracy._second_opinion import MAX_LEAD, MIN_LEAD, lead, opinion_and_weights
from foldless.core import Candidate, PoolRows, Task
from foldless.data._opening import open_sample
from foldless.selection import _compared_rows
from foldless.selection._compared_rows import opinions, read_pool


def drawn(n, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(3, size=n)
    return rng.normal(size=(n, 4)) + 1.5 * np.eye(4)[y], y


def gram(X, n):
    return np.exp(-np.linalg.norm(X[:, None] - X[None, :n], axis=2))


def second_opinion(gram, y, n_classes, ridge, units=None):
    """The scores of all rows from a kernel (n + m, n): labeled ones first, without the labels of their own unit."""
    own, weights = opinion_and_weights(gram[: len(y)], y, n_classes, ridge, units)
    return np.vstack([own, gram[len(y) :] @ weights + weights.sum(axis=0)])


@pytest.mark.parametrize("units", [None, np.repeat(np.arange(10), 3)])
def test_labeled_rows_are_scored_without_their_unit(units):
    X, y = drawn(40)
    kernel, n = gram(X, 30), 30
    scores = second_opinion(kernel, y[:n], 3, 0.1, units)
    for row in range(n):
        left = np.flatnonzero(np.arange(n) != row if units is None else units != units[row])
        weights = np.linalg.solve(kernel[np.ix_(left, left)] + 1 + 0.1 * np.eye(len(left)), np.eye(3)[y[left]] - 1 / 3)
        np.testing.assert_allclose(scores[row], (kernel[row, left] + 1) @ weights)
    weights = np.linalg.solve(kernel[:n] + 1 + 0.1 * np.eye(n), np.eye(3)[y[:n]] - 1 / 3)
    np.testing.assert_allclose(scores[n:], (kernel[n:] + 1) @ weights)


def test_the_lead_by_hand():
    scores = np.array([[0.2, 0.1, -0.3], [0.2, 0.1, -0.3], [0.2, 0.1, -0.9], [2.0, 0.0, 0.0], [0.2, 0.1, 0.0]])
    np.testing.assert_allclose(lead(scores, np.array([0, 1, 2, 0, -1])), [0.1, -0.1, MIN_LEAD, MAX_LEAD, MIN_LEAD])


def task_of(X, y, pool, groups=None):
    data = open_sample(X, y, pool, groups=groups)
    labeled, unlabeled, _ = data.rows()
    return data, Task(data.target, labeled, PoolRows(unlabeled), (Candidate(0, "model", {}),), 1, 0, data.groups)


def test_labels_beyond_the_limit_are_scored_as_the_pool_is(monkeypatch):
    X, y = drawn(120)
    groups = np.repeat(np.arange(16), 5)
    data, task = task_of(X[:80], y[:80], X[80:], groups)
    whole, _ = opinions(data, task, np.arange(40))
    monkeypatch.setattr(_compared_rows, "MAX_LABELS", 42)
    part, pool = opinions(data, task, np.arange(40))
    assert len(_compared_rows._used(data.groups, task.rng("second opinion"))) == 40  # no part of a group
    assert part.shape == (80, 3)
    assert pool.shape == (40, 3)
    assert (part.argmax(axis=1) == y[:80]).mean() > 0.5
    assert not np.allclose(part, whole)


def test_pool_rows_within_limits(monkeypatch):
    X, y = drawn(200)
    data, task = task_of(X[:30], y[:30], X[20:])
    np.testing.assert_array_equal(read_pool(data, task), np.arange(10, 180))  # ten are labeled rows
    monkeypatch.setattr(_compared_rows, "MAX_POOL_ROWS", 50)
    assert len(read_pool(data, task)) <= 50


def test_rows_that_are_no_features_have_no_opinion():
    data, task = task_of(np.array([[{}], [{}], [{}]], dtype=object), np.array([0, 1, 1]), None)
    assert opinions(data, task, np.arange(0)) is None


def test_sparse_rows_and_texts():
    from scipy import sparse

    X, y = drawn(90)
    data, task = task_of(sparse.csr_array(np.maximum(X, 0)[:60]), y[:60], sparse.csr_array(np.maximum(X, 0)[60:]))
    labeled, pool = opinions(data, task, np.arange(30))
    assert (labeled.argmax(axis=1) == y[:60]).mean() > 0.5
    assert (pool.argmax(axis=1) == y[60:]).mean() > 0.5


def test_rows_are_scored_as_by_the_whole_kernel():
    """No kernel of the pool is held: numbers go block by block, sparse rows through the weights of their features."""
    from scipy import sparse

    X, y = drawn(300)
    data, task = task_of(X[:100], y[:100], X[100:])
    features = (X - X.mean(axis=0)) / X.std(axis=0)
    apart = np.linalg.norm(features[:, None] - features[None, :100], axis=2)
    dense = second_opinion(np.exp(-apart / np.median(apart[:100][apart[:100] > 0])), y[:100], 3, _compared_rows.RIDGE)
    labeled, pool = opinions(data, task, np.arange(200))
    np.testing.assert_allclose(np.vstack([labeled, pool]), dense, atol=1e-4)  # the median counts distances of about 0
    positive = np.maximum(X, 0.1)
    data, task = task_of(sparse.csr_array(positive[:100]), y[:100], sparse.csr_array(positive[100:]))
    rows = positive / np.linalg.norm(positive, axis=1, keepdims=True)
    cosines = second_opinion(rows @ rows[:100].T, y[:100], 3, _compared_rows.RIDGE_OF_COSINES)
    labeled, pool = opinions(data, task, np.arange(200))
    np.testing.assert_allclose(np.vstack([labeled, pool]), cosines, atol=1e-9)


def test_of_several_predictors_the_better_counts_most():
    rng = np.random.default_rng(0)
    right = rng.random(300) < 0.7
    sure, noise = right + rng.normal(size=300), rng.normal(size=300)
    one, _ = combined(right, np.array([sure, noise, -sure]), np.zeros((3, 0)))
    assert np.corrcoef(one, sure)[0, 1] > 0.99  # what covaries negatively counts nothing
    pool = np.array([rng.normal(0.7, 1, 3000), rng.normal(size=3000), rng.normal(size=3000)])
    found = held_out_accuracy(HeldOut(right, np.array([sure, noise, -sure]), pool), 0.95, rng)
    alone = held_out_accuracy(HeldOut(right), 0.95, rng)
    assert found.upper - found.lower < 0.95 * (alone.upper - alone.lower)


def test_predictors_that_say_nothing_leave_the_pool_out():
    right = np.arange(40) % 3 > 0
    found = held_out_accuracy(HeldOut(right, np.ones((2, 40)), np.ones((2, 400))), 0.95, np.random.default_rng(0))
    alone = held_out_accuracy(HeldOut(right), 0.95, np.random.default_rng(0))
    assert found == alone
