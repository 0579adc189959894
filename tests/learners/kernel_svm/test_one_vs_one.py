"""Machines of pairs: their coefficients laid out by pair, and threads that an interrupt ends."""

from functools import partial
from itertools import combinations

import numpy as np
import pytest
from helpers.kernel_problems import rbf, rings

from foldless.learners.kernel_svm._one_vs_one import Machine, Machines, Pairs
from foldless.solvers.kernel_svm.smo import padded


def test_coefficients_by_pair():
    """Row t of class a against b is at the partner b − 1 where b > a, else at b."""
    counts = np.array([2, 1, 3])
    dual = np.arange(12.0).reshape(2, 6) + 1
    by_pair = Machine(np.arange(6), counts, dual, np.zeros(3), np.zeros(3)).by_pair()
    classes = np.repeat(np.arange(3), counts)
    for row, (a, b) in zip(by_pair, combinations(range(3), 2), strict=True):
        for t, c in enumerate(classes):
            other = {a: b, b: a}.get(int(c))
            expected = 0.0 if other is None else dual[other - 1 if other > c else other, t]
            assert row[t] == expected


class Interrupted:
    """A pool that has done the first piece of work when Ctrl-C reaches the thread that waits for it."""

    def map(self, work, items):
        first, *rest = items
        work(first)
        self.left = [partial(work, item) for item in rest]
        raise KeyboardInterrupt


def test_an_interrupt_ends_the_work_of_other_threads(monkeypatch):
    X, y = rings(60, 3)
    m = padded(60)
    gram = np.zeros((m, m), np.float32)
    gram[:60, :60] = rbf(X, 1.0)
    solved = []
    empty = Machines.empty
    monkeypatch.setattr(Machines, "empty", lambda *args: solved.append(empty(*args)) or solved[0])
    pool = Interrupted()
    with pytest.raises(KeyboardInterrupt):
        Pairs(gram, np.arange(60), np.array([0, 20, 40, 60]), [1.0], 1e-3, -1, pool, 2).solve(np.ones((1, 60)))
    steps = solved[0].steps.copy()
    assert np.count_nonzero(steps) == 1
    assert len(pool.left) == 2
    for work in pool.left:
        work()
    np.testing.assert_array_equal(solved[0].steps, steps)
