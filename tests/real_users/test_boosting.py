"""Gradient boosting of three makers as candidates: the scores of GridSearchCV, weights, early stopping, workers."""

import warnings

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, make_classification
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.model_selection import KFold as Folds

from foldless import FoldlessSearch
from foldless.criteria import KFold

pytestmark = pytest.mark.slow  # three other packages

SMALL = {"n_estimators": 8, "n_jobs": 1, "random_state": 0}


def xgboost(kind, **params):
    return getattr(pytest.importorskip("xgboost"), f"XGB{kind}")(**SMALL, **params)


def lightgbm(kind, **params):
    return getattr(pytest.importorskip("lightgbm"), f"LGBM{kind}")(**SMALL, verbose=-1, min_child_samples=5, **params)


def histogram(kind, **params):
    kinds = {"Classifier": HistGradientBoostingClassifier, "Regressor": HistGradientBoostingRegressor}
    return kinds[kind](max_iter=4, min_samples_leaf=5, random_state=0, **params)


MAKERS = [xgboost, lightgbm, histogram]
GRID = {"learning_rate": [0.02, 0.3]}


@pytest.fixture(autouse=True)
def quiet():
    """Makers warn of things of their own, such as feature names; what foldless warns of is tested elsewhere."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@pytest.fixture(scope="module")
def blobs():
    X, y = make_classification(400, 8, n_informative=5, n_classes=3, random_state=0)
    return X[:120], y[:120], X[120:], y[120:]


@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize("scoring", [None, "neg_log_loss"])
def test_scores_of_classifiers_are_those_of_grid_search(blobs, maker, scoring):
    X, y, *_ = blobs
    cv = StratifiedKFold(3, shuffle=True, random_state=0)
    ours = FoldlessSearch(maker("Classifier"), GRID, criterion=KFold(cv), scoring=scoring, random_state=0).fit(X, y)
    theirs = GridSearchCV(maker("Classifier"), GRID, cv=cv, scoring=scoring).fit(X, y)
    np.testing.assert_allclose(
        ours.cv_results_["mean_test_score"], theirs.cv_results_["mean_test_score"], rtol=1e-2 if scoring else 1e-12
    )
    assert ours.best_params_ == theirs.best_params_
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))


@pytest.mark.parametrize("maker", MAKERS)
def test_scores_of_regressors_are_those_of_grid_search(maker):
    X, y = load_diabetes(return_X_y=True)
    cv = Folds(3, shuffle=True, random_state=0)
    ours = FoldlessSearch(maker("Regressor"), GRID, criterion=KFold(cv), random_state=0).fit(X[:150], y[:150])
    theirs = GridSearchCV(maker("Regressor"), GRID, cv=cv).fit(X[:150], y[:150])
    np.testing.assert_allclose(ours.cv_results_["mean_test_score"], theirs.cv_results_["mean_test_score"], rtol=1e-5)
    raced = FoldlessSearch(maker("Regressor"), GRID, random_state=0).fit(X[:150], y[:150], X_unlabeled=X[150:])
    assert raced.best_params_ == {"learning_rate": 0.3}


@pytest.mark.parametrize("maker", MAKERS)
def test_the_race_reads_the_pool_and_knows_names_of_classes(blobs, maker):
    X, y, pool, truth = blobs
    names = np.array(["low", "middle", "high"])
    labels = y if maker is xgboost else names[y]  # XGBoost wants class numbers
    search = FoldlessSearch(maker("Classifier"), GRID, random_state=0).fit(X, labels, X_unlabeled=pool)
    assert search.score(pool, truth if maker is xgboost else names[truth]) > 0.5
    assert search.selection_.estimate is not None


@pytest.mark.parametrize("maker", MAKERS)
def test_weights_reach_the_fits(blobs, maker):
    X, y, *_ = blobs
    weights = np.where(y == 0, 50.0, 0.02)
    search = FoldlessSearch(maker("Classifier"), GRID, criterion="k_fold", estimate=False, random_state=0)
    assert (search.fit(X, y, sample_weight=weights).predict(X) == 0).mean() > (y == 0).mean()


@pytest.mark.parametrize("maker", [xgboost, lightgbm])
def test_an_eval_set_stops_early(blobs, maker):
    X, y, pool, truth = blobs
    held = [(pool[:100], truth[:100])]
    if maker is xgboost:
        model, params = maker("Classifier", early_stopping_rounds=2), {"eval_set": held, "verbose": False}
    else:
        early = pytest.importorskip("lightgbm").early_stopping
        model, params = maker("Classifier"), {"eval_set": held, "callbacks": [early(2, verbose=False)]}
    model.set_params(n_estimators=200, learning_rate=0.5)
    search = FoldlessSearch(model, {"max_depth": [2, 3]}, criterion="k_fold", estimate=False, random_state=0)
    search.fit(X, y, **params)
    best = search.best_estimator_
    stopped = best.best_iteration if maker is xgboost else best.best_iteration_
    assert 0 <= stopped < 199
    assert search.score(pool, truth) > 0.5


def test_early_stopping_of_its_own(blobs):
    X, y, pool, truth = blobs
    model = HistGradientBoostingClassifier(
        early_stopping=True, n_iter_no_change=2, max_iter=40, min_samples_leaf=5, max_leaf_nodes=4
    )
    search = FoldlessSearch(model, {"learning_rate": [0.1, 0.5]}, random_state=0).fit(X, y, X_unlabeled=pool)
    assert search.best_estimator_.n_iter_ < 40
    assert search.score(pool, truth) > 0.5
