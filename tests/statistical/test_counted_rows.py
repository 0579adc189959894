"""Certificates hold with copies in labels, in the pool, in both, and with groups; those that count every row do not.

Every row is a copy of a draw from an endless population. A draw is hard with some probability, and odd with another. A
fit knows the draws that it was trained on and errs on the other hard ones; with all labels, and only then, it errs on
the other odd ones too. So its error is known, copies that train make it look better than it is, and copies in the pool
are no further draws. In grouped worlds a fit knows the groups of its rows, which are hard and odd together.
"""

from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import pytest
from scipy.stats import binom

from foldless.core import Candidate, Classes, Contents, PoolRows, Rows, Task
from foldless.criteria import HoldOut, Progressive, SemiSupervisedCV

pytestmark = pytest.mark.slow  # thousands of draws

DELTA = 0.1
DRAWS = 300
IMPROBABLE = 1e-6
FORMS = {
    "draw": SemiSupervisedCV(3, 1 - DELTA),
    "per fold": SemiSupervisedCV(3, 1 - DELTA, "per_fold"),
    "betting": SemiSupervisedCV(3, 1 - DELTA, "betting"),
    "single split": SemiSupervisedCV(1, 1 - DELTA),
    "progressive": Progressive(confidence=1 - DELTA),
    "progressive, trained on every label": Progressive(confidence=1 - DELTA, refit=True),
    "hold-out": HoldOut(confidence=1 - DELTA),
}


@dataclass(frozen=True)
class World:
    """Numbers of draws for labels and pool, the copies of each, and how probable hard and odd draws are."""

    labels: int
    pool: int
    copies: int = 1
    pool_copies: int = 1
    hard: float = 0.2
    odd: float = 0.0
    grouped: bool = False
    oversampled: bool = False  # only hard draws have copies
    shared: int = 0  # labeled draws that are in the pool too

    def draw(self, seed):
        """The draw of each row, hard and odd draws, and the task."""
        rng = np.random.default_rng([self.labels, self.pool, seed])
        n = self.labels + self.pool
        hard, odd = rng.random(n) < self.hard, rng.random(n) < self.odd
        copies = np.where(hard | (not self.oversampled), self.copies, 1)[: self.labels]
        labeled = rng.permutation(np.repeat(np.arange(self.labels), copies))
        pool = np.repeat(np.arange(self.labels, n), self.pool_copies)
        pool = rng.permutation(np.concatenate([pool, np.arange(self.shared)]))
        sources, m = np.concatenate([labeled, pool]), len(pool)
        contents = Contents(labeled, pool, np.isin(pool, labeled), np.isin(labeled, pool))
        known = {"groups": pool} if self.grouped else {"contents": lambda: contents}
        rows = PoolRows(Rows(range(len(labeled), len(labeled) + m)), **known)
        task = Task(
            Classes(rng.integers(2, size=len(labeled)), np.arange(2)), Rows(range(len(labeled))), rows,
            (Candidate(0, "c0", {}),), 1, int(rng.integers(2**31)), labeled if self.grouped else None,
        )  # fmt: skip
        return sources, hard, odd, task

    def failed(self, criterion, seed, change=lambda task: task):
        """Whether the certificate of a draw is false."""
        sources, hard, odd, task = self.draw(seed)
        task = change(task)

        def predict(ask):
            rows, own = ask.rows.indices, np.zeros(len(hard), dtype=bool)
            own[sources[ask.fit.rows.indices]] = True
            errs = (hard & ~own)[sources[rows]]
            if len(ask.fit.rows) == len(task.labeled):
                errs |= (odd & ~own)[sources[rows]]
            truth = np.zeros(len(rows), dtype=int)
            truth[rows < len(task.y)] = task.y[rows[rows < len(task.y)]]
            return np.where(errs, 1 - truth, truth)

        evaluation = criterion.evaluate(task)
        asks = next(evaluation)
        with pytest.raises(StopIteration) as end:
            evaluation.send([predict(ask) for ask in asks])
        (choice,) = end.value.value
        held_out = len(choice.fits[0].rows) < len(task.labeled)
        error = self.hard if held_out else 1 - (1 - self.hard) * (1 - self.odd)
        return error > choice.certificate.upper + 1e-12


WORLDS = {
    "copies in the labels": World(120, 200, copies=2),
    "some copies in the labels": World(150, 200, copies=3, oversampled=True),
    "copies in the pool": World(1000, 12, pool_copies=100, hard=0.0, odd=0.12),
    "copies in both": World(300, 12, copies=2, pool_copies=200, hard=0.02, odd=0.12),
    "labeled rows in the pool": World(1000, 12, hard=0.0, odd=0.12, shared=400),
    "groups": World(40, 60, copies=10, pool_copies=10, hard=0.2, grouped=True),
    "groups in the pool": World(1000, 12, pool_copies=100, hard=0.0, odd=0.12, grouped=True),
}
BY_LABELS = ("progressive", "hold-out")  # which do not look at the pool
CONCERNED = {  # worlds in which counting every row makes a form fail
    world: [form for form in FORMS if form not in BY_LABELS or "pool" not in world] for world in WORLDS
}


def refuted(count, draws=DRAWS):
    """Whether so many failures are improbable for a bound that fails with probability at most δ."""
    return binom.sf(count - 1, draws, DELTA) < IMPROBABLE


@cache
def failures(world, form):
    return sum(WORLDS[world].failed(FORMS[form], seed) for seed in range(DRAWS))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("world", WORLDS)
def test_certificates_hold_with_copies_and_groups(world, form):
    assert not refuted(failures(world, form))


def every_row(task):
    """The same task without groups and with no row like another."""
    return replace(task, groups=None, pool=PoolRows(task.pool.rows))


@pytest.mark.parametrize(("world", "form"), [(world, form) for world in WORLDS for form in CONCERNED[world]])
def test_certificates_that_count_every_row_fail(world, form):
    assert refuted(sum(WORLDS[world].failed(FORMS[form], seed, every_row) for seed in range(60)), 60)


@pytest.mark.parametrize("form", FORMS)
def test_said_to_be_draws_copies_make_certificates_fail(form):
    draws = replace(FORMS[form], equal_rows="draws")
    world = WORLDS["copies in the labels" if form in BY_LABELS else "copies in the pool"]
    assert refuted(sum(world.failed(draws, seed) for seed in range(60)), 60)
