"""The default criterion where tasks are odd: few labels, many classes, groups, weights, metrics, no pool."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_digits, load_iris, make_classification
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import FitFailedWarning
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.semi_supervised import LabelSpreading, SelfTrainingClassifier
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier

from foldless import FoldlessSearch, compare, learners, saving
from foldless.criteria import Auto
from foldless.learners import AveragingClassifier

pytestmark = pytest.mark.slow  # whole tasks

MIXED = {
    "bayes": (GaussianNB(), {}),
    "near": (KNeighborsClassifier(), {"n_neighbors": [1, 5]}),
    "tree": (DecisionTreeClassifier(random_state=0), {"max_depth": [1, 4, None]}),
    "ridge": (RidgeClassifier(), {"alpha": [0.1, 10]}),  # no probabilities
}


@pytest.fixture(scope="module")
def digits():
    X, y = load_digits(return_X_y=True)
    order = np.random.default_rng(0).permutation(len(y))
    return X[order] / 16, y[order]


def test_it_is_the_default_and_chooses_well(digits):
    X, y = digits
    search = FoldlessSearch(SVC(), {"C": [0.01, 1, 100], "gamma": [1e-4, 0.05, 10]}, random_state=0)
    search.fit(X[:80], y[:80], X_unlabeled=X[80:600], X_test=X[600:], y_test=y[600:])
    selection = search.selection_
    assert selection.criterion == Auto()
    assert selection.best_test_accuracy > max(selection.test_accuracy.values()) - 0.03
    assert set(selection.trace) >= {
        "score",
        "shares",
        "missing",
        "consensus",
        "training",
        "blend",
        "behind",
        "resamples",
    }


def test_two_labels_of_each_class(digits):
    X, y = digits
    rows = np.concatenate([np.flatnonzero(y == c)[:2] for c in range(10)])
    search = FoldlessSearch(MIXED, random_state=0).fit(X[rows], y[rows], X_unlabeled=X[200:500])
    assert search.score(X[500:], y[500:]) > 0.5


def test_a_thousand_classes():
    rng = np.random.default_rng(0)
    centers = rng.normal(size=(1000, 20)) * 3
    y = np.repeat(np.arange(1000), 3)
    X = centers[y] + 0.3 * rng.normal(size=(3000, 20))
    pool = centers + 0.3 * rng.normal(size=(1000, 20))
    search = FoldlessSearch(KNeighborsClassifier(), {"n_neighbors": [1, 15]}, random_state=0)
    assert search.fit(X, y, X_unlabeled=pool).best_params_ == {"n_neighbors": 1}


def test_groups_are_never_torn_apart():
    """Rows of a group are alike, and no copies: torn apart, one neighbor looks perfect."""
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 40)
    centers = rng.normal(size=(40, 5))
    X, groups = np.repeat(centers, 8, axis=0) + 0.1 * rng.normal(size=(320, 5)), np.repeat(np.arange(40), 8)
    grid = {"n_neighbors": [1, 81]}
    torn = FoldlessSearch(KNeighborsClassifier(), grid, random_state=0).fit(X, np.repeat(y, 8))
    whole = FoldlessSearch(KNeighborsClassifier(), grid, random_state=0).fit(X, np.repeat(y, 8), groups=groups)
    assert torn.best_score_ > 0.95
    assert whole.best_score_ < 0.8


def test_sample_weights_reach_the_fits():
    X, y = make_classification(120, 6, random_state=0)
    heavy = np.where(y == 1, 50.0, 1.0)
    search = FoldlessSearch(LogisticRegression(), {"C": [0.1, 1]}, random_state=0)
    plain = search.fit(X[:60], y[:60], X_unlabeled=X[60:]).predict(X).mean()
    weighted = search.fit(X[:60], y[:60], X_unlabeled=X[60:], sample_weight=heavy[:60]).predict(X).mean()
    assert weighted > plain


@pytest.mark.parametrize("scoring", ["f1_macro", "roc_auc", "balanced_accuracy", "neg_log_loss", "average_precision"])
def test_metrics(scoring):
    X, y = make_classification(400, 8, n_informative=4, weights=[0.85], random_state=2)
    grid = {"bayes": (GaussianNB(), {}), "logistic": (LogisticRegression(), {"C": [1e-4, 1]})}
    search = FoldlessSearch(grid, criterion=Auto(scoring=scoring), random_state=0)
    search.fit(X[:100], y[:100], X_unlabeled=X[100:])
    assert np.isfinite(search.best_score_)
    if scoring in ("f1_macro", "balanced_accuracy"):
        assert search.best_params_ != {"estimator": "logistic", "C": 1e-4}  # which names one class only


def test_scorers_of_ones_own():
    X, y = load_iris(return_X_y=True)

    def cost(estimator, X, y):
        return -float(np.mean(np.abs(estimator.predict(X) - y)))

    search = FoldlessSearch(MIXED, criterion=Auto(scoring=cost), random_state=0).fit(X[::4], y[::4], X_unlabeled=X)
    assert -0.5 < search.best_score_ <= 0


@pytest.mark.filterwarnings("ignore:invalid value encountered in divide")  # of LabelSpreading, on rows far from all
def test_semi_supervised_candidates(digits):
    X, y = digits
    candidates = {
        "spread": (LabelSpreading(kernel="knn"), {"n_neighbors": [5, 15]}),
        "self": (SelfTrainingClassifier(LogisticRegression()), {}),
        "plain": (learners.LogisticRegression(), {"C": [0.1, 1]}),
    }
    search = FoldlessSearch(candidates, random_state=0).fit(X[:50], y[:50], X_unlabeled=X[50:400])
    assert search.score(X[400:], y[400:]) > 0.6


def test_without_a_pool_it_takes_at_most_the_fits_of_5_fold(digits):
    X, y = digits
    search = FoldlessSearch(MIXED, random_state=0).fit(X[:100], y[:100])
    assert search.selection_.n_fits.run <= 5 * 8 + 1
    assert "consensus" not in search.selection_.trace


def test_candidates_without_scores_and_failing_ones(digits):
    X, y = digits
    candidates = {**MIXED, "broken": (SVC(C=-1.0), {}), "coin": (DummyClassifier(strategy="uniform"), {})}
    with pytest.warns(FitFailedWarning, match="broken"):
        search = FoldlessSearch(candidates, random_state=0).fit(X[:100], y[:100], X_unlabeled=X[100:300])
    assert len(search.selection_.failed) == 1
    assert search.best_params_["estimator"] not in ("broken", "coin")


def test_the_average_saves_pickles_and_reports(digits, tmp_path):
    X, y = digits
    frame = pd.DataFrame(X, columns=[f"p{i}" for i in range(64)])
    names = np.array([f"digit {c}" for c in y])
    candidates = {key: MIXED[key] for key in ("bayes", "near", "tree")}
    search = FoldlessSearch(candidates, criterion=Auto(offer="average"), random_state=0)
    search.fit(frame[:100], names[:100], X_unlabeled=frame[100:500], X_test=frame[500:], y_test=names[500:])
    model = search.best_estimator_
    assert isinstance(model, AveragingClassifier)
    assert sum(model.weights_) == pytest.approx(1)
    assert (pickle.loads(pickle.dumps(search)).predict(frame) == search.predict(frame)).all()
    saving.save(search.selection_, tmp_path / "model.skops")
    loaded = saving.load(tmp_path / "model.skops")
    assert (loaded.model.predict(frame[500:]) == search.predict(frame[500:])).all()
    assert "an average of" in search.report(tmp_path / "report.html").read_text()
    assert search.selection_.best_test_accuracy == pytest.approx(np.mean(search.predict(frame[500:]) == names[500:]))


def test_it_is_the_first_row_of_a_comparison(digits):
    X, y = digits
    table = compare(LinearSVC(), {"C": [0.001, 0.1]}, X[:60], y[:60], X_unlabeled=X[60:300], random_state=0).table()
    assert table["criterion"].tolist() == ["auto", "k_fold", "quantification_bound"]
