"""What can be trained before the time is up is chosen by what its fits took."""

from operator import itemgetter
from types import SimpleNamespace

import numpy as np
import pytest
from helpers.learners import Ridge
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

from foldless import FoldlessSearch
from foldless.core import Candidate, Choice, Fit, Rows
from foldless.core.choice import Vote
from foldless.engine._stopping import Stop
from foldless.selection._training_in_time import MORE, TrainingInTime

GRID = {"C": np.logspace(-4, 3, 8)}
ROWS = Rows(np.arange(5))


def fit_of(at: int) -> Fit:
    return Fit(Candidate(at, f"c{at}", {}), ROWS)


def training(alone: dict[int, float], kept: tuple[int, ...] = (), left: float = 10.0) -> TrainingInTime:
    """Of an engine that knows what candidates took, with some seconds left."""
    fits = {at: fit_of(at) for at in alone}
    stop = SimpleNamespace(leaves=lambda seconds: seconds < left, to_the_end=Stop().to_the_end, reason="time is up")
    engine = SimpleNamespace(
        stop=stop, trained={}, alone={fits[at].candidate: seconds for at, seconds in alone.items()},
        has_model=lambda fit: fit.candidate.index in kept, model=lambda fit: None,
    )  # fmt: skip
    return TrainingInTime(engine)


def single(at: int, score: float) -> Choice:
    return Choice(fit_of(at).candidate, score, (fit_of(at),))


def average(*members: int, weights: tuple[float, ...]) -> Choice:
    return Choice(fit_of(members[0]).candidate, 1.0, tuple(map(fit_of, members)), vote=Vote(weights=weights))


def test_the_best_is_taken_where_there_is_time():
    ranking = [single(0, 0.9), single(1, 0.8)]
    assert training({0: 6.0, 1: 1.0}).reachable(ranking) == ranking
    assert training({0: 6.0, 1: 1.0}).seconds(ranking[0]) == MORE * 6.0


def test_a_lesser_one_is_taken_where_the_best_would_take_too_long():
    ranking = [single(0, 0.9), single(1, 0.8), single(2, 0.7)]
    in_time = training({0: 8.0, 1: 1.0, 2: 0.1})
    assert in_time.reachable(ranking) == ranking[1:]
    assert in_time.notes == [
        "time is up before c0 could be trained on every label, so the model is the next one that could"
    ]


def test_a_model_that_was_kept_takes_no_time():
    ranking = [single(0, 0.9), single(1, 0.8)]
    assert training({0: 800.0, 1: 1.0}, kept=(0,)).reachable(ranking) == ranking


def test_nothing_is_left_out_where_nothing_can_be_trained():
    ranking = [single(0, 0.9), single(1, 0.8)]
    assert training({0: 8.0, 1: 8.0}).reachable(ranking) == ranking


def test_members_that_take_too_long_are_left_out():
    in_time = training({0: 8.0, 1: 1.0, 2: 1.0})
    taken, *_ = in_time.reachable([average(0, 1, 2, weights=(0.5, 0.3, 0.2)), single(1, 0.8)])
    assert [fit.candidate.index for fit in taken.fits] == [1, 2]
    assert taken.vote.weights == pytest.approx((0.6, 0.4))
    assert in_time.notes == ["time is up: the average has 2 of its 3 members"]


@pytest.mark.parametrize("n_members", [1, 2])
def test_an_average_has_the_members_that_can_be_trained_in_time(monkeypatch, n_members):
    """Its estimate is of these members; that of a single one would need fits of its own."""
    X, y = make_classification(200, 8, n_informative=5, n_classes=3, random_state=0)
    search = FoldlessSearch(
        {"a": (Ridge(), GRID), "b": GaussianNB(), "c": LogisticRegression()},
        criterion="combination", random_state=0, time_budget=600,
    )  # fmt: skip
    whole = search.fit(X[:60], y[:60], X_unlabeled=X[60:]).selection_
    of = len(whole.best.fits)
    assert of > n_members
    by_weight = sorted(zip(whole.best.vote.weights, whole.best.fits, strict=True), key=itemgetter(0))
    lightest = [fit for _, fit in by_weight[:n_members]]
    monkeypatch.setattr(TrainingInTime, "leaves", lambda _, fit: fit in lightest)
    less = search.fit(X[:60], y[:60], X_unlabeled=X[60:]).selection_
    assert set(less.best.fits) == set(lightest)
    assert sum(less.best.vote.weights) == pytest.approx(1.0)
    assert less.best.candidate == whole.best.candidate
    assert any(f"the average has {n_members} of its {of} members" in note for note in less.notes)
    assert (less.estimate is None) == (n_members == 1)
    assert less.estimate is None or less.estimate != whole.estimate
