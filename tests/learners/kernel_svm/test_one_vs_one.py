"""Machines of pairs: their coefficients laid out by pair, and threads that an interrupt ends."""

from functools import partial
from itertools import combinations

import numpy as np
import pytest
from helpers.kernel_problems import rbf, rings

from foldless.learners.kernel_svm._one_vs_one import Machine, Machines, Pairs
from foldless.solvers.kernel_svm._smo import padded


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
    """Ctrl-C reaches the thread that waits while the others are about to begin their work."""

    def map(self, work, items):
        self.begin = [partial(work, item) for item in items]
        raise KeyboardInterrupt


class AtOnce:
    """Does the work where it is asked to."""

    map = map


def test_threads_end_after_an_interrupt(monkeypatch):
    X, y = rings(60, 3)
    m = padded(60)
    gram = np.zeros((m, m), np.float32)
    gram[:60, :60] = rbf(X, 1.0)
    machines, empty = [], Machines.empty
    monkeypatch.setattr(Machines, "empty", lambda *shape: machines.append(empty(*shape)) or machines[-1])

    def pairs(pool):
        return Pairs(gram, np.arange(60), np.array([0, 20, 40, 60]), [1.0], 1e-3, -1, pool, 2)

    whole = pairs(AtOnce()).solve(np.ones((1, 60)))
    assert (whole.steps > 1).all()
    threads = Interrupted()
    with pytest.raises(KeyboardInterrupt):
        pairs(threads).solve(np.ones((1, 60)))
    for begin in threads.begin:
        begin()
    assert len(threads.begin) == 3
    assert not machines[-1].steps.any()
