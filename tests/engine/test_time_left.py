"""The time left is foreseen by what fits have taken, and by the rounds that a criterion plans."""

from math import sqrt

import numpy as np
import pytest
from helpers.learners import Ridge
from sklearn.datasets import make_classification

from foldless.criteria import Auto, Combination, KFold
from foldless.data._opening import open_sample
from foldless.engine import _progress as progress
from foldless.engine._time_left import SECONDS, Remaining
from foldless.errors import StoppedEarly
from foldless.selection._request import Request
from foldless.selection._session import Session

X, y = make_classification(60, 5, random_state=0)
GRID = list(np.logspace(-3, 3, 200))


class Looks(progress.Account):
    """Keeps what was left at every look."""

    def __init__(self):
        super().__init__()
        self.looks: list[Remaining] = []

    def _look(self):
        super()._look()
        self.looks.append(self._left)


def watched_run(estimator, grid, criterion, **request):
    looks = Looks()
    session = Session(Request(estimator, grid, random_state=0, **request), open_sample(X, y), looks)
    session.run([criterion])
    return session, looks.looks


def test_a_dear_candidate_after_cheap_ones_is_in_the_time_left(clock):
    """A count of fits would say a few hundredths of a second when the cheap half is done."""
    candidates = {"cheap": (Ridge(), None), "dear": (Ridge(sleep=0.1), None)}
    _, looks = watched_run(candidates, None, KFold(5))
    some_dear = [look for look in looks if 6 <= look.done < 10]
    assert some_dear
    assert all(look.now >= 0.08 * (10 - look.done) for look in some_dear)  # each takes .1 s, or more


@pytest.mark.parametrize("criterion", [Auto(), Combination()])
def test_rounds_that_are_not_asked_yet_are_counted(criterion):
    session, looks = watched_run(Ridge(), {"C": [0.1, 1.0, 10.0, 100.0, 1e3, 1e4]}, criterion)
    total = len(session.engine.ran)
    assert looks[1].fits == pytest.approx(total, rel=0.34)  # how many have a weight, or go on, is not known at first


def test_a_budget_is_the_most_that_is_left(clock):
    with pytest.warns(StoppedEarly):
        _, looks = watched_run(Ridge(sleep=0.02), {"C": GRID}, KFold(5), time_budget=1.0, started=clock.now)
    left = [look for look in looks if look.allowed is not None and look.later is not None]
    assert left
    assert all(look.allowed <= 1.0 for look in left)
    assert all(look.now > look.allowed for look in left[:5])  # forty seconds and more, of which it has one
    assert all(look.seconds <= look.to_end <= 6.0 for look in left)  # what follows the fits has five seconds


def test_kinds_that_differ_in_cost_differ_before_they_are_trained():
    root = sqrt(300 * 20)
    fits = {kind: seconds + per_root * root for kind, (seconds, per_root) in SECONDS.items()}
    assert fits["ExtraTreesClassifier"] > 5 * fits["LinearSVC"]
