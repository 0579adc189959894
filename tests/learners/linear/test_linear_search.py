"""Through a search: one path per training set, the answers of single fits, models held or solved once more."""

import pickle
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from helpers.linear_problems import blobs, topics
from helpers.searches import plain_search
from sklearn.exceptions import ConvergenceWarning, FitFailedWarning
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.pipeline import make_pipeline

from foldless.criteria import KFold, QuantificationBound
from foldless.learners import LinearSVC, LogisticRegression
from foldless.learners.linear import _one_vs_rest as one_vs_rest
from foldless.learners.linear import _path_classifier as path_classifier

GRID = {"C": [1e-3, 0.03, 1.0, 30.0]}


class SVC(LinearSVC):
    """One fit after the other."""

    answer_batch = None


class Logit(LogisticRegression):
    """One fit after the other."""

    answer_batch = None


ALONE = {LinearSVC: SVC, LogisticRegression: Logit}


@pytest.fixture
def paths_solved(monkeypatch):
    solved = []
    whole = one_vs_rest.solve_path

    def spy(problem, costs, looks, **start):
        solved.append(list(costs))
        return whole(problem, costs, looks, **start)

    monkeypatch.setattr(one_vs_rest, "solve_path", spy)
    return solved


def split(k, labeled=150, n=700):
    X, y = topics(n, 200, k)
    return X[:labeled], np.array([f"c{c}" for c in range(k)])[y[:labeled]], X[labeled:]


@pytest.mark.parametrize(("learner", "criterion"), [
    (LinearSVC, QuantificationBound()),
    (LinearSVC, QuantificationBound(quantifier="pcc", fallback="never")),
    (LogisticRegression, QuantificationBound(quantifier="pcc", fallback="never")),
    (LinearSVC, KFold(3)),
    (LogisticRegression, KFold(3, scoring="neg_log_loss")),
])  # fmt: skip
@pytest.mark.parametrize("k", [2, 5])
def test_a_path_answers_what_single_fits_answer(learner, criterion, k, paths_solved):
    X, y, pool = split(k)
    settings = {"criterion": criterion, "random_state": 0}
    batched = plain_search(learner(tol=1e-6, max_iter=20_000), GRID, **settings).fit(X, y, X_unlabeled=pool)
    sets = 3 if isinstance(criterion, KFold) else 1
    assert paths_solved[:sets] == [GRID["C"]] * sets
    assert len(paths_solved) == sets + batched.selection_.n_fits.final
    del paths_solved[:]
    single = plain_search(ALONE[learner](tol=1e-6, max_iter=20_000), GRID, **settings).fit(X, y, X_unlabeled=pool)
    assert all(len(costs) == 1 for costs in paths_solved)
    assert len(paths_solved) >= 4 * sets
    np.testing.assert_allclose(batched.cv_results_["mean_test_score"], single.cv_results_["mean_test_score"], atol=2e-3)
    assert batched.best_params_ == single.best_params_
    assert (batched.predict(pool) == single.predict(pool)).mean() >= 0.998
    assert batched.best_estimator_.get_params()["C"] == batched.best_params_["C"]


@pytest.mark.parametrize("k", [2, 5])
def test_the_held_model_is_that_of_its_own_cost(k):
    """Weights of one column are contiguous: a view of them would go along with the solver to the last C."""
    X, y, pool = split(k)
    search = plain_search(LinearSVC(tol=1e-6, random_state=0), {"C": [0.01, 0.1, 10.0]}).fit(X, y, X_unlabeled=pool)
    assert search.selection_.n_fits.final == 0
    held = search.best_estimator_
    alone = LinearSVC(C=held.C, tol=1e-6, random_state=0).fit(X, y)
    np.testing.assert_allclose(held.decision_function(pool), alone.decision_function(pool), atol=1e-3)
    small = plain_search(LinearSVC(tol=1e-6, random_state=0), {"C": [0.01, 1.0, 10.0]}, criterion=First()).fit(
        X, y, X_unlabeled=pool
    )
    assert small.best_params_ == {"C": 0.01}
    alone = LinearSVC(C=0.01, tol=1e-6, random_state=0).fit(X, y)
    np.testing.assert_allclose(small.decision_function(pool), alone.decision_function(pool), atol=1e-3)


def test_models_that_are_too_large_are_solved_once_more(monkeypatch, paths_solved):
    X, y, pool = split(5)
    held = plain_search(LinearSVC(random_state=0), GRID).fit(X, y, X_unlabeled=pool)
    assert (held.selection_.n_fits.final, len(paths_solved)) == (0, 1)
    monkeypatch.setattr(path_classifier, "HELD", 0)
    again = plain_search(LinearSVC(random_state=0), GRID).fit(X, y, X_unlabeled=pool)
    assert again.selection_.n_fits.final == 1
    assert paths_solved[1:] == [GRID["C"], [again.best_params_["C"]]]
    assert again.best_params_ == held.best_params_
    assert (again.predict(pool) == held.predict(pool)).mean() > 0.99


def test_behind_a_vectorizer(paths_solved):
    rng = np.random.default_rng(0)
    words = np.array(["apple", "pear", "plum", "car", "bus", "train", "red", "blue", "green", "the", "of"])
    y = np.arange(90) % 3
    texts = [" ".join([*words[3 * c + rng.integers(3, size=3)], *words[rng.integers(11, size=4)]]) for c in y]
    grid = {"linearsvc__C": GRID["C"]}
    search = plain_search(make_pipeline(TfidfVectorizer(), LinearSVC(random_state=0)), grid)
    search.fit(texts[:45], y[:45], X_unlabeled=texts[45:])
    assert paths_solved == [GRID["C"]]
    assert search.selection_.n_fits.final == 0
    assert search.predict(["apple plum pear", "bus car", "red green"]).tolist() == [0, 1, 2]
    again = pickle.loads(pickle.dumps(search.best_estimator_))
    assert (again.predict(texts) == search.predict(texts)).all()


def test_the_order_of_the_grid_and_equal_costs(paths_solved):
    X, y, pool = split(2)
    up = plain_search(LinearSVC(random_state=0), {"C": [0.01, 1.0, 10.0]}).fit(X, y, X_unlabeled=pool)
    down = plain_search(LinearSVC(random_state=0), {"C": [10, 1.0, 0.01, 1]}).fit(X, y, X_unlabeled=pool)
    assert paths_solved == [[0.01, 1.0, 10.0]] * 2
    assert (up.cv_results_["mean_test_score"][[2, 1, 0, 1]] == down.cv_results_["mean_test_score"]).all()
    both = plain_search(LinearSVC(random_state=0), {"C": [1, 1.0]}).fit(X, y, X_unlabeled=pool)
    assert np.abs(both.best_estimator_.coef_).max() > 0


def test_a_cost_that_cannot_be_fails_alone():
    X, y, pool = split(3)
    with pytest.warns(FitFailedWarning, match=r"C == -1.0, must be > 0"):
        search = plain_search(LinearSVC(random_state=0), {"C": [-1.0, 0.1, 1.0]}).fit(X, y, X_unlabeled=pool)
    assert np.isnan(search.cv_results_["mean_test_score"][0])
    assert np.isfinite(search.cv_results_["mean_test_score"][1:]).all()


def test_one_warning_for_a_path():
    X, y, pool = split(5)
    with pytest.warns(ConvergenceWarning, match="at C = 1, 30") as warned:
        plain_search(LinearSVC(max_iter=10), GRID).fit(X, y, X_unlabeled=pool)
    assert len([w for w in warned if issubclass(w.category, ConvergenceWarning)]) == 1


def test_frames_keep_their_names():
    X, y = blobs(150, 4, 3)
    frame = pd.DataFrame(X, columns=list("wxyz"))
    search = plain_search(LogisticRegression(), GRID).fit(frame[:60], y[:60], X_unlabeled=frame[60:])
    assert search.best_estimator_.feature_names_in_.tolist() == list("wxyz")
    assert search.best_estimator_.n_features_in_ == 4
    with pytest.raises(ValueError, match="feature names"):
        search.best_estimator_.predict(frame[list("zyxw")])


@pytest.mark.parametrize("n_threads", ["1", "2"])
def test_threads_do_not_change_a_selection(n_threads, monkeypatch):
    X, y, pool = split(20, labeled=200)
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    first = plain_search(LinearSVC(random_state=0), GRID).fit(X, y, X_unlabeled=pool)
    monkeypatch.setenv("OMP_NUM_THREADS", n_threads)
    other = plain_search(LinearSVC(random_state=0), GRID).fit(X, y, X_unlabeled=pool)
    assert (first.cv_results_["mean_test_score"] == other.cv_results_["mean_test_score"]).all()
    assert (first.predict(pool) == other.predict(pool)).all()


class First(QuantificationBound):
    """Prefers the smallest C, whatever it answers."""

    def evaluate(self, task):
        choices = yield from super().evaluate(task)
        return [replace(choice, score=-choice.candidate.params["C"]) for choice in choices]
