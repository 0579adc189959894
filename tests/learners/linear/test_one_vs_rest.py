"""From labels to lanes and back: any number of classes, weights on both sides, and no more memory than answers take."""

import pickle
import tracemalloc

import joblib
import numpy as np
import pytest
from helpers.linear_problems import topics
from scipy import sparse

from foldless import FoldlessSearch
from foldless.engine import _fits as fits
from foldless.judging import _cross_fit as cross_fit
from foldless.learners import LinearSVC, LogisticRegression, _logits
from foldless.learners.linear import _one_vs_rest, _weights
from foldless.learners.linear._one_vs_rest import Path
from foldless.learners.linear._problem import PathSettings

SETTINGS = PathSettings("squared_hinge", 1e-5, 3000, 1.0, 1)


def path(X, y, class_weight=None, sample_weight=None, settings=SETTINGS):
    weight = np.ones(y.max() + 1) if class_weight is None else np.asarray(class_weight)
    return Path(X, y, weight, sample_weight, settings)


@pytest.mark.parametrize("k", [2, 3, 4, 5, 15, 16, 17, 20, 33])
def test_labels_scores_and_weights_tell_the_same(k):
    X, y = topics(10 * k, 150, k)
    problem = path(X, y)
    rows = problem.vocabulary.rows(X)
    solved = problem.solve([0.1, 10.0], [(rows, "labels"), (rows, "scores")], hold=True)
    labels, scores = solved.answers
    columns = 1 if k == 2 else k
    assert scores.shape == (2, 10 * k, columns)
    if k > 2:
        assert (labels == scores.argmax(axis=2)).all()
    for at in range(2):
        again = X @ solved.weights[at].coef.T + solved.weights[at].intercept
        np.testing.assert_allclose(scores[at], again, atol=1e-4)
        assert solved.weights[at].coef.shape == (columns, 150)


@pytest.mark.slow
@pytest.mark.parametrize("loss", ["squared_hinge", "hinge", "logistic"])
@pytest.mark.parametrize("k", [21, 40])
def test_where_rows_are_few_weights_are_held_as_sums_of_rows(loss, k):
    """They take less, and are the same whatever the costs of classes and rows."""
    X, y = topics(120, 4000, k)
    settings = PathSettings(loss, 1e-5, 3000, 0.5, 1)
    problem = path(X, y, np.linspace(0.5, 2, k), np.linspace(0.1, 3, 120), settings)
    assert problem.bytes_of_weights() < 4 * problem.n_columns * len(problem.vocabulary.used)
    rows = problem.vocabulary.rows(X)
    solved = problem.solve([0.1, 3.0], [(rows, "scores")], hold=True)
    for weights, scores in zip(solved.weights, solved.answers[0], strict=True):
        assert len(pickle.dumps(weights)) < 8 * problem.n_columns * len(problem.vocabulary.used)
        np.testing.assert_allclose(
            X @ pickle.loads(pickle.dumps(weights)).coef.T + weights.intercept, scores, atol=1e-4
        )


def test_a_class_is_solved_alike_in_any_company():
    """The third class of three and of thirty-three, if all others are one."""
    X, y = topics(330, 150, 33)
    whole = path(X, y).solve([1.0], [], hold=True).weights[0]
    alone = path(X, (y == 17).astype(int)).solve([1.0], [], hold=True).weights[0]
    np.testing.assert_allclose(whole.coef[17], alone.coef[0], atol=1e-4)


def test_rows_without_weight_are_not_there():
    X, y = topics(100, 80, 3)
    weight = np.where(np.arange(100) % 4 == 0, 0.0, 1.0)
    weight[1] = 1e-300  # nothing in single precision
    some = np.flatnonzero(weight > 1e-200)
    given = path(X, y, sample_weight=weight).solve([1.0], [], hold=True).weights[0]
    fewer = path(X[some], y[some]).solve([1.0], [], hold=True).weights[0]
    np.testing.assert_allclose(given.coef, fewer.coef, atol=1e-4)


def test_a_class_of_no_weight_does_not_count():
    X, y = topics(90, 80, 2)
    weights = path(X, y, class_weight=[1.0, 0.0]).solve([1.0], [], hold=True).weights[0]
    assert np.isfinite(weights.coef).all()
    assert (X @ weights.coef.T + weights.intercept < 0).all()


@pytest.mark.slow
def test_labels_of_a_large_pool_take_little_memory():
    """A version that keeps the scores (300 × 20,000) or the weights of all C (4 × 300 × 5,000) takes 24 MB for each."""
    rng = np.random.default_rng(0)
    n, d, k, costs = 1200, 5000, 300, [0.01, 0.1, 1.0, 10.0]
    X = sparse.random_array((n, d), density=10 / d, rng=rng, format="csr")
    pool = sparse.random_array((20_000, d), density=3 / d, rng=rng, format="csr")
    problem = Path(X, np.arange(n) % k, np.ones(k), None, PathSettings("squared_hinge", 0.1, 100, 1.0, 1))
    rows = problem.vocabulary.rows(pool)
    problem.solve([0.01], [(rows, "labels")], hold=False)  # compiled

    def peak(response, hold):
        tracemalloc.start()
        solved = problem.solve(costs, [(rows, response)], hold=hold)
        _, top = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return top / 2**20, solved

    least = len(costs) * 20_000 * 8 / 2**20
    labels, solved = peak("labels", hold=False)
    assert solved.answers[0].shape == (4, 20_000)
    assert labels < 8 * least  # 5 MB in both of two threads, and a few blocks
    assert labels < 20
    assert peak("labels", hold=True)[0] < 20  # of every row the part that is in each class
    assert peak("scores", hold=False)[0] > 80


def test_what_held_weights_will_take():
    X, y = topics(100, 80, 3)
    problem = path(X, y)
    held = 3 * 100 * 4 + 8 * len(problem.vocabulary.rows(X).values)
    assert problem.bytes_of_weights() == min(held, 3 * len(problem.vocabulary.used) * 4)
    wide = sparse.csr_array((X.data, X.indices, X.indptr), shape=(100, 10**7))
    assert path(wide, y).bytes_of_weights() == problem.bytes_of_weights()


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
    monkeypatch.setattr(_one_vs_rest, "MANY", 20)
    monkeypatch.setattr(_one_vs_rest, "THREADS", ())
    with joblib.parallel_config("threading", n_jobs=2):
        yield


def test_pieces_have_all_blocks_once(split):
    pieces = _one_vs_rest.pieces_of(200)
    firsts = sorted(block.first for piece in pieces for block in piece)
    assert firsts == list(range(0, 200, 16))
    assert _one_vs_rest.pieces_of(19) == []


def test_one_worker_and_threads_split_nothing():
    assert _one_vs_rest.pieces_of(5000) == []
    with joblib.parallel_config("threading", n_jobs=2):
        assert _one_vs_rest.pieces_of(5000) == []


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
