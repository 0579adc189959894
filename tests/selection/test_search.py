"""FoldlessSearch as a scikit-learn estimator: its contract, its data, its neighbors."""

import os
import pickle
import warnings

import joblib
import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from helpers.learners import Ridge
from helpers.slow import slow_beyond
from scipy import sparse
from scipy.stats import loguniform
from sklearn.base import clone
from sklearn.datasets import load_digits, make_classification
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import FitFailedWarning
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression, Perceptron
from sklearn.linear_model import Ridge as RidgeRegression
from sklearn.metrics import get_scorer
from sklearn.model_selection import GridSearchCV, GroupKFold, StratifiedKFold, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.semi_supervised import LabelPropagation, LabelSpreading, SelfTrainingClassifier
from sklearn.svm import SVC, LinearSVC
from sklearn.utils.estimator_checks import parametrize_with_checks

from foldless import FoldlessSearch, Pool
from foldless.criteria import Bootstrap632, HoldOut, KFold, QuantificationBound
from foldless.engine._stopping import loky_workers
from foldless.errors import AmbiguousLabels, BadInput, CandidatesFailed

GRID = {"C": [0.01, 1.0, 100.0]}


@pytest.fixture(scope="module")
def blobs():
    X, y = make_classification(400, 8, n_informative=6, n_classes=3, random_state=0)
    return X[:90], y[:90], X[90:]


@pytest.mark.slow  # the same checks of a regression are quicker, and not
@parametrize_with_checks(
    [FoldlessSearch(LogisticRegression(), {"C": [0.1, 1]}, criterion="k_fold")],
    expected_failed_checks=lambda _: {
        "check_classifiers_classes": "fits the labels {−1, 1} without a pool, where −1 marks unlabeled rows"
    },
)
def test_scikit_learn_contract(estimator, check):
    check(estimator)


@pytest.mark.nightly  # fifty searches of the portfolio
@pytest.mark.filterwarnings(
    "ignore::sklearn.exceptions.FitFailedWarning"
)  # rows of one class in a fold of a tiny sample
@parametrize_with_checks(
    [FoldlessSearch(random_state=0)],
    expected_failed_checks=lambda _: {
        "check_classifiers_classes": "fits the labels {−1, 1} without a pool, where −1 marks unlabeled rows",
        "check_f_contiguous_array_estimator": "discriminants with the solver lsqr have a transform that raises",
        "check_classifiers_one_label_sample_weights": "scaled rows of one class decide little in linear models",
    },
)
def test_scikit_learn_contract_without_an_estimator(estimator, check):
    check(estimator)


def test_results_have_the_columns_of_grid_search(blobs):
    X, y, _ = blobs
    cv = StratifiedKFold(4, shuffle=True, random_state=0)
    ours = FoldlessSearch(LogisticRegression(), GRID, criterion=KFold(cv)).fit(X, y)
    theirs = GridSearchCV(LogisticRegression(), GRID, cv=cv).fit(X, y)
    assert set(theirs.cv_results_) == set(ours.cv_results_)
    for key in ("mean_test_score", "std_test_score", "rank_test_score", *(f"split{i}_test_score" for i in range(4))):
        assert ours.cv_results_[key] == pytest.approx(theirs.cv_results_[key]), key
    assert ours.cv_results_["params"] == theirs.cv_results_["params"]
    assert (ours.cv_results_["param_C"] == theirs.cv_results_["param_C"]).all()
    assert (ours.best_index_, ours.best_params_, ours.n_splits_) == (theirs.best_index_, theirs.best_params_, 4)
    assert ours.best_score_ == pytest.approx(theirs.best_score_)
    assert ours.score(X, y) == theirs.score(X, y)
    assert (ours.predict_proba(X) == theirs.predict_proba(X)).all()
    assert pd.DataFrame(ours.cv_results_).shape[0] == 3


@pytest.mark.parametrize("scoring", ["f1_macro", "neg_log_loss", "roc_auc_ovr", "balanced_accuracy"])
def test_any_scorer(blobs, scoring):
    X, y, _ = blobs
    search = FoldlessSearch(LogisticRegression(), GRID, criterion=KFold(5, scoring=scoring), random_state=0).fit(X, y)
    assert search.best_score_ == max(search.cv_results_["mean_test_score"])
    assert search.best_score_ > (-1.0 if scoring == "neg_log_loss" else 0.5)


def test_several_estimators(blobs):
    X, y, pool = blobs
    search = FoldlessSearch(
        {"lr": (LogisticRegression(), GRID), "nb": (GaussianNB(), {}), "knn": KNeighborsClassifier()}
    )
    search.fit(X, y, X_unlabeled=pool)
    assert len(search.cv_results_["params"]) == 5
    assert search.cv_results_["params"][3] == {"estimator": "nb"}
    assert search.best_params_["estimator"] in ("lr", "nb", "knn")
    assert np.ma.is_masked(search.cv_results_["param_C"][4])
    assert search.predict(X).shape == y.shape


def test_distributions(blobs):
    X, y, pool = blobs
    dist = {"C": loguniform(1e-3, 1e3)}
    search = FoldlessSearch(LogisticRegression(), dist, n_iter=5, random_state=0).fit(X, y, X_unlabeled=pool)
    assert len(search.cv_results_["params"]) == 5
    again = FoldlessSearch(LogisticRegression(), dist, n_iter=5, random_state=0).fit(X, y, X_unlabeled=pool)
    assert search.cv_results_["params"] == again.cv_results_["params"]
    with pytest.raises(BadInput, match="n_iter="):
        FoldlessSearch(LogisticRegression(), dist).fit(X, y, X_unlabeled=pool)


def test_delegation(blobs):
    X, y, pool = blobs
    lr = FoldlessSearch(LogisticRegression(), GRID).fit(X, y, X_unlabeled=pool)
    assert lr.predict_proba(X).shape == (90, 3)
    assert lr.decision_function(X).shape == (90, 3)
    assert lr.predict_log_proba(X).shape == (90, 3)
    assert not hasattr(lr, "transform")
    assert not hasattr(FoldlessSearch(LinearSVC(), GRID), "predict_proba")
    assert lr.classes_.tolist() == [0, 1, 2]
    assert lr.n_features_in_ == 8
    assert not hasattr(FoldlessSearch(LinearSVC()), "n_features_in_")


@pytest.mark.parametrize("labels", [["x", "y", "z"], [10, 20, 30], [-1, 0, 1], [1.0, 2.0, 4.0]])
def test_kinds_of_labels(blobs, labels):
    X, y, pool = blobs
    named = np.array(labels)[y]
    search = FoldlessSearch(LogisticRegression(), GRID, random_state=0).fit(X, named, X_unlabeled=pool)
    plain = FoldlessSearch(LogisticRegression(), GRID, random_state=0).fit(X, y, X_unlabeled=pool)
    assert search.best_score_ == plain.best_score_
    assert (search.predict(pool) == np.array(labels)[plain.predict(pool)]).all()
    assert search.selection_.shares.index.tolist() == labels


@pytest.mark.parametrize("labels", [[False, True], [-1, 1], ["no", "yes"]])
def test_kinds_of_two_labels(labels):
    X, y = make_classification(200, 5, random_state=0)
    named = np.array(labels)[y]
    search = FoldlessSearch(LogisticRegression(), GRID).fit(X[:50], named[:50], X_unlabeled=X[50:])
    assert search.classes_.tolist() == labels
    assert search.score(X[50:], named[50:]) > 0.7


def test_minus_one_marks_the_pool(blobs):
    X, y, pool = blobs
    stacked, marked = np.vstack([X, pool]), np.concatenate([y, np.full(len(pool), -1)])
    search = FoldlessSearch(LogisticRegression(), GRID, unlabeled=-1, random_state=0).fit(stacked, marked)
    apart = FoldlessSearch(LogisticRegression(), GRID, random_state=0).fit(X, y, X_unlabeled=pool)
    assert search.best_score_ == apart.best_score_
    assert search.classes_.tolist() == [0, 1, 2]
    with pytest.raises(AmbiguousLabels, match="X_unlabeled="):
        FoldlessSearch(LogisticRegression(), GRID).fit(X, np.where(y == 0, -1, 1))


def test_frames_and_sparse(blobs):
    X, y, pool = blobs
    plain = FoldlessSearch(LogisticRegression(), GRID, random_state=0).fit(X, y, X_unlabeled=pool)
    names = [f"f{i}" for i in range(8)]
    for form in (
        sparse.csr_array,
        sparse.csc_matrix,
        sparse.coo_array,
        lambda Z: pd.DataFrame(Z, columns=names),
        lambda Z: pl.DataFrame(Z, schema=names),
        lambda Z: Z.tolist(),
    ):
        search = FoldlessSearch(LogisticRegression(), GRID, random_state=0)
        search.fit(form(X), y, X_unlabeled=form(pool))
        assert search.best_score_ == pytest.approx(plain.best_score_)
        folds = FoldlessSearch(LogisticRegression(), GRID, criterion="k_fold", random_state=0).fit(form(X), y)
        assert folds.score(form(pool[:9]), plain.predict(pool[:9])) > 0.5
    frame = FoldlessSearch(LogisticRegression(), GRID).fit(pd.DataFrame(X, columns=names), pd.Series(y),
                                                           X_unlabeled=pd.DataFrame(pool, columns=names))  # fmt: skip
    assert frame.feature_names_in_.tolist() == names


def test_in_a_pipeline_cloned_and_pickled(blobs):
    X, y, pool = blobs
    search = FoldlessSearch(LogisticRegression(), GRID, criterion="k_fold", random_state=0)
    pipeline = make_pipeline(StandardScaler(), search).fit(X, y)
    loaded = pickle.loads(pickle.dumps(pipeline))
    assert (loaded.predict(pool) == pipeline.predict(pool)).all()
    assert clone(search).get_params()["criterion"] == "k_fold"
    nested = clone(search).set_params(estimator__max_iter=7)
    assert nested.estimator.max_iter == 7
    assert cross_val_score(search, X, y, cv=3).shape == (3,)


def test_metadata_routing(blobs):
    X, y, pool = blobs
    with sklearn.config_context(enable_metadata_routing=True):
        search = FoldlessSearch(LogisticRegression().set_fit_request(sample_weight=True), GRID, random_state=0)
        search.set_fit_request(X_unlabeled=True)
        pipeline = Pipeline(
            [("scale", StandardScaler().set_fit_request(sample_weight=False)), ("search", search)],
            transform_input=["X_unlabeled"],
        )
        pipeline.fit(X, y, X_unlabeled=pool, sample_weight=np.ones(90))
        scaler = StandardScaler().fit(X)
        alone = FoldlessSearch(LogisticRegression(), GRID, random_state=0)
        alone.fit(scaler.transform(X), y, X_unlabeled=scaler.transform(pool))
        assert pipeline[-1].best_score_ == alone.best_score_
        with pytest.raises(Exception, match="sample_weight"):
            FoldlessSearch(LogisticRegression(), GRID).fit(X, y, X_unlabeled=pool, sample_weight=np.ones(90))


def test_test_rows_are_routed_like_the_pool(blobs):
    X, y, pool = blobs
    with sklearn.config_context(enable_metadata_routing=True):
        search = FoldlessSearch(LogisticRegression(), GRID, random_state=0)
        search.set_fit_request(X_unlabeled=True, X_test=True, y_test=True)
        pipeline = Pipeline(
            [("scale", StandardScaler()), ("search", search)], transform_input=["X_unlabeled", "X_test"]
        )
        pipeline.fit(X[:60], y[:60], X_unlabeled=pool, X_test=X[60:], y_test=y[60:])
        chosen = pipeline[-1]
        assert chosen.selection_.best_test_accuracy == pipeline.score(X[60:], y[60:])
        assert len(chosen.selection_.test_accuracy) == len(GRID["C"])
        assert not hasattr(clone(search), "selection_")
    scaler = StandardScaler().fit(X[:60])
    alone = FoldlessSearch(LogisticRegression(), GRID, random_state=0)
    alone.fit(scaler.transform(X[:60]), y[:60], X_unlabeled=scaler.transform(pool))
    assert chosen.best_score_ == alone.best_score_
    assert alone.selection_.best_test_accuracy is None
    with pytest.raises(BadInput, match="a test set needs both X_test and y_test"):
        alone.fit(X, y, X_unlabeled=pool, X_test=X)


def test_sample_weight_reaches_the_fits(blobs):
    X, y, pool = blobs
    weight = np.where(y == 0, 1e-6, 1.0)
    search = FoldlessSearch(LogisticRegression(), {"C": [1.0]}).fit(X, y, X_unlabeled=pool, sample_weight=weight)
    direct = LogisticRegression(C=1.0).fit(X, y, sample_weight=weight)
    assert np.allclose(search.best_estimator_.coef_, direct.coef_)
    folds = FoldlessSearch(LogisticRegression(), {"C": [1.0]}, criterion="k_fold").fit(X, y, sample_weight=weight)
    assert folds.best_score_ < 0.8  # class 0 is all but gone from every fold's fit


def test_groups_stay_together(blobs):
    X, y, _ = blobs
    groups = np.arange(90) // 3
    twins = np.repeat(X[::3], 3, axis=0), np.repeat(y[::3], 3)
    torn = KFold(StratifiedKFold(5, shuffle=True))  # the splits of a user stay as they are, and tear copies apart
    leaky = FoldlessSearch(KNeighborsClassifier(1), criterion=torn, random_state=0).fit(*twins)
    for criterion in (KFold(5), KFold(GroupKFold(5)), HoldOut(0.3, repeats=5), "leave_one_out", "bootstrap_632"):
        honest = FoldlessSearch(KNeighborsClassifier(1), criterion=criterion, random_state=0)
        assert honest.fit(*twins, groups=groups).best_score_ < leaky.best_score_ - 0.1


def test_inside_an_outer_search_a_pool_is_not_sliced(blobs):
    X, y, pool = blobs
    same_length = pool[:90]
    inner = FoldlessSearch(LogisticRegression(), GRID)
    outer = GridSearchCV(inner, {"criterion": [QuantificationBound(), QuantificationBound("macro_f1")]}, cv=3)
    outer.fit(X, y, X_unlabeled=Pool(same_length))
    assert outer.best_score_ > 0.4
    seen = []

    class Spy(QuantificationBound):
        def evaluate(self, task):
            seen.append(len(task.unlabeled))
            return super().evaluate(task)

    GridSearchCV(inner, {"criterion": [Spy()]}, cv=3).fit(X, y, X_unlabeled=Pool(same_length))
    assert set(seen) == {90}
    assert repr(Pool(same_length)) == "Pool(90 rows)"


def selection(search):
    return [(c.candidate.index, c.score, c.splits, c.notes) for c in search.selection_.ranking]


@pytest.mark.slow
@pytest.mark.parametrize("criterion", slow_beyond(1, ["quantification_bound", "k_fold", Bootstrap632(5)]), ids=str)
def test_the_same_whatever_the_workers(blobs, criterion):
    X, y, pool = blobs
    pool, bases = pool[:50], {
        "forest": (RandomForestClassifier(5), {"max_depth": [1, None]}),
        "perceptron": (make_pipeline(StandardScaler(), Perceptron()), {"perceptron__alpha": [1e-4, 1e-2]}),
    }  # fmt: skip

    def run(**settings):
        return FoldlessSearch(bases, criterion=criterion, random_state=7, **settings).fit(X, y, X_unlabeled=pool)

    expected = run()
    for settings in ({"n_jobs": 2}, {"n_jobs": 3}):
        assert selection(run(**settings)) == selection(expected)  # short fits, which need no worker
        with joblib.parallel_config(backend="loky"):
            assert selection(run(**settings)) == selection(expected)
    assert len(loky_workers()) >= 2  # those that SIGTERM ends
    for backend in ("threading", "multiprocessing"):
        with joblib.parallel_config(backend=backend, n_jobs=2):
            found = run()
        assert selection(found) == selection(expected), backend
        assert (found.predict(pool) == expected.predict(pool)).all()
    other = FoldlessSearch(bases, criterion=criterion, random_state=8).fit(X, y, X_unlabeled=pool)
    assert selection(other) != selection(expected)


@pytest.mark.parametrize("criterion", slow_beyond(1, ["quantification_bound", "k_fold", "leave_one_out", "hold_out"]))
@pytest.mark.parametrize("labels", [["ham", "spam"], [-1, 1]])
def test_semi_supervised_candidates_get_the_pool(criterion, labels):
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(-2, 1, (150, 2)), rng.normal(2, 1, (150, 2))])
    y = np.repeat(labels, 150)
    known = rng.permutation(300)[:12]
    pool = np.delete(X, known, axis=0)
    search = FoldlessSearch(
        {
            "spreading": (LabelSpreading(), {"gamma": [1, 5]}),
            "propagation": LabelPropagation(),
            "self": SelfTrainingClassifier(LogisticRegression()),
            "supervised": LogisticRegression(),
        },
        criterion=criterion,
        random_state=0,
    ).fit(X[known], y[known], X_unlabeled=pool)
    assert search.score(X, y) > 0.9
    assert set(search.predict(X)) <= set(labels)
    for choice in search.selection_.ranking:
        assert choice.candidate.semi_supervised == (choice.candidate.index < 4)
        fit = choice.fits[0]
        assert (fit.unlabeled is not None) == choice.candidate.semi_supervised
    model = FoldlessSearch(LabelSpreading(), random_state=0).fit(X[known], y[known], X_unlabeled=pool)
    assert model.classes_.tolist() == sorted(labels)
    assert model.predict_proba(X).shape == (300, 2)
    assert pickle.loads(pickle.dumps(model)).score(X, y) > 0.9
    with pytest.raises(BadInput, match="sample_weight"):
        FoldlessSearch(LabelSpreading()).fit(X[known], y[known], X_unlabeled=pool, sample_weight=np.ones(12))


def test_frozen_candidates(blobs):
    X, y, pool = blobs
    good, bad = FrozenEstimator(LogisticRegression().fit(X, y)), FrozenEstimator(DummyClassifier().fit(X, y))
    search = FoldlessSearch({"good": good, "bad": bad}, criterion="k_fold").fit(X, y)
    assert search.best_params_ == {"estimator": "good"}
    stranger = FrozenEstimator(LogisticRegression().fit(X, np.array([0, 1, 7])[y]))
    scored = FoldlessSearch({"stranger": stranger, "good": good}, criterion="k_fold").fit(X, y)
    assert scored.cv_results_["mean_test_score"][0] < scored.cv_results_["mean_test_score"][1]


def test_candidates_are_seeded_from_the_search(blobs):
    X, y, pool = blobs
    search = FoldlessSearch(RandomForestClassifier(3), {"max_depth": [2, 3]}, random_state=0)
    a, b = (clone(search).fit(X, y, X_unlabeled=pool) for _ in range(2))
    assert (a.predict_proba(pool) == b.predict_proba(pool)).all()
    assert a.best_estimator_.random_state is not None
    fixed = FoldlessSearch(RandomForestClassifier(3, random_state=5), random_state=0).fit(X, y, X_unlabeled=pool)
    assert fixed.best_estimator_.random_state == 5


def test_ties(blobs):
    X, y, pool = blobs
    rest = {"criterion": "quantification_bound", "random_state": 0}
    same = {"C": [100.0, 1.0, 10.0]}
    constant = SVC(kernel="linear")
    first = FoldlessSearch(Ridge(), {"sleep": [0.0, 1e-9, 2e-9]}, criterion="k_fold", random_state=0).fit(X, y)
    assert first.best_index_ == 0
    assert first.cv_results_["rank_test_score"].tolist() == [1, 1, 1]
    separable = X + 20 * np.eye(8)[y]
    tied = FoldlessSearch(constant, same, **rest).fit(separable, y, X_unlabeled=separable)
    assert tied.best_params_ == {"C": 1.0}  # the strongest regularization, not the first
    piped = FoldlessSearch(make_pipeline(StandardScaler(), constant), {"svc__C": same["C"]}, **rest)
    assert piped.fit(separable, y, X_unlabeled=separable).best_params_ == {"svc__C": 1.0}


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"criterion": "cross_validation"}, "one of auto, quantification_bound, k_fold"),
        ({"criterion": KFold(1)}, "choose between 2 and 90"),
        ({"criterion": KFold(91)}, "91 folds"),
        ({"criterion": KFold(5, scoring="acuracy")}, "scorer name"),
        ({"criterion": QuantificationBound("precision")}, "measure must be one of 'accuracy'"),
        ({"criterion": QuantificationBound(delta=0)}, "delta must be a number in"),
        ({"criterion": HoldOut(1.5)}, "test_size must be a number in"),
        ({"param_grid": {"D": [1]}}, "unknown grid key 'D'"),
        ({"param_grid": {"C": 1.0}}, "param_grid cannot be used"),
        ({"param_grid": {"C": []}}, "param_grid cannot be used"),
        ({"estimator": RidgeRegression(), "param_grid": None, "scoring": "accuracy"}, "does not score the values"),
        ({"estimator": LogisticRegression, "param_grid": None}, "classifier or regressor object"),
        ({"estimator": {}, "param_grid": None}, "at least one"),
        ({"estimator": {"a": LinearSVC()}}, "leave param_grid out"),
        ({"time_budget": 0}, "above 0"),
        ({"keep_models": -1}, "megabytes"),
        ({"n_iter": 0}, "n_iter must be"),
        ({"param_grid": {"C": [-1.0, -2.0]}}, "all 2 candidates failed"),
    ],
)
def test_wrong_arguments_are_named(blobs, settings, words):
    X, y, pool = blobs
    arguments = {"estimator": LogisticRegression(), "param_grid": GRID, **settings}
    with pytest.raises(ValueError, match=words):
        FoldlessSearch(**arguments).fit(X, y, X_unlabeled=pool)


def test_repr_says_what_was_chosen(blobs):
    X, y, pool = blobs
    search = FoldlessSearch(LogisticRegression(), GRID, random_state=0).fit(X, y, X_unlabeled=pool)
    assert repr(search.selection_).startswith(f"Selection(auto, best='C={search.best_params_['C']:g}', accuracy=")
    assert "run, 0 shared, 0 resumed, 0 final" in repr(search.selection_)
    columns = [
        "rank",
        "candidate",
        "params",
        "score",
        "better",
        "behind",
        "behind_lower",
        "behind_upper",
        "tied",
        "notes",
    ]
    assert search.selection_.table().columns.tolist() == columns
    assert search.selection_.assumes


def test_digits_end_to_end():
    X, y = load_digits(return_X_y=True)
    order = np.random.default_rng(0).permutation(len(X))
    labeled, pool, test = order[:100], order[100:1200], order[1200:]
    search = FoldlessSearch(LinearSVC(), {"C": np.logspace(-6, 1, 8)}, criterion=QuantificationBound("macro_f1"))
    search.fit(X[labeled] / 16, y[labeled], X_unlabeled=X[pool] / 16)
    assert search.score(X[test] / 16, y[test]) > 0.8


class Column(LogisticRegression):
    """Predicts a column, as some libraries do."""

    def predict(self, X):
        return super().predict(X).reshape(-1, 1)


class Short(LogisticRegression):
    """Forgets a row."""

    def predict(self, X):
        return super().predict(X)[:-1]


class Undecided(LogisticRegression):
    """Has no probabilities above a certain C."""

    def predict_proba(self, X):
        return super().predict_proba(X) * (np.nan if self.C > 1 else 1)


class Dies(LogisticRegression):
    """Takes its process along."""

    def fit(self, X, y):
        if self.C > 1:
            os._exit(1)
        return super().fit(X, y)


def test_odd_shapes_of_predictions(blobs):
    X, y, pool = blobs
    plain = FoldlessSearch(LogisticRegression(), GRID, criterion="k_fold", random_state=0).fit(X, y)
    column = FoldlessSearch(Column(), GRID, criterion="k_fold", random_state=0).fit(X, y)
    assert column.best_score_ == plain.best_score_
    with pytest.raises(CandidatesFailed, match="399 labels for 400 rows"):
        FoldlessSearch(Short(), GRID).fit(X, y, X_unlabeled=pool)


def test_a_candidate_without_finite_probabilities_only_fails_itself(blobs):
    X, y, _ = blobs
    with pytest.warns(FitFailedWarning, match="not all finite"):
        search = FoldlessSearch(Undecided(), GRID, criterion=KFold(scoring="neg_log_loss")).fit(X, y)
    assert search.cv_results_["rank_test_score"].tolist()[2] == 3


@pytest.mark.slow
def test_a_candidate_that_kills_its_process_only_fails_itself(blobs):
    X, y, pool = blobs
    with pytest.warns(FitFailedWarning, match="worker process died"):
        search = FoldlessSearch(Dies(), GRID, n_jobs=2, random_state=0).fit(X, y, X_unlabeled=pool)
    assert np.isnan(search.cv_results_["mean_test_score"][2])
    assert search.best_params_["C"] <= 1


def test_a_subclass_of_pipeline_is_fitted_whole(blobs):
    X, y, _ = blobs

    class Reversing(Pipeline):
        def fit_transform(self, X, y=None, **params):
            raise AssertionError("a prefix of another kind of pipeline must not be fitted apart")

    pipeline = Reversing([("scale", StandardScaler()), ("lr", LogisticRegression())])
    grid = {"lr__C": GRID["C"]}
    found = FoldlessSearch(pipeline, grid, criterion="k_fold", random_state=0).fit(X, y)
    plain = FoldlessSearch(Pipeline(pipeline.steps), grid, criterion="k_fold", random_state=0).fit(X, y)
    assert found.best_score_ == plain.best_score_


@pytest.mark.parametrize("mine", [list, np.array, pd.Series])
@pytest.mark.parametrize("other", [list, np.array, pd.Series])
def test_texts_in_any_container(mine, other):
    words, y = ["good fine", "bad poor"] * 10, ["+", "-"] * 10
    search = FoldlessSearch(make_pipeline(TfidfVectorizer(), LinearSVC()), {"linearsvc__C": [0.1, 1]})
    search.fit(mine(words), y, X_unlabeled=other(["good", "poor"] * 20))
    assert search.predict(mine(["fine", "bad"])).tolist() == ["+", "-"]


def test_numeric_parameters_are_numbers_in_the_results(blobs):
    X, y, pool = blobs
    search = FoldlessSearch(LogisticRegression(), GRID).fit(X, y, X_unlabeled=pool)
    assert np.log10(search.cv_results_["param_C"]).tolist() == [-2, 0, 2]


def test_groups_that_a_splitter_tears_apart_are_refused(blobs):
    X, y, _ = blobs
    with pytest.raises(BadInput, match="both sides"), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # scikit-learn's: the splitter ignores groups
        FoldlessSearch(LogisticRegression(), GRID, criterion=KFold(StratifiedKFold(3))).fit(
            X, y, groups=np.arange(90) // 2
        )


def test_a_second_fit_leaves_nothing_of_the_first(blobs):
    X, y, _ = blobs
    search = FoldlessSearch(LogisticRegression(), GRID, criterion="k_fold")
    search.fit(pd.DataFrame(X).rename(columns=str), y)
    search.set_params(refit=False).fit(X, y)
    assert not hasattr(search, "feature_names_in_")
    assert not hasattr(search, "best_estimator_")


def test_a_tie_of_all_candidates_is_noted():
    X = np.array([[0.0], [0.1], [0.2], [0.3], [5.0], [5.1], [5.2], [5.3]])
    y = np.repeat([0, 1], 4)
    search = FoldlessSearch(KNeighborsClassifier(), {"n_neighbors": [1, 2]}, criterion="k_fold", random_state=0)
    notes = search.fit(X, y).selection_.notes
    assert "all 2 candidates have the same score by k_fold: n_neighbors=1 is chosen" in notes
    search.set_params(param_grid={"n_neighbors": [1, 6]})
    assert not any("same score" in note for note in search.fit(X, y).selection_.notes)


@pytest.mark.parametrize("scoring", ["accuracy", "roc_auc", "neg_log_loss"])
def test_score_is_by_the_metric_of_the_choice(blobs_of_two, scoring):
    X, y = blobs_of_two
    search = FoldlessSearch(GaussianNB(), {"var_smoothing": [1e-9, 1.0]}, criterion=KFold(3, scoring), random_state=0)
    search.fit(X[:60], y[:60])
    assert search.score(X[60:], y[60:]) == get_scorer(scoring)(search.best_estimator_, X[60:], y[60:])
    assert search.score(X[60:], y[60:]) == search.scorer_(search, X[60:], y[60:])


def test_scoring_is_that_of_the_criterion(blobs_of_two):
    X, y = blobs_of_two
    grid = {"var_smoothing": [1e-9, 1.0]}
    ours = FoldlessSearch(GaussianNB(), grid, criterion="k_fold", scoring="roc_auc", random_state=0).fit(X, y)
    same = FoldlessSearch(GaussianNB(), grid, criterion=KFold(scoring="roc_auc"), random_state=0).fit(X, y)
    assert ours.best_score_ == same.best_score_
    assert ours.selection_.criterion == KFold(scoring="roc_auc")
    assert ours.score(X, y) == same.score(X, y)
    assert clone(ours).scoring == "roc_auc"
    with pytest.raises(BadInput, match="'quantification_bound' is its own"):
        FoldlessSearch(GaussianNB(), grid, criterion="quantification_bound", scoring="f1").fit(X, y)


@pytest.mark.parametrize("name", ["predict", "predict_proba", "transform", "best_estimator_"])
def test_without_refit_there_is_nothing_that_predicts(blobs_of_two, name):
    X, y = blobs_of_two
    search = FoldlessSearch(GaussianNB(), {"var_smoothing": [1e-9, 1.0]}, criterion="k_fold", refit=False)
    assert not hasattr(search, name)
    assert not hasattr(search.fit(X, y), name)
    with pytest.raises(AttributeError, match="refit=False"):
        search.score(X, y)


class ByTime:
    """Trains on the rows before the middle of a column named time, and tests on the others."""

    def split(self, X, y=None, groups=None):
        assert set(y) == {"no", "yes"}
        late = X["time"] > X["time"].median()
        yield np.flatnonzero(~late), np.flatnonzero(late)

    def get_n_splits(self, X=None, y=None, groups=None):
        return 1


def test_a_splitter_gets_what_was_passed(blobs_of_two):
    X, y = blobs_of_two
    frame = pd.DataFrame(X, columns=list("abcd")).assign(time=np.random.default_rng(0).permutation(len(y)))
    named = np.array(["no", "yes"])[y]
    tree, grid = make_pipeline(StandardScaler(), LogisticRegression()), {"logisticregression__C": [1e-3, 1.0]}
    theirs = GridSearchCV(tree, grid, cv=ByTime()).fit(frame, named)
    splits = list(ByTime().split(frame, named))
    for k in (ByTime(), splits, iter(splits)):
        search = FoldlessSearch(tree, grid, criterion=KFold(k), random_state=0)
        for _ in range(2):  # a generator is asked again
            ours = search.fit(frame, named)
            assert list(ours.cv_results_["mean_test_score"]) == list(theirs.cv_results_["mean_test_score"])


@pytest.fixture
def blobs_of_two():
    return make_classification(120, 4, n_informative=3, n_redundant=0, flip_y=0.2, random_state=0)
