"""compare: one table for several criteria; a criterion without a choice is a row that says why."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC

from foldless import compare
from foldless.criteria import KFold
from foldless.errors import BadInput, CannotAnswer

GRID = {"C": [0.01, 1.0, 100.0]}


@pytest.fixture(scope="module")
def blobs():
    X, y = make_classification(400, 8, n_informative=6, n_classes=3, random_state=0)
    return X[:90], y[:90], X[90:]


def test_compare_table(blobs):
    X, y, pool = blobs
    truth = LogisticRegression().fit(X, y).predict(pool)
    comparison = compare(
        LinearSVC(), GRID, X, y, X_unlabeled=pool, X_test=pool, y_test=truth, random_state=0,
        criteria={"bound": "quantification_bound", "5-fold": KFold(5), "log loss": KFold(scoring="neg_log_loss")},
    )  # fmt: skip
    table = comparison.table()
    assert table["criterion"].tolist() == ["bound", "5-fold", "log loss"]
    assert {"params", "score", "fits", "seconds", "test_accuracy", "test_macro_f1", "regret"} <= set(table)
    assert table["regret"].iloc[:2].min() >= 0
    best = max(comparison.test_accuracy.values())
    assert table["regret"].iloc[1] == pytest.approx(best - table["test_accuracy"].iloc[1])
    chosen = clone(LinearSVC(C=comparison["5-fold"].best.candidate.params["C"], random_state=0)).fit(X, y)
    assert table["test_accuracy"].iloc[1] == pytest.approx(chosen.score(pool, truth), abs=0.01)
    # LinearSVC has no probabilities: a row without a choice, not an error
    assert table["notes"].iloc[2].startswith("n/a: scoring 'neg_log_loss' needs probabilities")
    assert np.isnan(table["score"].iloc[2])
    assert "log loss" not in comparison.selections
    assert comparison["bound"].model.predict(pool).shape == truth.shape
    assert "bound: C=" in repr(comparison)
    plain = compare(LinearSVC(), GRID, X, y, criteria=["k_fold"], random_state=0)
    assert list(plain.table()) == ["criterion", "params", "score", "better", "fits", "seconds", "notes"]
    with pytest.raises(CannotAnswer, match="log_loss"):
        compare(LinearSVC(), GRID, X, y, criteria=[KFold(scoring="neg_log_loss")])
    with pytest.raises(BadInput, match="differ"):
        compare(LinearSVC(), GRID, X, y, criteria=["k_fold", "k-fold"])


def test_several_estimators_need_no_grid_between_them_and_the_rows(blobs):
    X, y, pool = blobs
    estimators = {"svm": (LinearSVC(), GRID), "neighbors": KNeighborsClassifier()}
    asked = {"X_unlabeled": pool, "criteria": ["k_fold"], "random_state": 0}
    plain, named = compare(estimators, X, y, **asked), compare(estimators, X=X, y=y, **asked)
    old = compare(estimators, None, X, y, **asked)
    assert plain.table()["score"].tolist() == named.table()["score"].tolist() == old.table()["score"].tolist()
    with pytest.raises(BadInput, match="leave param_grid out"):
        compare(estimators, GRID, X, y)
    with pytest.raises(BadInput, match=r"compare\(estimator, param_grid, X, y\)"):
        compare(LinearSVC(), GRID)


def test_a_comparison_keeps_the_criteria_that_have_a_choice(blobs):
    X, y, pool = blobs
    few = np.r_[0:30]
    neighbors = {"n_neighbors": [28, 29]}  # more than four of five folds hold
    comparison = compare(
        KNeighborsClassifier(), neighbors, X[few], y[few], X_unlabeled=pool, random_state=0,
        criteria=["quantification_bound", "k_fold", KFold(40)],
    )  # fmt: skip
    assert list(comparison.selections) == ["quantification_bound"]
    notes = comparison.table()["notes"].tolist()
    assert notes[1].startswith("n/a: all 2 candidates failed")
    assert notes[2].startswith("n/a: 40 folds cannot be made of 30")


def test_the_best_selection_and_its_model(blobs):
    X, y, pool = blobs
    compared = compare(LinearSVC(), GRID, X, y, X_unlabeled=pool, criteria=["k_fold", "auto"], refit="auto")
    assert compared.best() is compared["k_fold"]
    assert compared.best("auto").model.predict(pool).shape == (len(pool),)
    with pytest.raises(BadInput, match="'ada' has no choice here: name one of k_fold, auto"):
        compared.best("ada")
    with pytest.raises(BadInput, match="refit names 'ada'"):
        compare(LinearSVC(), GRID, X, y, X_unlabeled=pool, criteria=["k_fold"], refit="ada")
