"""An indicator y as in GridSearchCV: predictions have its columns and scores are the same, or one sentence refuses."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.datasets import make_multilabel_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import f1_score, make_scorer
from sklearn.model_selection import GridSearchCV
from sklearn.multiclass import OneVsRestClassifier
from sklearn.multioutput import ClassifierChain, MultiOutputClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from foldless import FoldlessSearch, compare
from foldless.errors import BadInput

X, Y = make_multilabel_classification(90, 6, n_classes=3, random_state=0)
X, Y, POOL = X[:60], Y[:60], X[60:]
NEIGHBORS = KNeighborsClassifier(), {"n_neighbors": [1, 7]}
CHAIN = ClassifierChain(GaussianNB(), random_state=0)
CHAINED = "estimator" if "estimator" in CHAIN.get_params() else "base_estimator"  # before scikit-learn 1.7
MODELS = {
    "neighbors": NEIGHBORS,
    "forest": (RandomForestClassifier(2, random_state=0), {"max_depth": [1, 4]}),
    "outputs": (MultiOutputClassifier(GaussianNB()), {"estimator__var_smoothing": [1e-9, 1.0]}),
    "one against rest": (OneVsRestClassifier(GaussianNB()), {"estimator__var_smoothing": [1e-9, 1.0]}),
    "chain": (CHAIN, {f"{CHAINED}__var_smoothing": [1e-9, 1.0]}),
    "pipeline": (make_pipeline(StandardScaler(), NEIGHBORS[0]), {"kneighborsclassifier__n_neighbors": [1, 7]}),
}


def same(ours, theirs, y):
    np.testing.assert_array_equal(ours.cv_results_["mean_test_score"], theirs.cv_results_["mean_test_score"])
    assert ours.best_params_ == theirs.best_params_
    predicted, expected = ours.predict(POOL), theirs.predict(POOL)
    assert predicted.shape == (30, 3)
    np.testing.assert_array_equal(predicted, expected)
    assert ours.score(X, y) == theirs.score(X, y)


@pytest.mark.parametrize("name", MODELS)
def test_predictions_and_scores_are_those_of_grid_search(name):
    same(*(kind(*MODELS[name], cv=3).fit(X, Y) for kind in (FoldlessSearch, GridSearchCV)), Y)


@pytest.mark.parametrize("criterion", ["auto", "k_fold", "hold_out"])
def test_criteria_of_scores_predict_every_column(criterion):
    search = FoldlessSearch(*NEIGHBORS, criterion=criterion, random_state=0).fit(X, Y)
    assert search.predict(POOL).shape == (30, 3)
    assert search.score(X, Y) == search.best_estimator_.score(X, Y)


@pytest.mark.parametrize("scoring", ["f1_micro", make_scorer(f1_score, average="samples", zero_division=0.0)])
def test_metrics_of_several_labels(scoring):
    searches = (kind(*NEIGHBORS, scoring=scoring, cv=3).fit(X, Y) for kind in (FoldlessSearch, GridSearchCV))
    same(*searches, Y)


def test_frames_lists_and_sparse_matrices():
    for y in (pd.DataFrame(Y, columns=list("abc")), Y.tolist(), Y.astype(bool)):
        same(*(kind(*NEIGHBORS, cv=3).fit(X, y) for kind in (FoldlessSearch, GridSearchCV)), y)
    y, model = sparse.csr_matrix(Y), MODELS["one against rest"]
    ours, theirs = (kind(*model, cv=3).fit(X, y) for kind in (FoldlessSearch, GridSearchCV))
    np.testing.assert_array_equal(ours.cv_results_["mean_test_score"], theirs.cv_results_["mean_test_score"])
    assert ours.predict(POOL).shape == (30, 3)


def test_several_outputs_that_are_no_indicators():
    classes = Y + np.array([0, 5, 7])
    ours, theirs = (kind(*MODELS["outputs"], cv=3).fit(X, classes) for kind in (FoldlessSearch, GridSearchCV))
    same(ours, theirs, classes)


def test_a_pool_has_no_vote_and_a_warning_says_so():
    with pytest.warns(UserWarning, match="y has 3 columns, so candidates are cross-validated without the pool"):
        search = FoldlessSearch(*NEIGHBORS, random_state=0).fit(X, Y, X_unlabeled=POOL)
    same(search, GridSearchCV(*NEIGHBORS, cv=5).fit(X, Y), Y)


@pytest.mark.parametrize("criterion", ["quantification_bound", "leave_one_out", "bootstrap_632", "k_fold+ada"])
def test_criteria_that_read_class_labels_refuse(criterion):
    with pytest.raises(BadInput, match=r"reads class labels, and y has 3 columns.*or pass the labels of each row as a"):
        FoldlessSearch(*NEIGHBORS, criterion=criterion).fit(X, Y, X_unlabeled=POOL)


def test_test_rows_are_for_score():
    with pytest.raises(BadInput, match=r"single labels, which y does not hold: call score\(X_test, y_test\)"):
        FoldlessSearch(*NEIGHBORS, cv=3).fit(X, Y, X_test=X, y_test=Y)


def test_one_label_of_several_is_never_predicted_silently():
    told = "y has 3 columns, and these classifiers predict one label"
    search = FoldlessSearch(GaussianNB(), {"var_smoothing": [1e-9, 1.0]}, criterion="k_fold", random_state=0)
    with pytest.warns(UserWarning, match=told) as caught:
        search.fit(X, Y)
    assert caught[0].filename == __file__
    assert search.predict(POOL).shape == (30,)
    with pytest.warns(UserWarning, match=told):
        compare(*NEIGHBORS, X, Y, criteria=["k_fold"], random_state=0)
    lists = [np.flatnonzero(row).tolist() for row in Y]
    assert FoldlessSearch(*NEIGHBORS, criterion="k_fold", random_state=0).fit(X, lists).predict(POOL).shape == (30,)
