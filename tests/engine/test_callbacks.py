"""scikit-learn's callbacks on a search (scikit-learn 1.9 and later)."""

import numpy as np
import pytest
from helpers.learners import CALLS, Ridge
from helpers.searches import plain_search
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression

from foldless.errors import StoppedEarly

callback = pytest.importorskip("sklearn.callback")


class Recorder:
    """Writes down the tasks it is told of; may ask to stop."""

    def __init__(self, stop_after=None):
        self.begun, self.ended, self.stop_after = [], [], stop_after
        self.setups = self.teardowns = 0

    def setup(self, estimator, context):
        self.setups += 1

    def teardown(self, estimator, context):
        self.teardowns += 1

    def on_fit_task_begin(self, estimator, context):
        self.begun.append(context.task_name)

    def on_fit_task_end(self, estimator, context):
        self.ended.append(context.task_name)
        return self.stop_after is not None and self.ended.count("candidate-split-evaluation") >= self.stop_after


class Propagated(Recorder):
    max_propagation_depth = None


@pytest.fixture
def blobs():
    X, y = make_classification(200, 6, random_state=0)
    CALLS.clear()
    return X[:60], y[:60], X[60:]


def test_every_fit_is_a_task(blobs):
    X, y, pool = blobs
    recorder = Recorder()
    search = plain_search(Ridge(), {"C": [0.1, 1.0, 10.0]}, criterion="k_fold").set_callbacks(recorder)
    search.fit(X, y, X_unlabeled=pool)
    for task, times in {"search": 1, "candidate-split-evaluation": 15, "refit-with-best-params": 1}.items():
        assert recorder.begun.count(task) == recorder.ended.count(task) == times
    assert recorder.begun[0] == recorder.ended[-1] == "fit"
    assert (recorder.setups, recorder.teardowns) == (1, 1)


def test_a_callback_may_stop_the_search(blobs):
    X, y, pool = blobs
    search = plain_search(Ridge(), {"C": np.logspace(-3, 3, 8)}).set_callbacks(Recorder(stop_after=3))
    with pytest.warns(StoppedEarly, match="a callback asked to stop"):
        search.fit(X, y, X_unlabeled=pool)
    assert CALLS["fit"] == 3


def test_callbacks_reach_candidates_that_support_them(blobs):
    X, y, pool = blobs
    if not hasattr(LogisticRegression, "set_callbacks"):
        pytest.skip("this scikit-learn's LogisticRegression has no callbacks")
    recorder = Propagated()
    plain = plain_search(LogisticRegression(), {"C": [0.1, 1.0]}, random_state=0).fit(X, y, X_unlabeled=pool)
    search = plain_search(LogisticRegression(), {"C": [0.1, 1.0]}, random_state=0).set_callbacks(recorder)
    search.fit(X, y, X_unlabeled=pool)
    assert len(recorder.begun) > 3  # the search, its two fits, and what these tell themselves
    assert search.best_score_ == plain.best_score_


def test_the_progress_bar_of_scikit_learn(blobs, capsys):
    pytest.importorskip("rich")
    X, y, pool = blobs
    search = plain_search(Ridge(), {"C": [0.1, 1.0]}).set_callbacks(callback.ProgressBar(max_propagation_depth=0))
    search.fit(X, y, X_unlabeled=pool)
    assert "FoldlessSearch" in capsys.readouterr().out
