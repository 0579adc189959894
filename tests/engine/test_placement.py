"""Fits go to other processes only where what is left of a run is worth their start."""

import joblib
import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from foldless import FoldlessSearch
from foldless.engine import _executing
from foldless.engine import _placement as placement
from foldless.engine._carried_data import Carrier
from foldless.engine._placement import Placement, is_trusted
from foldless.learners import LinearSVC

X, Y = make_classification(120, 6, random_state=0)


class Own(LogisticRegression):
    """A class that is not of scikit-learn."""


@pytest.fixture
def backends(monkeypatch):
    seen = []

    class Watched(_executing.Parallel):
        def __call__(self, iterable):
            seen.append(type(self._backend).__name__)
            return super().__call__(iterable)

    monkeypatch.setattr(_executing, "Parallel", Watched)
    monkeypatch.setattr(placement, "loky_workers", list)
    return seen


def scores(estimator, n_jobs):
    grid = {"C": [0.01, 0.1, 1.0]}
    search = FoldlessSearch(estimator, grid, criterion="k_fold", n_jobs=n_jobs, random_state=0, estimate=False)
    return search.fit(X, Y).cv_results_["mean_test_score"]


def test_short_fits_of_scikit_learn_start_no_process(backends):
    scores(LogisticRegression(), 2)
    assert backends == []


def test_short_fits_that_free_the_gil_start_no_thread(backends, monkeypatch):
    """A fit takes a millisecond where nothing disturbs it."""
    counted = Placement.ran_here
    monkeypatch.setattr(Placement, "ran_here", lambda here, _, fits: counted(here, 0.001 * fits, fits))
    scores(LinearSVC(), 2)
    assert backends == []


def test_fits_that_free_the_gil_share_all_cores_whatever_the_number_of_jobs(monkeypatch):
    alone, workers = scores(LinearSVC(), None), []

    class Watched(_executing.Parallel):
        def __call__(self, iterable):
            workers.append(self.n_jobs)
            return super().__call__(iterable)

    monkeypatch.setattr(_executing, "Parallel", Watched)
    monkeypatch.setattr(placement, "threads", lambda: 2)
    monkeypatch.setattr(placement, "WAITING", 0.0)
    for n_jobs in (None, 1, 2):
        np.testing.assert_array_equal(scores(LinearSVC(), n_jobs), alone)
    scores(LogisticRegression(), None)
    assert workers == [2, 2, 2, 1]


@pytest.mark.slow
def test_long_ones_do_after_the_first_and_the_numbers_are_the_same(backends, monkeypatch):
    alone = scores(LogisticRegression(), 1)
    backends.clear()
    monkeypatch.setattr(placement, "STARTING", 0.0)
    np.testing.assert_array_equal(scores(LogisticRegression(), 2), alone)
    assert backends == ["LokyBackend"]


def test_fits_of_other_classes_go_to_processes_at_once(backends):
    scores(Own(), 2)
    assert backends == ["LokyBackend"]


def test_workers_that_the_user_chose_have_all_fits(backends):
    with joblib.parallel_config(backend="threading"):
        scores(LogisticRegression(), 2)
    assert backends == ["ThreadingBackend"]


@pytest.mark.parametrize(
    ("seconds", "fits", "left", "workers", "worth"),
    [
        (0.0, 0, 100, [], False),  # nothing is known yet
        (0.1, 10, 100, [], False),  # one second left
        (2.0, 10, 100, [], True),  # twenty
        (20.0, 100, 5, [], False),  # the last second of a long run
        (0.1, 10, 100, [1], True),  # one second, and workers are there
        (0.001, 10, 100, [1], False),
    ],
)
def test_workers_are_worth_their_start_where_much_is_left(monkeypatch, seconds, fits, left, workers, worth):
    monkeypatch.setattr(placement, "loky_workers", lambda: workers)
    here = Placement(2)
    here.ran_here(seconds, fits)
    assert here.worth_workers(left, left, 2) is worth
    assert not here.worth_workers(1, left, 2)  # one piece keeps one worker busy


def test_an_estimator_is_trusted_with_all_that_is_inside():
    assert is_trusted(make_pipeline(LogisticRegression()))
    assert not is_trusted(make_pipeline(Own()))


def test_data_that_cannot_be_written_for_workers_are_an_error_and_no_endless_wait(monkeypatch):
    original, calls = Carrier.of, []

    def of(self, touched, parallel):
        calls.append(touched)
        if len(calls) > 3:
            raise OSError("no space left on device")
        return original(self, touched, parallel)

    monkeypatch.setattr(Carrier, "of", of)
    with pytest.raises(OSError, match="no space left"):
        scores(Own(), 2)
