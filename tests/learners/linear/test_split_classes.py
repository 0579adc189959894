"""Classes split over workers: the same weights and labels as in one process, to the bit."""

import joblib
import numpy as np
import pytest
from scipy import sparse

from foldless import FoldlessSearch
from foldless.engine import _fits as fits
from foldless.judging import _cross_fit as cross_fit
from foldless.learners import LinearSVC, LogisticRegression, _logits
from foldless.learners.linear import _split_classes, _weights

CLASSES = 40


@pytest.fixture(scope="module")
def problem():
    y = np.tile(np.arange(CLASSES), 3)
    X = sparse.random(len(y), 300, density=0.05, format="csr", random_state=0)
    X = sparse.csr_matrix(X + sparse.csr_array((np.ones(len(y)), (np.arange(len(y)), y)), X.shape))
    return X, y


@pytest.fixture
def split(monkeypatch):
    """Two threads in the place of processes, and few classes in that of many."""
    monkeypatch.setattr(_split_classes, "MANY", 20)
    monkeypatch.setattr(_split_classes, "THREADS", ())
    with joblib.parallel_config("threading", n_jobs=2):
        yield


def test_pieces_have_all_blocks_once(split):
    pieces = _split_classes.pieces_of(200)
    firsts = sorted(block.first for piece in pieces for block in piece)
    assert firsts == list(range(0, 200, 16))
    assert _split_classes.pieces_of(19) == []


def test_one_worker_and_threads_split_nothing():
    assert _split_classes.pieces_of(5000) == []
    with joblib.parallel_config("threading", n_jobs=2):
        assert _split_classes.pieces_of(5000) == []


@pytest.mark.parametrize("learner", [LinearSVC(random_state=0), LogisticRegression(random_state=0)])
@pytest.mark.parametrize("small", [True, False])
def test_the_weights_are_those_of_one_process(problem, learner, small, monkeypatch, request):
    if not small:
        monkeypatch.setattr(_weights, "SMALL", 0)
    whole = learner.fit(*problem)
    coef, intercept, iterations = whole.coef_, whole.intercept_, whole.n_iter_
    request.getfixturevalue("split")
    parts = learner.fit(*problem)
    assert sparse.issparse(parts.coef_) == sparse.issparse(coef)
    assert abs(parts.coef_ - coef).max() == 0
    assert np.array_equal(parts.intercept_, intercept)
    assert parts.n_iter_ == iterations


def test_a_search_is_the_same(problem, request):
    X, y = problem

    def chosen():
        search = FoldlessSearch(
            LinearSVC(), {"C": [0.1, 10]}, criterion="quantification_bound", random_state=0, estimate=False, n_jobs=1
        )
        return search.fit(X, y, X_unlabeled=X)

    whole = chosen()
    request.getfixturevalue("split")
    parts = chosen()
    assert np.array_equal(whole.cv_results_["mean_test_score"], parts.cv_results_["mean_test_score"])
    assert abs(whole.best_estimator_.coef_ - parts.best_estimator_.coef_).max() == 0


def test_labels_and_confidence_of_many_classes_are_made_in_parts(problem, monkeypatch):
    X, y = problem

    def found():
        search = FoldlessSearch(LinearSVC(), {"C": [0.1, 10]}, criterion="k_fold", random_state=0)
        search.fit(X, y, X_unlabeled=X)
        return search.best_estimator_.predict(X), search.selection_.estimate.value

    labels, value = found()
    monkeypatch.setattr(_logits, "BLOCK", 5 * CLASSES)
    monkeypatch.setattr(cross_fit, "AT_ONCE", 7 * CLASSES)
    monkeypatch.setattr(fits, "AT_ONCE", 7 * CLASSES)
    again, same = found()
    assert np.array_equal(labels, again)
    assert value == pytest.approx(same, abs=1e-12)
