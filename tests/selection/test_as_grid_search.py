"""What a user of GridSearchCV meets: −1 as a class, scorers that read the model, weights, failures, metadata."""

import warnings

import numpy as np
import pytest
from sklearn import config_context
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.cluster import KMeans
from sklearn.datasets import make_classification, make_multilabel_classification
from sklearn.exceptions import FitFailedWarning
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, f1_score, make_scorer
from sklearn.model_selection import GridSearchCV, GroupKFold, KFold, StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier
from tests.helpers.weighted_scores import needs_weighted_scores

from foldless import FoldlessSearch, certify, compare
from foldless.criteria import KFold as ByFolds
from foldless.errors import BadInput

X, CODES = make_classification(
    60, 4, n_informative=3, n_redundant=0, n_classes=3, n_clusters_per_class=1, random_state=0
)
Y = CODES == 1
GRID = {"var_smoothing": [1e-9, 1.0, 30.0]}


def both(grid=GRID, estimator=None, y=Y, fit=(), **arguments):
    kinds = (FoldlessSearch, {"unlabeled": None, "estimate": False}), (GridSearchCV, {})
    return [kind(estimator or GaussianNB(), grid, **arguments, **more).fit(X, y, **dict(fit)) for kind, more in kinds]


def same(ours, theirs, *keys):
    assert ours.best_index_ == theirs.best_index_
    for key in keys or [key for key in theirs.cv_results_ if "_score" in key and "_time" not in key]:
        np.testing.assert_allclose(ours.cv_results_[key], theirs.cv_results_[key], rtol=1e-12, err_msg=key)


def test_minus_one_is_a_class_where_nothing_is_unlabeled():
    same(*both(y=CODES - 1, cv=3))
    with pytest.warns(UserWarning, match="20 rows with the label −1 are taken as the pool: pass unlabeled=-1"):
        search = FoldlessSearch(GaussianNB(), GRID, cv=3, estimate=False).fit(X, CODES - 1)
    assert list(search.classes_) == [0, 1]
    said = FoldlessSearch(GaussianNB(), GRID, cv=3, estimate=False, unlabeled=-1, random_state=0).fit(X, CODES - 1)
    assert said.selection_.criterion.name.startswith("auto(k=3 folds")
    with pytest.raises(BadInput, match="unlabeled must be -1, or None"):
        FoldlessSearch(GaussianNB(), GRID, unlabeled=0).fit(X, CODES)
    for function in (compare, certify):
        with pytest.warns(UserWarning, match="are taken as the pool"), pytest.raises(ValueError, match="C"):
            function(GaussianNB(), param_grid={"C": [1]}, X=X, y=CODES - 1)


def test_a_scorer_that_reads_features_and_model_chooses_as_in_grid_search():
    def costly(model, X, y):
        return -float(np.abs(X[model.predict(X) != y, 0]).sum()) - model.var_smoothing

    ours, theirs = both(scoring=costly, cv=StratifiedKFold(3), return_train_score=True)
    same(ours, theirs)
    assert ours.score(X, Y) == theirs.score(X, Y)
    assert ours.selection_.estimate is None


def test_the_positive_class_may_have_any_name():
    scorer = make_scorer(f1_score, pos_label="yes")
    same(*both(y=np.where(Y, "yes", "no"), scoring=scorer, cv=3))


@needs_weighted_scores
def test_weights_reach_fits_and_scores():
    weights = np.random.default_rng(0).uniform(0.1, 4, len(Y))
    weighted = both(cv=3, fit={"sample_weight": weights}.items())
    same(*weighted)
    same(*both(cv=3, scoring="f1", fit={"sample_weight": weights}.items()))
    plain, _ = both(cv=3)
    assert (plain.cv_results_["mean_test_score"] != weighted[0].cv_results_["mean_test_score"]).any()


def test_a_scorer_obeys_its_request():
    weights = np.random.default_rng(0).uniform(0.1, 4, len(Y))
    with config_context(enable_metadata_routing=True):
        scorer = make_scorer(accuracy_score).set_score_request(sample_weight=True)
        model = GaussianNB().set_fit_request(sample_weight=False)
        ours, theirs = both(estimator=model, scoring=scorer, cv=3, fit={"sample_weight": weights}.items())
        same(ours, theirs)
        assert ours.score(X, Y) == theirs.score(X, Y)
        assert ours.score(X, Y, sample_weight=weights) == theirs.score(X, Y, sample_weight=weights)


class Fragile(ClassifierMixin, BaseEstimator):
    """Fails to fit where the first row has a large feature."""

    def __init__(self, fails=False, shift=0):
        self.fails, self.shift = fails, shift

    def fit(self, X, y):
        if self.fails and X[0, 0] > np.median(X[:, 0]):
            raise ValueError("the first row is above the median")
        self.classes_, self.mean_ = np.unique(y), X[y].mean(axis=0) + self.shift

    def predict(self, X):
        return np.linalg.norm(X - self.mean_, axis=1) < np.median(np.linalg.norm(X - self.mean_, axis=1))


@pytest.mark.parametrize("error_score", [0.0, np.nan])
def test_a_split_that_fails_has_the_error_score(error_score):
    high, low = (int(at) for at in (X[:, 0].argmax(), X[:, 0].argmin()))
    cv = [(np.r_[first, np.arange(0, 60, 2)], np.arange(1, 60, 2)) for first in (high, low, high)]
    grid = {"fails": [False, True], "shift": [0, 3]}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        ours, theirs = both(grid, Fragile(), cv=cv, error_score=error_score)
    same(ours, theirs)
    assert sum(issubclass(w.category, FitFailedWarning) for w in caught) == 2
    with pytest.raises(ValueError, match="the first row is above"):
        FoldlessSearch(Fragile(), grid, cv=cv, error_score="raise", estimate=False).fit(X, Y)


def test_a_function_may_choose_the_row():
    ours, theirs = both(cv=3, refit=lambda results: int(np.argmin(results["mean_test_score"])))
    assert ours.best_params_ == theirs.best_params_
    assert not hasattr(ours, "best_score_")
    assert ours.best_estimator_.var_smoothing == ours.best_params_["var_smoothing"]
    assert ours.selection_.best.candidate.params == ours.best_params_
    assert ours.selection_.ranking[0].score >= ours.selection_.best.score


@pytest.mark.parametrize("scoring", ["f1", None])
def test_one_metric_chooses_whatever_refit_names_and_a_warning_says_so(scoring):
    with pytest.warns(
        UserWarning, match="refit='recall' is not the metric of scoring=.*, by which candidates are ranked"
    ) as caught:
        ours, theirs = both(cv=3, scoring=scoring, refit="recall")
    assert caught[0].filename == __file__
    same(ours, theirs)


@pytest.mark.filterwarnings("ignore:The groups parameter is ignored")
def test_groups_that_cv_tears_are_told():
    groups = np.arange(60) // 2
    with pytest.warns(UserWarning, match="KFold puts rows of group .* on both sides of a split"):
        FoldlessSearch(GaussianNB(), GRID, cv=KFold(3, shuffle=True, random_state=0), estimate=False).fit(
            X, Y, groups=groups
        )
    with pytest.raises(BadInput, match="KFold puts rows of group"):
        FoldlessSearch(GaussianNB(), GRID, criterion=ByFolds(KFold(3, shuffle=True))).fit(X, Y, groups=groups)
    same(*both(cv=GroupKFold(3), fit={"groups": groups}.items()))


def test_several_labels_are_learned_by_those_who_can_and_scored_by_all():
    rows, sets = make_multilabel_classification(24, 5, n_classes=3, random_state=0, allow_unlabeled=False)
    grid = {"max_depth": [1, 3]}
    ours = FoldlessSearch(DecisionTreeClassifier(random_state=0), grid, criterion="k_fold", cv=3, estimate=False).fit(
        rows, sets
    )
    theirs = GridSearchCV(DecisionTreeClassifier(random_state=0), grid, cv=3).fit(rows, sets)
    same(ours, theirs)
    assert ours.predict(rows).shape == sets.shape
    one = FoldlessSearch(GaussianNB(), GRID, criterion="hold_out", estimate=False, random_state=0)
    with pytest.warns(UserWarning, match="y has 3 columns, and these classifiers predict one label"):
        one.fit(rows, sets)
    predicted = one.predict(rows)
    assert one.score(rows, sets) == np.mean(sets[np.arange(24), predicted])


def test_clusterers_are_refused_by_criteria_that_read_classes():
    with pytest.raises(BadInput, match="reads class labels, and KMeans is a clusterer"):
        FoldlessSearch(KMeans(), {"n_clusters": [2]}, criterion="leave_one_out").fit(X, CODES)
    with pytest.raises(BadInput, match="is a clusterer"):
        compare(KMeans(), {"n_clusters": [2]}, X, CODES)


def test_auto_races_over_the_splits_of_cv_with_a_pool_and_cross_validates_without():
    arguments = {"scoring": "roc_auc", "cv": StratifiedKFold(4), "return_train_score": True, "random_state": 0}
    search = FoldlessSearch(LogisticRegression(), {"C": [1e-4, 1.0]}, estimate=False, **arguments)
    raced = search.fit(X[:40], Y[:40], X_unlabeled=X[40:])
    assert raced.selection_.criterion.name.startswith("auto(")
    assert 1 <= raced.n_splits_ <= 4
    assert 0.5 < raced.cv_results_["mean_train_score"][raced.best_index_] <= 1
    folded = search.fit(X, Y)
    assert folded.selection_.criterion.name.startswith("k_fold(")
    several = FoldlessSearch(GaussianNB(), GRID, scoring=["accuracy", "f1"], refit="f1", estimate=False)
    with pytest.warns(UserWarning, match="which does not use the pool"):
        several.fit(X[:40], Y[:40], X_unlabeled=X[40:])
    assert several.multimetric_
    alone = FoldlessSearch(GaussianNB(), GRID, estimate=False, random_state=0).fit(X, Y)
    assert "there is no pool, so auto chooses by the labels alone" in alone.selection_.notes


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"cv": "five"}, "cv must be a number of folds"),
        ({"cv": 3, "criterion": "quantification_bound"}, "does not use cv"),
        ({"return_train_score": True, "criterion": "leave_one_out"}, "does not use return_train_score"),
        ({"return_train_score": 1}, "return_train_score must be True or False"),
        ({"scoring": ["accuracy", "f1"], "refit": True}, "refit must be set to a scorer key"),
        ({"scoring": lambda model, X, y: "good", "cv": 3}, "scoring must return a number"),
    ],
)
def test_wrong_arguments_are_named(arguments, words):
    with pytest.raises(ValueError, match=words):
        FoldlessSearch(GaussianNB(), GRID, **arguments).fit(X, Y, X_unlabeled=X if "criterion" in arguments else None)
