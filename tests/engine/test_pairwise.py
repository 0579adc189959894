"""Kernel values or distances in place of features: the choice and the answers are those of the features."""

import joblib
import numpy as np
import pandas as pd
import polars as pl
import pytest
from helpers.kernel_problems import rings
from helpers.searches import plain_search
from scipy import sparse
from sklearn.frozen import FrozenEstimator
from sklearn.metrics.pairwise import euclidean_distances, rbf_kernel
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, KernelCenterer
from sklearn.svm import SVC

from foldless import certify
from foldless.core import Candidate, Fit, Rows
from foldless.criteria import Bootstrap632, HoldOut, KFold, SemiSupervisedCV
from foldless.data._metadata import Metadata
from foldless.data._opening import open_sample
from foldless.engine._fits import train
from foldless.engine._pairwise import OnColumns, is_pairwise
from foldless.errors import BadInput
from foldless.learners import KernelSVC

X, Y = rings(90, 3, noise=0.4)
POOL, _ = rings(120, 3, noise=0.4, seed=1)
COSTS = {"C": [0.03, 1.0, 100.0]}


def kernel(A):
    return rbf_kernel(A, X, gamma=1.0)


def distances(A):
    return euclidean_distances(A, X)


PAIRS = {
    "SVC": (SVC(gamma=1.0), SVC(kernel="precomputed"), COSTS, kernel),
    "KernelSVC": (KernelSVC(gamma=1.0), KernelSVC(kernel="precomputed"), COSTS, kernel),
    "neighbors": (
        KNeighborsClassifier(), KNeighborsClassifier(metric="precomputed"), {"n_neighbors": [1, 7, 25]}, distances,
    ),
}  # fmt: skip
CRITERIA = [
    KFold(4),
    KFold(3, scoring="balanced_accuracy"),
    HoldOut(0.3),
    HoldOut(0.3, confidence=0.9),
    SemiSupervisedCV(k=3),
    Bootstrap632(5),
]


@pytest.mark.parametrize("criterion", CRITERIA, ids=repr)
@pytest.mark.parametrize("pair", PAIRS)
def test_the_choice_is_that_of_the_features(pair, criterion):
    own, given, grid, pairs_of = PAIRS[pair]
    settings = {"criterion": criterion, "random_state": 0}
    a = plain_search(own, grid, **settings).fit(X, Y, X_unlabeled=POOL)
    b = plain_search(given, grid, **settings).fit(pairs_of(X), Y, X_unlabeled=pairs_of(POOL))
    assert a.best_params_ == b.best_params_
    np.testing.assert_allclose(a.cv_results_["mean_test_score"], b.cv_results_["mean_test_score"], atol=0.012)
    assert len(set(a.cv_results_["mean_test_score"])) > 1
    assert (a.predict(POOL) == b.predict(pairs_of(POOL))).mean() > 0.99  # all columns, whatever rows it was trained on


@pytest.mark.parametrize("last", [SVC(kernel="precomputed"), KernelSVC(kernel="precomputed")], ids=["SVC", "KernelSVC"])
@pytest.mark.parametrize("criterion", [KFold(4), HoldOut(0.3), SemiSupervisedCV(k=3)], ids=repr)
def test_through_a_pipeline(last, criterion):
    settings = {"criterion": criterion, "random_state": 0}
    name = type(last).__name__.lower()
    plain = plain_search(SVC(kernel="linear"), COSTS, **settings).fit(X, Y, X_unlabeled=POOL)
    centered = plain_search(
        make_pipeline(KernelCenterer(), last), {f"{name}__C": COSTS["C"]}, **settings
    ).fit(X @ X.T, Y, X_unlabeled=POOL @ X.T)  # fmt: skip
    np.testing.assert_allclose(
        centered.cv_results_["mean_test_score"], plain.cv_results_["mean_test_score"], atol=0.012
    )
    assert (centered.predict(POOL @ X.T) == plain.predict(POOL)).mean() > 0.99


def test_a_pipeline_that_makes_the_kernel_is_not_cut():
    behind = make_pipeline(FunctionTransformer(kernel), SVC(kernel="precomputed"))
    assert not is_pairwise(behind)
    assert is_pairwise(make_pipeline(KernelCenterer(), SVC(kernel="precomputed")))


@pytest.mark.slow
@pytest.mark.parametrize(("model", "form"), [
    (SVC(kernel="precomputed"), np.ndarray.tolist),
    (SVC(kernel="precomputed"), lambda K: pd.DataFrame(K).rename(columns=str)),
    (SVC(kernel="precomputed"), pl.DataFrame),
    (KernelSVC(kernel="precomputed"), sparse.csr_matrix),
])  # fmt: skip
def test_any_container_and_workers(model, form):
    K, across = kernel(X), kernel(POOL)
    settings = {"criterion": HoldOut(0.3, confidence=0.9), "random_state": 0}
    with joblib.parallel_config(backend="loky"):
        search = plain_search(model, COSTS, n_jobs=2, **settings).fit(form(K), Y, X_unlabeled=form(across))
    dense = plain_search(model, COSTS, **settings).fit(K, Y)
    assert (search.cv_results_["mean_test_score"] == dense.cv_results_["mean_test_score"]).all()
    assert (search.predict(form(across)) == dense.predict(across)).all()


def test_sample_weights_reach_the_fit_behind_the_cut():
    data = open_sample(kernel(X), Y, metadata=Metadata({"sample_weight": 1.0 + (Y == 1)}))
    rows = np.arange(0, 90, 2)
    model = train(Fit(Candidate(0, "it", {}), Rows(rows)), SVC(kernel="precomputed"), data)
    direct = SVC(kernel="precomputed").fit(kernel(X)[np.ix_(rows, rows)], Y[rows], 1.0 + (Y[rows] == 1))
    assert isinstance(model, OnColumns)
    assert np.array_equal(model.decision_function(kernel(POOL)), direct.decision_function(kernel(POOL)[:, rows]))
    assert not hasattr(model, "predict_proba")


def test_what_is_fitted_already_is_not_cut():
    frozen = FrozenEstimator(SVC(kernel="precomputed").fit(kernel(X), Y))
    search = plain_search(frozen, None, criterion=KFold(4), random_state=0).fit(kernel(X), Y)
    assert search.best_score_ == pytest.approx(frozen.score(kernel(X), Y), abs=0.01)


@pytest.mark.parametrize("model", [SVC(kernel="precomputed"), KernelSVC(kernel="precomputed")])
def test_columns_without_a_labeled_row_are_refused(model):
    """Marked −1 in y, the pool's rows leave X but their columns do not."""
    marked = np.where(np.arange(90) < 30, -1, Y)
    with pytest.raises(BadInput, match=r"X has 90 columns for 60 labeled rows: pass K\[labeled\]\[:, labeled\] as X"):
        plain_search(model, COSTS).fit(kernel(X), marked)


def test_unlabeled_rows_cannot_be_trained_on():
    data = open_sample(kernel(X), Y, kernel(POOL))
    fit = Fit(Candidate(0, "it", {}, semi_supervised=True), data.rows()[0], unlabeled=data.rows()[1])
    with pytest.raises(BadInput, match="unlabeled rows have none: pass features in place of kernel values"):
        train(fit, SVC(kernel="precomputed"), data)


def test_a_certificate_is_that_of_the_features():
    a, b = (
        certify(model, features(X), Y, X_unlabeled=features(POOL), random_state=0)
        for model, features in ((SVC(gamma=1.0), lambda A: A), (SVC(kernel="precomputed"), kernel))
    )
    assert a.upper == b.upper


def test_kernel_values_are_no_features():
    X, y = np.random.default_rng(0).normal(size=(40, 40)), np.arange(40) % 2
    with pytest.raises(BadInput, match=r"X cannot be kernel values for SVC.* and features for SVC"):
        plain_search(SVC(), {"kernel": ["rbf", "precomputed"]}, criterion="k_fold").fit(X, y)
