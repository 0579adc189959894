"""One fit and its answers, aligned to the task's classes."""

import pickle
import warnings
from contextlib import suppress

import numpy as np
import pandas as pd
import pytest
from helpers.slow import slow_beyond
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from foldless import FoldlessSearch
from foldless.core import Ask, Candidate, Fit, Rows
from foldless.data._opening import open_sample
from foldless.engine._fits import Order, align, portable, run_order

CLASSES = np.array(["a", "b", "c"])


@pytest.fixture
def data():
    X, y = make_classification(90, 6, n_informative=4, n_classes=3, random_state=0)
    return open_sample(X, CLASSES[y])


def outcome(data, rows, response, estimator, labels=None):
    candidate = Candidate(0, "it", {})
    fit = Fit(candidate, Rows(rows), labels)
    return run_order(Order(fit, (Ask(fit, Rows(np.arange(90)), response),)), estimator, data)


def test_labels_are_codes_in_the_smallest_type(data):
    (codes,) = outcome(data, np.arange(90), "labels", LogisticRegression()).answers
    assert codes.dtype == np.int8
    assert np.mean(codes == data.y) > 0.5


@pytest.mark.parametrize(("response", "unseen"), [("probabilities", 0.0), ("scores", -np.inf)])
def test_classes_the_fit_has_not_seen(data, response, unseen):
    two = np.flatnonzero(data.y != 1)
    (answer,) = outcome(data, two, response, LogisticRegression()).answers
    direct = LogisticRegression().fit(data.labeled[two], CLASSES[data.y[two]])
    assert (answer[:, 1] == unseen).all()
    if response == "probabilities":
        assert np.allclose(answer[:, [0, 2]], direct.predict_proba(data.labeled))
    else:
        score = direct.decision_function(data.labeled)
        assert np.allclose(answer[:, [0, 2]], np.column_stack([-score, score]))


@pytest.mark.parametrize(
    ("response", "expected"),
    [("labels", 2), ("probabilities", [0, 0, 1]), ("scores", [-np.inf, -np.inf, 0])],
)
def test_one_class_is_a_constant_classifier(data, response, expected):
    only = np.flatnonzero(data.y == 2)
    (answer,) = outcome(data, only, response, SVC()).answers
    assert (answer == expected).all()


@pytest.mark.parametrize("wrap", [lambda one: one, lambda one: make_pipeline(StandardScaler(), one)])
def test_evidence_is_one_number_about_no_rows(data, wrap):
    candidate = Candidate(0, "it", {})
    estimator = wrap(GaussianProcessClassifier(optimizer=None, random_state=0))
    fit = Fit(candidate, Rows(range(90)))
    (evidence,) = run_order(Order(fit, (Ask(fit, Rows(range(0)), "evidence"),)), estimator, data).answers
    model = clone(estimator).fit(data.labeled, CLASSES[data.y])
    expected = (model[-1] if isinstance(estimator, Pipeline) else model).log_marginal_likelihood()
    assert evidence.shape == (1,)
    assert evidence[0] == expected


def test_a_fit_on_one_class_has_no_evidence(data):
    only = Rows(np.flatnonzero(data.y == 2))
    fit = Fit(Candidate(0, "it", {}), only)
    for keep in (True, False):
        result = run_order(Order(fit, (Ask(fit, Rows(range(0)), "evidence"),), keep), GaussianProcessClassifier(), data)
        assert result.error is None
        assert [str(answer) for answer in result.answers] == ["a fit on one class has no evidence"]


def test_a_question_that_cannot_be_answered_leaves_the_others_their_answers(data):
    class Unsure(LogisticRegression):
        def predict_proba(self, X):
            return np.full((len(X), 3), np.nan)

    fit, few = Fit(Candidate(0, "it", {}), Rows(range(90))), Rows(range(5))
    asks = tuple(Ask(fit, few, response) for response in ("labels", "probabilities", "labels"))
    result = run_order(Order(fit, asks, keep=True), Unsure(), data)
    first, bad, last = result.answers
    assert result.error is None
    assert result.failed
    assert (first == last).all()
    whole = LogisticRegression().fit(data.labeled, data.classes[data.y])
    assert data.classes[first].tolist() == whole.predict(data.labeled[:5]).tolist()
    assert str(bad) == "its probabilities are not all finite numbers"


def test_evidence_that_is_no_number_is_refused():
    with pytest.raises(ValueError, match="its evidence must be one number, got"):
        align(np.array([np.nan]), "evidence", CLASSES, CLASSES)


def test_one_class_is_answered_alike_whether_the_model_is_kept_or_not(data):
    only = Rows(np.flatnonzero(data.y == 2))
    fit = Fit(Candidate(0, "it", {}), only)
    asks = tuple(Ask(fit, Rows(range(90)), response) for response in ("labels", "probabilities", "scores"))
    kept, dropped = (run_order(Order(fit, asks, keep), SVC(), data) for keep in (True, False))
    for a, b in zip(kept.answers, dropped.answers, strict=True):
        assert a.dtype == b.dtype
        assert (a == b).all()
    assert kept.model is not None
    assert dropped.model is None


def test_labels_may_be_given(data):
    (codes,) = outcome(data, np.arange(90), "labels", LogisticRegression(), (data.y + 1) % 3).answers
    assert np.mean(codes == (data.y + 1) % 3) > 0.5


def test_one_vs_one_scores_are_refused_with_the_remedy():
    raw = np.zeros((5, 6))
    with pytest.raises(ValueError, match="decision_function_shape='ovr'"):
        align(raw, "scores", np.arange(4), np.arange(4))


def test_an_error_is_an_outcome_and_travels(data):
    class Odd(Exception):
        def __init__(self, a, b):
            super().__init__(f"{a} and {b}")

    assert str(portable(Odd(1, 2))) == "Odd: 1 and 2"
    result = outcome(data, np.arange(90), "labels", LogisticRegression(C=-1))
    assert result.answers == ()
    assert "C" in str(pickle.loads(pickle.dumps(result.error)))


def test_warnings_of_a_fit_are_recorded_not_shown(data):
    result = outcome(data, np.arange(90), "labels", LogisticRegression(max_iter=1))
    assert [category.__name__ for category, _ in result.warnings] == ["ConvergenceWarning"]


class Writing(GaussianNB):
    """Changes the rows that it is trained on, or asked about."""

    def __init__(self, at="fit"):
        super().__init__()
        self.at = at

    def fit(self, X, y):
        if self.at == "fit":
            X[:] = 0
        if self.at == "y":
            y[:] = y[0]
        return super().fit(X, y)

    def predict(self, X):
        if self.at == "predict":
            X *= 2
        return super().predict(X)


@pytest.mark.parametrize("at", ["fit", "y", "predict"])
@pytest.mark.parametrize("n_jobs", slow_beyond(1, [None, 2]))
def test_a_candidate_that_writes_into_the_rows_fails_and_the_callers_rows_stay(at, n_jobs):
    rng = np.random.default_rng(0)
    y = np.arange(40) % 2
    X, pool = rng.normal(size=(40, 3)) + y[:, None], rng.normal(size=(30, 3))
    before = X.copy(), y.copy(), pool.copy()
    search = FoldlessSearch(
        {"writes": (Writing(at), {}), "reads": (GaussianNB(), {})}, criterion="quantification_bound", n_jobs=n_jobs
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        search.fit(X, y, X_unlabeled=pool)
    assert search.best_params_["estimator"] == "reads"
    assert "writes into the rows" in str(list(search.selection_.failed.values()))
    for ours, theirs in zip(before, (X, y, pool), strict=True):
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("kind", [np.asarray, pd.DataFrame, sparse.csr_array, np.ndarray.tolist])
def test_features_are_handed_over_so_that_the_callers_stay(kind):
    X = kind(np.arange(12.0).reshape(6, 2))
    sample = open_sample(X, np.arange(6) % 2)
    for rows in (Rows(range(6)), Rows(range(2, 5)), Rows(np.array([1, 3]))):
        handed = sample.take(rows)
        with suppress(ValueError):  # read-only
            if sparse.issparse(handed):
                handed.data[:] = -1
            elif hasattr(handed, "iloc"):
                handed.iloc[:, :] = -1
            else:
                handed[0][0] = -1
    np.testing.assert_array_equal(X.toarray() if sparse.issparse(X) else np.asarray(X), np.arange(12.0).reshape(6, 2))
