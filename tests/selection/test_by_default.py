"""FoldlessSearch() without an estimator: a portfolio for what X is, and an average of it where that is asked for."""

import time

import numpy as np
import pandas as pd
import pytest
from helpers.clock import patched
from helpers.short_portfolio import shorten
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, clone, is_classifier
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.naive_bayes import GaussianNB

from foldless import FoldlessSearch, certify, compare
from foldless.criteria import Auto
from foldless.errors import BadInput, StoppedEarly
from foldless.portfolio import default_candidates
from foldless.saving.model_files import load, save

WORDS = {"a": "sun moon bright sky", "b": "rain cloud storm wind"}
N_LABELED, N = 24, 100


def numbers(seed=0):
    rng = np.random.default_rng(seed)
    y = np.array(list("ab"))[np.arange(N) % 2]
    return rng.normal(size=(N, 3)) + 2 * (y == "b")[:, None], y


def texts():
    rng = np.random.default_rng(1)
    y = np.array(list("ab"))[np.arange(N) % 2]
    return [" ".join(rng.choice((WORDS[label] + " the of and").split(), 6)) for label in y], y


def frame():
    """Numbers, categories, texts and dates, with missing values in labeled rows and in the pool."""
    X, y = numbers()
    rng = np.random.default_rng(2)
    columns = pd.DataFrame(X, columns=["x1", "x2", "x3"]).assign(
        color=np.where(rng.random(N) < 0.8, np.where(y == "a", "red", "blue"), "gray"),
        body=texts()[0],
        when=pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 400, N), unit="D"),
    )
    columns.loc[[3, 50], "x1"] = np.nan
    columns.loc[[5, 60], "color"] = None
    return columns, y


FORMS = {
    "an array": numbers,
    "a sparse matrix": lambda: (sparse.csr_array(np.abs(numbers()[0])), numbers()[1]),
    "a list of strings": texts,
    "a data frame": frame,
}


def parts(X, rows):
    if isinstance(X, pd.DataFrame):
        return X.iloc[rows]
    return X[rows] if not isinstance(X, list) else X[rows.start : rows.stop]


@pytest.fixture
def short(monkeypatch):
    shorten(monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
def test_every_kind_of_rows_is_read_and_the_model_saved(form, short, tmp_path):
    X, y = FORMS[form]()
    labeled, pool, new = (parts(X, rows) for rows in (slice(0, N_LABELED), slice(N_LABELED, 70), slice(70, N)))
    search = FoldlessSearch(offer="average", random_state=0, estimate=False)
    search.fit(labeled, y[:N_LABELED], X_unlabeled=pool)
    assert search.selection_.criterion.name == "combination"
    assert not search.selection_.failed
    assert search.score(new, y[70:]) > 0.75
    assert set(search.candidates_) == {params["estimator"] for params in search.cv_results_["params"]}
    np.testing.assert_allclose(search.predict_proba(new).sum(axis=1), 1)
    search.report(tmp_path / "report.html")
    assert "FoldlessSearch(" in (tmp_path / "report.html").read_text(encoding="utf-8")
    save(search.selection_, tmp_path / "m.skops")
    np.testing.assert_array_equal(load(tmp_path / "m.skops").model.predict(new), search.predict(new))


def test_the_best_candidate_of_an_array_without_a_pool(short):
    X, y = numbers()
    search = FoldlessSearch(random_state=0, estimate=False).fit(X[:N_LABELED], y[:N_LABELED])
    assert search.selection_.criterion.name == "auto"
    assert "pool-features" not in search.candidates_
    assert search.best_params_["estimator"] in search.candidates_
    assert search.score(X[70:], y[70:]) > 0.75


def test_another_fit_has_the_portfolio_of_its_rows(short):
    X, y = numbers()
    search = FoldlessSearch(criterion="hold_out", random_state=0, estimate=False)
    assert "linear-discriminant" in search.fit(X[:N_LABELED], y[:N_LABELED]).candidates_
    again = search.fit(texts()[0][:N_LABELED], y[:N_LABELED])
    assert "naive-bayes" in again.candidates_
    assert "linear-discriminant" not in again.candidates_


def test_it_is_an_estimator_before_it_has_seen_rows():
    search = FoldlessSearch()
    assert repr(search) == "FoldlessSearch()"
    assert search.get_params()["estimator"] is None
    assert search.get_params()["offer"] == "best"
    assert clone(search.set_params(offer="average")).offer == "average"
    assert is_classifier(search)
    assert hasattr(search, "predict_proba")  # what every portfolio has


def offered(**settings):
    """The criterion and its metric of a search with ``offer="average"``."""
    X, y = numbers()
    search = FoldlessSearch(LogisticRegression(), {"C": [0.1, 1.0]}, offer="average", random_state=0, **settings)
    search.fit(X[:N_LABELED], y[:N_LABELED], X_unlabeled=X[N_LABELED:60])
    return search


@pytest.mark.parametrize(
    ("settings", "name"),
    [
        ({}, "combination"),
        ({"criterion": "auto"}, "combination"),
        ({"criterion": "combination"}, "combination"),
        ({"scoring": "accuracy"}, "combination"),
        ({"scoring": "roc_auc"}, "combination"),
        ({"criterion": Auto(offer="average")}, "auto"),
    ],
)
def test_an_average_by_the_criterion_that_can_make_it(settings, name):
    search = offered(estimate=False, **settings)
    assert search.selection_.criterion.name.startswith(name)
    assert search.predict_proba(numbers()[0][60:]).shape == (40, 2)


@pytest.mark.parametrize(
    ("search", "message"),
    [
        (FoldlessSearch(param_grid={"C": [1]}), "is the grid of an estimator, and none was given: pass both"),
        (FoldlessSearch(offer="all"), "offer must be 'best' or 'average', got 'all'"),
        (
            FoldlessSearch(LogisticRegression(), offer="average", criterion="k_fold"),
            "offer='average' needs criterion='auto' or 'combination', and the criterion is 'k_fold': leave one of",
        ),
        (FoldlessSearch(Ridge(), offer="average"), "averages probabilities of classes, and regressors predict numbers"),
    ],
)
def test_what_it_refuses(search, message):
    X, y = numbers()
    with pytest.raises(BadInput, match=message):
        search.fit(X[:N_LABELED], (y[:N_LABELED] == "b").astype(int))


def test_sample_weights_go_to_those_that_take_them(short):
    X, y = numbers()
    search, share_of_b = FoldlessSearch(offer="average", random_state=0, estimate=False), {}
    for weight in (1.0, 0.01):
        weights = np.where(y[:N_LABELED] == "a", weight, 1.0)
        search.fit(X[:N_LABELED], y[:N_LABELED], X_unlabeled=X[N_LABELED:60], sample_weight=weights)
        share_of_b[weight] = search.predict_proba(X[60:])[:, 1].mean()
    assert set(search.candidates_) == {"logistic-regression"}
    assert "linear-discriminant, nearest-neighbors, pool-features take no sample weights, and are left out" in (
        search.selection_.notes
    )
    assert share_of_b[0.01] > share_of_b[1.0] + 0.1


class Downloaded(ClassifierMixin, BaseEstimator):
    """A model as TabPFN or TabICL: fit keeps the rows, and the answer about new rows is made of both."""

    def __init__(self, device="cpu", random_state=None):
        self.device = device
        self.random_state = random_state

    def fit(self, X, y):
        self.classes_, codes = np.unique(y, return_inverse=True)
        self.means_ = np.array([np.asarray(X)[codes == code].mean(axis=0) for code in range(len(self.classes_))])
        return self

    def predict_proba(self, X):
        distance = np.square(np.asarray(X)[:, None] - self.means_).sum(axis=2)
        return np.exp(-distance) / np.exp(-distance).sum(axis=1, keepdims=True)

    def predict(self, X):
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


def test_a_model_of_ones_own_is_a_candidate_beside_the_portfolio(short):
    X, y = numbers()
    candidates = {"downloaded": Downloaded(), **default_candidates(X, n_labels=N_LABELED)}
    search = FoldlessSearch(candidates, offer="average", random_state=0, estimate=False)
    search.fit(X[:N_LABELED], y[:N_LABELED], X_unlabeled=X[N_LABELED:60])
    assert not search.selection_.failed
    assert "downloaded" in {choice.candidate.name for choice in search.selection_.ranking}
    np.testing.assert_allclose(search.predict_proba(X[60:]).sum(axis=1), 1)


def same_with_any_number_of_workers():
    X, y = numbers()

    def model(n_jobs):
        search = FoldlessSearch(offer="average", random_state=3, estimate=False, n_jobs=n_jobs)
        search.fit(X[:N_LABELED], y[:N_LABELED], X_unlabeled=X[N_LABELED:60])
        return search.predict_proba(X[60:]), {c.name: w for c, w in search.selection_.members.items()}

    (one, members), (two, again) = model(1), model(2)
    assert members == again
    np.testing.assert_array_equal(one, two)


@pytest.mark.slow
def test_any_number_of_workers_makes_the_same_model(short):
    same_with_any_number_of_workers()


@pytest.mark.slow
def test_any_number_of_workers_makes_the_same_model_of_the_whole_portfolio():
    same_with_any_number_of_workers()


class Sleepy(GaussianNB):
    def fit(self, X, y):
        time.sleep(1)
        return super().fit(X, y)


def test_a_time_budget_says_where_it_ended(monkeypatch):
    patched(monkeypatch)
    X, y = numbers()
    search = FoldlessSearch(
        {"quick": GaussianNB(), "slow": Sleepy()}, offer="average", random_state=0, time_budget=0.5, estimate=False
    )
    ended = "the time budget of 0.5 s ran out: chosen among the 1 of 2 candidates that were complete"
    with pytest.warns(StoppedEarly, match=ended):
        search.fit(X[:N_LABELED], y[:N_LABELED], X_unlabeled=X[N_LABELED:60])
    assert ended in search.selection_.notes


def test_a_comparison_and_a_certificate_need_no_estimator_either(short):
    X, y = numbers()
    rows = {"X": X[:N_LABELED], "y": y[:N_LABELED], "X_unlabeled": X[N_LABELED:60], "random_state": 0}
    comparison = compare(criteria=["combination", "k_fold"], **rows)
    assert list(comparison.selections) == ["combination", "k_fold"]
    tried = {choice.candidate.params["estimator"] for choice in comparison["k_fold"].ranking}
    assert "pool-features" in tried
    certificate = certify(None, **rows)
    certified = {choice.candidate.params["estimator"] for choice in certificate.selection.ranking}
    assert certified == tried - {"pool-features"}
    with pytest.raises(BadInput, match="is the grid of an estimator, and none was given"):
        certify(None, **rows, param_grid={"C": [1]})


@pytest.mark.slow
def test_a_class_with_one_row_is_no_error(short):
    X, y = numbers()
    y = y.astype(object)
    y[0] = "rare"
    search = FoldlessSearch(offer="average", random_state=0, estimate=False)
    search.fit(X[:N_LABELED], y[:N_LABELED], X_unlabeled=X[N_LABELED:60])
    assert not search.selection_.failed
    assert search.classes_.tolist() == ["a", "b", "rare"]
    assert search.predict_proba(X[60:]).shape == (40, 3)
