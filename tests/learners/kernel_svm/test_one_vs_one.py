"""Machines of pairs: their coefficients laid out by pair, and threads that an interrupt ends."""

from itertools import combinations

import numpy as np
import pytest
from helpers.kernel_problems import rbf, rings

from foldless.learners.kernel_svm import _one_vs_one as one_vs_one
from foldless.learners.kernel_svm._one_vs_one import Machine, Pairs
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
    """Does the work and then what Ctrl-C does to the thread that waits for it."""

    def __init__(self, before):
        self.before = before

    def map(self, work, items):
        for item in list(items)[: self.before]:
            work(item)
        raise KeyboardInterrupt


def test_an_interrupt_tells_the_threads(monkeypatch):
    X, y = rings(60, 3)
    m = padded(60)
    gram = np.zeros((m, m), np.float32)
    gram[:60, :60] = rbf(X, 1.0)
    told = []
    monkeypatch.setattr(one_vs_one, "solve_pairs", lambda *given: told.append(given[9]))
    pairs = Pairs(gram, np.arange(60), np.array([0, 20, 40, 60]), [1.0], 1e-3, -1, Interrupted(2), 2)
    with pytest.raises(KeyboardInterrupt):
        pairs.solve(np.ones((1, 60)))
    assert len(told) == 2
    assert all(halt[0] for halt in told)
