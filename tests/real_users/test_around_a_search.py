"""A search inside of what scikit-learn's users put around one."""

import numpy as np
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import TransformedTargetRegressor
from sklearn.datasets import load_diabetes, make_classification
from sklearn.ensemble import BaggingClassifier, StackingClassifier, StackingRegressor, VotingClassifier
from sklearn.feature_selection import RFE
from sklearn.inspection import partial_dependence, permutation_importance
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import (
    GridSearchCV,
    StratifiedKFold,
    cross_val_predict,
    cross_val_score,
    cross_validate,
    learning_curve,
)
from sklearn.multiclass import OneVsRestClassifier
from sklearn.multioutput import MultiOutputRegressor
from sklearn.naive_bayes import GaussianNB
from sklearn.preprocessing import StandardScaler

from foldless import FoldlessSearch, Pool
from foldless.criteria import KFold

GRID = {"C": [0.01, 1.0]}


@pytest.fixture(scope="module")
def blobs():
    X, y = make_classification(400, 6, n_informative=4, class_sep=2.0, random_state=0)
    return X[:100], y[:100], X[100:], y[100:]


def classifier(**settings):
    given = {"criterion": "k_fold", "estimate": False, "random_state": 0, **settings}
    return FoldlessSearch(LogisticRegression(), GRID, **given)


def regressor():
    return FoldlessSearch(Ridge(), {"alpha": [0.1, 10.0]}, criterion="k_fold", estimate=False, random_state=0)


@pytest.mark.slow
def test_cross_validation_around_a_search_and_around_grid_search_agree(blobs):
    X, y, *_ = blobs
    inner = StratifiedKFold(3)
    ours, theirs = classifier(criterion=KFold(inner)), GridSearchCV(LogisticRegression(), GRID, cv=inner)
    for scoring in (None, "roc_auc"):
        scores = (cross_val_score(search, X, y, cv=3, scoring=scoring) for search in (ours, theirs))
        np.testing.assert_array_equal(*scores)
    both = cross_validate(ours, X, y, cv=2, scoring=["accuracy", "neg_log_loss"], return_estimator=True)
    assert all(isinstance(search, FoldlessSearch) for search in both["estimator"])
    assert cross_val_predict(ours, X, y, cv=3, method="predict_proba").shape == (100, 2)
    sizes, *_ = learning_curve(ours, X, y, cv=3, train_sizes=[0.5, 1.0])
    assert len(sizes) == 2


def test_a_pool_goes_through_cross_validation(blobs):
    X, y, pool, _ = blobs
    scores = cross_val_score(classifier(criterion="auto"), X, y, cv=3, params={"X_unlabeled": Pool(pool)})
    assert scores.mean() > 0.7


@pytest.mark.slow
@pytest.mark.parametrize("method", ["sigmoid", "isotonic"])
@pytest.mark.parametrize("ensemble", [True, False])
def test_calibration(blobs, method, ensemble):
    X, y, pool, truth = blobs
    model = CalibratedClassifierCV(classifier(), method=method, ensemble=ensemble, cv=3).fit(X, y)
    assert model.predict_proba(pool).shape == (len(pool), 2)
    assert model.score(pool, truth) > 0.7


def test_importance_of_columns(blobs):
    X, y, pool, truth = blobs
    search = classifier().fit(X, y)
    ours = permutation_importance(search, pool, truth, n_repeats=3, random_state=0)
    theirs = permutation_importance(search.best_estimator_, pool, truth, n_repeats=3, random_state=0)
    np.testing.assert_array_equal(ours.importances, theirs.importances)
    assert partial_dependence(search, pool, [0])["average"].shape[0] == 1
    values = regressor().fit(*load_diabetes(return_X_y=True))
    assert permutation_importance(values, *load_diabetes(return_X_y=True), n_repeats=2).importances_mean.max() > 0.1


@pytest.mark.slow
def test_ensembles_of_searches(blobs):
    X, y, pool, truth = blobs
    members = [("search", classifier()), ("bayes", GaussianNB())]
    for model in (
        StackingClassifier(members, cv=2),
        VotingClassifier(members, voting="soft"),
        BaggingClassifier(classifier(), 2, random_state=0),
        OneVsRestClassifier(classifier()),
    ):
        assert model.fit(X, y).score(pool, truth) > 0.7


def test_searches_of_regressors_in_other_regressors():
    X, y = load_diabetes(return_X_y=True)
    for model in (
        TransformedTargetRegressor(regressor(), transformer=StandardScaler()),
        StackingRegressor([("search", regressor())], cv=2),
    ):
        assert model.fit(X[:200], y[:200]).score(X[200:], y[200:]) > 0.3
    assert MultiOutputRegressor(regressor()).fit(X[:100], np.column_stack([y, -y])[:100]).predict(X).shape == (442, 2)


def test_columns_are_dropped_one_by_one_by_its_model(blobs):
    X, y, *_ = blobs
    chosen = RFE(classifier(), n_features_to_select=3, importance_getter="best_estimator_.coef_").fit(X, y)
    assert chosen.support_.sum() == 3
