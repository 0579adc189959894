"""Features that the pool teaches: the same for all fits on one set of rows, and shared by them."""

import pickle

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import load_digits
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.feature_selection import SelectKBest
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.semi_supervised import SelfTrainingClassifier
from sklearn.svm import LinearSVC
from sklearn.utils.estimator_checks import parametrize_with_checks

from foldless import FoldlessSearch
from foldless.errors import BadInput
from foldless.learners import NeighborSpreading, PoolFeatures
from foldless.learners.pool_taught.pool_features import LEARNERS
from foldless.learners.pool_taught.taught_view import Taught, TaughtView
from foldless.saving.model_files import load, save

DIGITS, LABELS = load_digits(return_X_y=True)
KEPT = np.random.default_rng(0).permutation(np.flatnonzero(LABELS < 4))
X, Y, NEW = DIGITS[KEPT[:400]], LABELS[KEPT[:400]], DIGITS[KEPT[400:500]]
KNOWN = np.where(np.arange(400) < 40, Y, -1)
VIEWS = ("components", "few", "many", "clusters", "rows")
LOGISTIC = LogisticRegression(C=10.0, max_iter=1000)
ESTIMATORS = (
    LOGISTIC,
    ExtraTreesClassifier(20, random_state=0),
    NeighborSpreading(7),
    SelfTrainingClassifier(LOGISTIC),
)


class Alone(PoolFeatures):
    """The same learner, which answers no batch."""

    def __getattribute__(self, name):
        if name in ("batch_over", "answer_batch"):
            raise AttributeError(name)
        return super().__getattribute__(name)


@parametrize_with_checks(
    [PoolFeatures(), TaughtView("clusters"), TaughtView("many")],
    expected_failed_checks=lambda _: {
        "check_classifiers_classes": "the labels are -1 and 1, and -1 means that there is no label"
    },
)
def test_contract(estimator, check):
    check(estimator)


@pytest.mark.parametrize("features", VIEWS)
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_every_view_of_dense_and_sparse_rows(features, form):
    model = PoolFeatures(LOGISTIC, features).fit(form(X), KNOWN)
    assert model.score(form(X[40:]), Y[40:]) > 0.75
    assert model.predict_proba(form(X[:3])).shape == (3, 4)


@pytest.mark.parametrize("name", LEARNERS)
def test_a_name_stands_for_a_classifier(name):
    model = PoolFeatures(name, "few").fit(X, KNOWN)
    assert model.get_params() == {
        "estimator": name,
        "features": "few",
        "max_rows": 2000,
    }  # the name, not the classifier
    assert model.score(X[40:], Y[40:]) > 0.75
    asked = "decision_function" if name in ("linear-svc", "svc") else "predict_proba"
    assert getattr(model, asked)(NEW).shape == (100, 4)
    assert hasattr(model, "predict_proba") == (asked == "predict_proba")


def test_a_name_that_stands_for_nothing():
    with pytest.raises(BadInput, match=r"must be a classifier or one of logistic, linear-svc, .*, got 'forest'"):
        PoolFeatures("forest").fit(X, KNOWN)


@pytest.mark.slow
@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_a_batch_answers_what_single_fits_answer(estimator):
    grid = {"estimator": [estimator], "features": ["components", "few"]}
    batched = FoldlessSearch(PoolFeatures(LOGISTIC), grid, criterion="k_fold", random_state=0, estimate=False)
    batched.fit(X[:40], Y[:40], X_unlabeled=X[40:])
    single = FoldlessSearch(Alone(LOGISTIC), grid, criterion="k_fold", random_state=0, estimate=False)
    single.fit(X[:40], Y[:40], X_unlabeled=X[40:])
    assert [c.splits for c in batched.selection_.ranking] == [c.splits for c in single.selection_.ranking]
    np.testing.assert_allclose(
        batched.best_estimator_.predict_proba(NEW), single.best_estimator_.predict_proba(NEW), atol=1e-6
    )


def test_views_are_learned_once_for_all_folds(monkeypatch):
    made = []
    original = Taught._made
    monkeypatch.setattr(Taught, "_made", lambda self, kind: made.append((id(self), kind)) or original(self, kind))
    grid = {"features": ["components", "few"], "estimator": [LOGISTIC, NeighborSpreading(7)]}
    search = FoldlessSearch(
        PoolFeatures(LOGISTIC), grid, criterion="k_fold", random_state=0, estimate=False, refit=False
    )
    search.fit(X[:40], Y[:40], X_unlabeled=X[40:])
    assert len({shared for shared, _ in made}) == 1


def test_folds_and_the_fit_on_all_labels_share_views_during_one_search(monkeypatch):
    taught = []
    plain = Taught.__init__
    monkeypatch.setattr(Taught, "__init__", lambda self, rows: taught.append(rows.shape) or plain(self, rows))
    pipeline = Pipeline([("scale", StandardScaler()), ("model", PoolFeatures("spreading-7"))])
    grid = {"model__features": ["few", "rows"]}
    for n_searches in (1, 2):
        search = FoldlessSearch(pipeline, grid, criterion="k_fold", random_state=0, estimate=False)
        search.fit(X[:40], Y[:40], X_unlabeled=X[40:200])
        assert taught == [(200, 64)] * n_searches
    alone = Pipeline(pipeline.steps).set_params(**search.best_params_)
    np.testing.assert_array_equal(search.best_estimator_.predict(NEW), alone.fit(X[:200], KNOWN[:200]).predict(NEW))


def _folds_behind(steps, learner):
    pipeline = Pipeline([*steps, ("model", learner)])
    grid = {"model__features": ["few", "many"], "model__estimator": [LOGISTIC, NeighborSpreading(7)]}
    search = FoldlessSearch(pipeline, grid, criterion="k_fold", random_state=0, estimate=False, refit=False)
    return search.fit(X[:40], Y[:40], X_unlabeled=X[40:200])


def test_behind_steps_all_folds_have_the_answers_of_single_fits():
    steps = [("impute", SimpleImputer()), ("scale", StandardScaler())]
    together = _folds_behind(steps, PoolFeatures(LOGISTIC))
    alone = _folds_behind(steps, Alone(LOGISTIC))
    np.testing.assert_array_equal(together.cv_results_["mean_test_score"], alone.cv_results_["mean_test_score"])


def test_steps_that_look_at_no_label_are_fitted_once_for_all_folds(monkeypatch):
    fits = []
    plain = StandardScaler.fit
    monkeypatch.setattr(StandardScaler, "fit", lambda self, *rows: fits.append(len(rows[0])) or plain(self, *rows))
    _folds_behind([("scale", StandardScaler())], PoolFeatures(LOGISTIC))
    assert fits == [200]


@pytest.mark.filterwarnings("ignore::UserWarning", "ignore::RuntimeWarning")
@pytest.mark.parametrize("step", [SelectKBest(k=30), FunctionTransformer(np.cbrt)])
def test_steps_that_may_look_at_labels_are_fitted_in_each_fold(step, monkeypatch):
    fits = []
    plain = type(step).fit
    monkeypatch.setattr(type(step), "fit", lambda self, *rows: fits.append(0) or plain(self, *rows))
    _folds_behind([("scale", StandardScaler()), ("step", step)], PoolFeatures(LOGISTIC))
    assert len(fits) == 5


def test_the_order_of_rows_does_not_matter():
    shuffled = np.random.default_rng(0).permutation(400)
    here = PoolFeatures(LOGISTIC, "clusters").fit(X, KNOWN)
    there = PoolFeatures(LOGISTIC, "clusters").fit(X[shuffled], KNOWN[shuffled])
    np.testing.assert_allclose(here.predict_proba(X), there.predict_proba(X), atol=1e-3)


def test_many_rows_teach_by_a_part_of_them():
    rng = np.random.default_rng(0)
    rows = np.r_[X, X[rng.integers(400, size=6000)] + rng.normal(size=(6000, X.shape[1]))]
    known = np.r_[KNOWN, np.full(6000, -1)]
    model = PoolFeatures(NeighborSpreading(7), max_rows=500).fit(rows, known)
    assert len(model.estimator_.label_distributions_) == 540
    assert model.score(X, Y) > 0.8


@pytest.mark.slow
def test_in_a_pipeline_with_names_of_classes_and_saved(tmp_path):
    names = np.array(["nil", "one", "two", "three"])
    pipeline = Pipeline([("scale", StandardScaler()), ("model", PoolFeatures(LOGISTIC))])
    search = FoldlessSearch(pipeline, {"model__features": list(VIEWS)}, criterion="k_fold", random_state=0)
    search.fit(X[:40], names[Y[:40]], X_unlabeled=X[40:])
    assert set(search.predict(X)) <= set(names)
    save(search.selection_, tmp_path / "model.skops")
    np.testing.assert_array_equal(load(tmp_path / "model.skops").model.predict(X), search.predict(X))
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(search.best_estimator_)).predict(X), search.predict(X))


def test_responses_are_those_of_the_classifier():
    assert not hasattr(PoolFeatures(LinearSVC()), "predict_proba")
    assert not hasattr(PoolFeatures(ExtraTreesClassifier()), "decision_function")


def test_few_rows_and_columns():
    assert TaughtView("components").fit_transform(np.ones((1, 3))).shape == (1, 3)
    tiny = PoolFeatures(LOGISTIC, "clusters").fit(X[:5, :3], Y[:5])
    assert tiny.predict(X[:5, :3]).shape == (5,)


def test_a_view_that_there_is_not():
    with pytest.raises(BadInput, match="features must be one of few, components, many, clusters, rows, got 'all'"):
        PoolFeatures(LOGISTIC, "all").fit(X, KNOWN)
