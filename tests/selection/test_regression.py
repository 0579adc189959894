"""Regressors: the scores of GridSearchCV, criteria that read the pool, and what needs classes says so."""

import pickle

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.datasets import load_diabetes
from sklearn.dummy import DummyRegressor
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, WhiteKernel
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import LinearRegression, LogisticRegression, PoissonRegressor, Ridge
from sklearn.metrics import make_scorer, mean_pinball_loss
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import GridSearchCV, GroupKFold, ShuffleSplit, cross_val_score
from sklearn.model_selection import KFold as Folds
from sklearn.model_selection import LeaveOneOut as OneOut
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVR
from sklearn.tree import DecisionTreeRegressor
from sklearn.utils.estimator_checks import parametrize_with_checks

from foldless import FoldlessSearch, certify, compare
from foldless.criteria import ADJ, BY_NAME, TRI, Auto, HoldOut, KFold, LeaveOneOut
from foldless.errors import BadInput, CannotAnswer
from foldless.selection.cost import cost

GRID = {"alpha": [1e-3, 0.1, 1.0, 10.0]}
FAMILIES = {"ridge": (Ridge(), GRID), "neighbors": (KNeighborsRegressor(), {"n_neighbors": [1, 5, 15]})}
FOLDS = Folds(4, shuffle=True, random_state=1)


@pytest.fixture(scope="module")
def diabetes():
    X, y = load_diabetes(return_X_y=True)
    return X[:120], y[:120], X[120:], y[120:]


@parametrize_with_checks([FoldlessSearch(Ridge(), {"alpha": [0.1, 1]}, criterion="k_fold")])
def test_scikit_learn_contract(estimator, check):
    check(estimator)


MODELS = (
    (Ridge(), GRID),
    (make_pipeline(StandardScaler(), KNeighborsRegressor()), {"kneighborsregressor__n_neighbors": [1, 5, 20]}),
    (DecisionTreeRegressor(random_state=0), {"max_depth": [1, 3, None]}),
    (HistGradientBoostingRegressor(random_state=0, max_iter=5), {"learning_rate": [0.1, 0.5]}),
    (SVR(), {"C": [1.0, 100.0]}),
)
SCORINGS = (None, "neg_mean_squared_error", "neg_mean_absolute_error", "neg_mean_gamma_deviance")
CASES = [  # every metric with one regressor, every regressor with one metric; the rest at night
    pytest.param(*pair, scoring, marks=[pytest.mark.nightly] if at and scoring else [], id=f"{kind}-{scoring}")
    for at, pair in enumerate(MODELS)
    for scoring in SCORINGS
    for kind in [type(pair[0]).__name__]
]


@pytest.mark.parametrize(("estimator", "grid", "scoring"), CASES)
def test_scores_are_those_of_grid_search(diabetes, estimator, grid, scoring):
    X, y, *_ = diabetes
    ours = FoldlessSearch(estimator, grid, criterion=KFold(FOLDS), scoring=scoring, random_state=0).fit(X, y)
    theirs = GridSearchCV(estimator, grid, cv=FOLDS, scoring=scoring).fit(X, y)
    for key in [key for key in theirs.cv_results_ if "score" in key and "time" not in key]:
        np.testing.assert_array_equal(ours.cv_results_[key], theirs.cv_results_[key], err_msg=key)
    assert ours.best_params_ == theirs.best_params_
    assert ours.score(X, y) == theirs.score(X, y)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))


def test_any_splitter_and_any_scorer_of_values(diabetes):
    X, y, *_ = diabetes
    pinball = make_scorer(mean_pinball_loss, greater_is_better=False, alpha=0.9)
    cv = ShuffleSplit(3, random_state=5)
    ours = FoldlessSearch(Ridge(), GRID, criterion=KFold(cv), scoring=pinball).fit(X, y)
    theirs = GridSearchCV(Ridge(), GRID, cv=cv, scoring=pinball).fit(X, y)
    np.testing.assert_array_equal(ours.cv_results_["mean_test_score"], theirs.cv_results_["mean_test_score"])


@pytest.mark.slow
@pytest.mark.parametrize("estimator", [Ridge(), PoissonRegressor()])
def test_folds_by_cv_have_the_estimators_own_score(diabetes, estimator):
    X, y, *_ = diabetes
    y = np.column_stack([y, y**2]) if isinstance(estimator, Ridge) else y
    ours = FoldlessSearch(estimator, GRID, cv=3, random_state=0).fit(X, y)
    theirs = GridSearchCV(estimator, GRID, cv=3).fit(X, y)
    np.testing.assert_array_equal(ours.cv_results_["mean_test_score"], theirs.cv_results_["mean_test_score"])


def test_leave_one_out_scores_all_rows_together(diabetes):
    X, y = diabetes[0][:20], diabetes[1][:20]
    scoring = "neg_mean_squared_error"
    ours = FoldlessSearch(Ridge(), GRID, criterion=LeaveOneOut(scoring)).fit(X, y)
    theirs = GridSearchCV(Ridge(), GRID, cv=OneOut(), scoring=scoring).fit(X, y)
    np.testing.assert_allclose(ours.cv_results_["mean_test_score"], theirs.cv_results_["mean_test_score"])
    spread = np.var(y)
    of_r2 = FoldlessSearch(Ridge(), GRID, criterion="leave_one_out").fit(X, y).cv_results_["mean_test_score"]
    np.testing.assert_allclose(of_r2, 1 + ours.cv_results_["mean_test_score"] / spread)


@pytest.mark.parametrize(
    "criterion", [name for name, kind in BY_NAME.items() if kind.traits.regression and name != "evidence"]
)
def test_every_criterion_of_values_chooses_and_offers_the_fit_on_every_label(diabetes, criterion):
    X, y, pool, truth = diabetes
    few = {"bootstrap_632": {"resamples": 5}, "similar_data": {"samples": 5}}.get(criterion, {})
    search = FoldlessSearch(FAMILIES, criterion=BY_NAME[criterion](**few), random_state=0)
    search.fit(X[:40], y[:40], X_unlabeled=pool, X_test=pool, y_test=truth)
    chosen = search.selection_.best.candidate.params
    by_hand = clone(FAMILIES[chosen["estimator"]][0]).set_params(
        **{k: v for k, v in chosen.items() if k != "estimator"}
    )
    np.testing.assert_array_equal(search.predict(pool), by_hand.fit(X[:40], y[:40]).predict(pool))
    assert search.selection_.best_test_accuracy == pytest.approx(by_hand.score(pool, truth))
    assert search.selection_.quantity == "R²"
    assert search.selection_.shares is None
    assert not hasattr(search, "classes_")


@pytest.mark.parametrize("criterion", [name for name, kind in BY_NAME.items() if not kind.traits.regression])
def test_criteria_that_need_classes_say_so_and_name_others(diabetes, criterion):
    X, y, pool, _ = diabetes
    with pytest.raises(CannotAnswer, match=f"{criterion} needs classes.*choose one of auto, k_fold, "):
        FoldlessSearch(Ridge(), GRID, criterion=criterion).fit(X, y, X_unlabeled=pool)


def test_evidence_ranks_gaussian_processes(diabetes):
    X, y = diabetes[0][:50], diabetes[1][:50]
    kernels = [RBF(0.1) + WhiteKernel(1.0), RBF(1.0) + WhiteKernel(1.0)]
    gp = GaussianProcessRegressor(optimizer=None, normalize_y=True)
    search = FoldlessSearch(gp, {"kernel": kernels}, criterion="evidence").fit(X, y)
    theirs = [clone(gp).set_params(kernel=kernel).fit(X, y).log_marginal_likelihood_value_ for kernel in kernels]
    np.testing.assert_allclose(search.cv_results_["mean_test_score"], theirs)
    with pytest.raises(CannotAnswer, match="use GaussianProcessRegressor"):
        FoldlessSearch(Ridge(), GRID, criterion="evidence").fit(X, y)


def test_a_search_of_regressors_is_a_regressor(diabetes):
    X, y, *_ = diabetes
    search = FoldlessSearch(Ridge(), GRID, criterion="k_fold", random_state=0)
    assert is_regressor(search)
    assert not is_classifier(search)
    scores = cross_val_score(search, X, y, cv=FOLDS)
    assert scores.mean() > 0.2
    again = pickle.loads(pickle.dumps(search.fit(X, y)))
    np.testing.assert_array_equal(again.predict(X), search.predict(X))


def test_classification_still_is_one():
    search = FoldlessSearch(LogisticRegression(), {"C": [1.0]})
    assert is_classifier(search)
    assert not is_regressor(search)


def test_sparse_frames_groups_and_weights(diabetes):
    X, y, pool, _ = diabetes
    for other in (sparse.csr_array(X), pd.DataFrame(X, columns=[f"c{at}" for at in range(X.shape[1])])):
        ours = FoldlessSearch(Ridge(random_state=0), GRID, criterion=KFold(FOLDS)).fit(other, pd.Series(y))
        theirs = GridSearchCV(Ridge(random_state=0), GRID, cv=FOLDS).fit(other, y)
        np.testing.assert_array_equal(ours.cv_results_["mean_test_score"], theirs.cv_results_["mean_test_score"])
    weights, groups = np.random.default_rng(0).uniform(0.1, 2, len(y)), np.arange(len(y)) // 6
    ours = FoldlessSearch(LinearRegression(), {"fit_intercept": [True, False]}, criterion=KFold(GroupKFold(3)))
    ours.fit(X, y, groups=groups, sample_weight=weights)
    np.testing.assert_array_equal(ours.best_estimator_.coef_, LinearRegression().fit(X, y, weights).coef_)
    raced = FoldlessSearch(FAMILIES, random_state=0).fit(X, y, X_unlabeled=pool, groups=groups)
    assert raced.best_score_ > 0.2


def test_kernel_values_are_cut_to_training_rows(diabetes):
    X, y, *_ = diabetes
    gram = rbf_kernel(X, gamma=10)
    model = KernelRidge(kernel="precomputed")
    ours = FoldlessSearch(model, GRID, criterion=KFold(FOLDS)).fit(gram, y)
    theirs = GridSearchCV(model, GRID, cv=FOLDS).fit(gram, y)
    np.testing.assert_allclose(ours.cv_results_["mean_test_score"], theirs.cv_results_["mean_test_score"])


def test_rows_without_a_value_join_the_pool_and_minus_one_is_a_value(diabetes):
    X, y, *_ = diabetes
    marked = np.where(np.arange(len(y)) % 3 == 0, np.nan, -1.0 - y)
    search = FoldlessSearch(FAMILIES, random_state=0).fit(X, marked)
    assert "40 rows without a label join the pool" in search.selection_.notes
    every = FoldlessSearch(Ridge(), GRID, criterion="k_fold", random_state=0).fit(X, np.where(y > 100, -1.0, y))
    assert len(every.selection_.best.fits[0].rows) == len(y)


def test_a_journal_resumes_and_workers_change_nothing(diabetes, tmp_path):
    X, y, pool, _ = diabetes
    settings = {"random_state": 0, "journal": tmp_path / "journal"}
    first = FoldlessSearch(FAMILIES, **settings).fit(X, y, X_unlabeled=pool)
    second = FoldlessSearch(FAMILIES, n_jobs=2, **settings).fit(X, y, X_unlabeled=pool)
    assert first.selection_.n_fits.run > 0
    assert second.selection_.n_fits.run == 0
    assert second.selection_.n_fits.resumed >= first.selection_.n_fits.run
    np.testing.assert_array_equal(first.cv_results_["mean_test_score"], second.cv_results_["mean_test_score"])
    changed = FoldlessSearch(FAMILIES, **settings).fit(X, y + 1, X_unlabeled=pool)
    assert changed.selection_.n_fits.resumed == 0


def test_adj_and_tri_by_hand(diabetes):
    X, y, pool, _ = diabetes
    depths = [1, 2, 4, None]
    trees = [DecisionTreeRegressor(max_depth=depth, random_state=0).fit(X, y) for depth in depths]

    def apart(a, b):
        return np.sqrt(np.mean((a - b) ** 2))

    on_labels, on_pool = [t.predict(X) for t in trees], [t.predict(pool) for t in trees]
    errors = [apart(values, y) for values in on_labels]
    ratios = [
        max((apart(on_pool[j], on_pool[k]) / apart(on_labels[j], on_labels[k]) for j in range(k)), default=1)
        for k in range(4)
    ]
    grid, tree = {"max_depth": depths}, DecisionTreeRegressor(random_state=0)
    adj = FoldlessSearch(tree, grid, criterion=ADJ()).fit(X, y, X_unlabeled=pool)
    np.testing.assert_allclose(-adj.cv_results_["mean_test_score"], np.multiply(errors, ratios), atol=1e-9)
    tri = FoldlessSearch(tree, grid, criterion=TRI()).fit(X, y, X_unlabeled=pool)
    allowed = [
        k for k in range(4) if all(apart(on_pool[j], on_pool[k]) <= errors[j] + errors[k] + 1e-12 for j in range(k))
    ]
    assert tri.best_index_ == max(allowed)


def test_the_order_of_the_race_does_not_depend_on_the_unit_of_y(diabetes):
    X, y, pool, _ = diabetes
    small = FoldlessSearch(FAMILIES, random_state=0).fit(X, y, X_unlabeled=pool)
    large = FoldlessSearch(FAMILIES, random_state=0).fit(X, 1e6 * y + 1e8, X_unlabeled=pool)
    assert [c.candidate for c in small.selection_.ranking][:3] == [c.candidate for c in large.selection_.ranking][:3]
    np.testing.assert_allclose(small.best_score_, large.best_score_, rtol=1e-4)


def test_a_dry_run_counts_the_fits(diabetes):
    X, y, pool, _ = diabetes
    found = cost(Ridge(), GRID, X, y, X_unlabeled=pool, criteria=["k_fold", "adj", "dagging"], random_state=0)
    assert dict(found.fits) == {"k_fold": 20, "adj": 4}
    race = cost(FAMILIES, None, X, y, X_unlabeled=pool, criteria=["auto"], random_state=0)
    assert 7 < race.total <= 7 * 12 + 1


@pytest.mark.slow
def test_pages_and_notebooks_of_values(diabetes, tmp_path):
    X, y, pool, truth = diabetes
    search = FoldlessSearch(FAMILIES, random_state=0).fit(X, y, X_unlabeled=pool, X_test=pool, y_test=truth)
    page = search.report(tmp_path / "page.html").read_text()
    assert "X_unlabeled=pool" in page
    assert "test R²" in page
    assert "Class shares" not in page
    assert "R² on new rows" in search.selection_._repr_html_().lower().replace("r² on", "R² on")
    assert search.selection_.to_dict()["shares"] == []
    assert {"behind", "tied"} <= set(search.selection_.table().columns)


def test_noise_leaves_the_mean_in_place():
    rng = np.random.default_rng(0)
    X, y, pool = rng.normal(size=(60, 5)), rng.normal(size=60), rng.normal(size=(300, 5))
    models = {"mean": (DummyRegressor(), {}), "nearest": (KNeighborsRegressor(1), {})}
    assert FoldlessSearch(models, random_state=0).fit(X, y, X_unlabeled=pool).best_params_ == {"estimator": "mean"}


def test_a_comparison_measures_values(diabetes):
    X, y, pool, truth = diabetes
    found = compare(
        FAMILIES, X, y, X_unlabeled=pool, criteria=["auto", "k_fold", "quantification_bound", HoldOut(confidence=0.9)],
        X_test=pool, y_test=truth, random_state=0,
    )  # fmt: skip
    table = found.table().set_index("criterion")
    assert {"test_r2", "test_rmse", "regret"} <= set(table.columns)
    assert (table.loc[["auto", "k_fold"], "regret"] >= 0).all()
    expected = np.var(truth) * (1 - table.loc["auto", "test_r2"])
    assert table.loc["auto", "test_rmse"] ** 2 == pytest.approx(expected)
    assert "needs classes" in table.loc["quantification_bound", "notes"]
    assert "leave confidence out" in table.loc["hold_out(confidence=0.9)", "notes"]


def test_a_comparison_of_regressors_names_criteria_that_can_rank_them(diabetes):
    X, y, pool, _ = diabetes
    found = compare(Ridge(), {"alpha": [0.1, 10.0]}, X[:40], y[:40], X_unlabeled=pool, random_state=0)
    assert list(found.table()["criterion"]) == ["auto", "k_fold", "repeated_k_fold"]
    assert found.table()["score"].notna().all()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda X, y: FoldlessSearch(Ridge(), scoring="roc_auc", criterion="k_fold").fit(X, y), "metric of values"),
        (lambda X, y: FoldlessSearch(Ridge(), scoring="accuracy").fit(X, y), "'accuracy' does not score the values"),
        (lambda X, y: FoldlessSearch(Ridge()).fit(X, np.where(y > 90, "high", "low")), "regressors learn numbers.*'h"),
        (lambda X, y: compare(Ridge(), GRID, X, np.column_stack([y, y])), "for each column of y by itself"),
        (lambda X, y: FoldlessSearch(Ridge()).fit(X, np.where(y == y[3], np.inf, y)), "infinity at row 3"),
        (
            lambda X, y: FoldlessSearch({"r": Ridge(), "l": LogisticRegression()}).fit(X, y),
            "choose among regressors or",
        ),
        (lambda X, y: FoldlessSearch(Ridge(), criterion=Auto(offer="average")).fit(X, y), "leave it at 'best'"),
        (
            lambda X, y: certify(Ridge(), X, y, X_unlabeled=X + 1),
            "certify bounds the error of classifiers, and regressors predict numbers: estimate their R² with Fold",
        ),
    ],
)
def test_what_does_not_fit_is_one_sentence(diabetes, call, message):
    with pytest.raises(BadInput, match=message):
        call(*diabetes[:2])
