"""Forests that are grown without checks for each tree are scikit-learn's."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.ensemble import ExtraTreesClassifier, ExtraTreesRegressor, RandomForestClassifier, RandomForestRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import _classes as internals

from foldless.learners import _forest_growth
from foldless.learners._search_memory import remembering

X, CODES = make_classification(120, 8, n_informative=5, n_classes=3, random_state=0)
NAMES = np.array(["a", "b", "c"])[CODES]
KNOWN = [
    ExtraTreesClassifier(30, random_state=3),
    ExtraTreesClassifier(30, max_features=0.5, max_depth=4, criterion="entropy", random_state=3),
    RandomForestClassifier(30, random_state=3),
    RandomForestClassifier(30, min_samples_leaf=4, min_weight_fraction_leaf=0.05, random_state=np.int64(3)),
    RandomForestClassifier(30, min_impurity_decrease=0.01, max_features=None, random_state=3),
    ExtraTreesRegressor(30, random_state=3),
    RandomForestRegressor(30, max_features=0.3, random_state=3),
]
UNKNOWN = [
    RandomForestClassifier(30, class_weight="balanced", random_state=3),
    RandomForestClassifier(30, max_samples=0.5, random_state=3),
    RandomForestClassifier(30, max_leaf_nodes=5, random_state=3),
    RandomForestClassifier(30, ccp_alpha=0.01, random_state=3),
    RandomForestClassifier(30, oob_score=True, random_state=3),
    RandomForestClassifier(30, min_samples_leaf=0.1, random_state=3),
    RandomForestClassifier(30, n_jobs=2, random_state=3),
    RandomForestClassifier(3, random_state=3),
]


def _targets(forest):
    return X[:, 0] * 3 + CODES if isinstance(forest, ExtraTreesRegressor | RandomForestRegressor) else NAMES


def _assert_equal(ours, theirs):
    """Trees, attributes and answers to the last bit."""
    assert len(ours.estimators_) == len(theirs.estimators_) == ours.n_estimators
    for one, other in zip(ours.estimators_, theirs.estimators_, strict=True):
        state, expected = one.tree_.__getstate__(), other.tree_.__getstate__()
        assert state["max_depth"] == expected["max_depth"]
        np.testing.assert_array_equal(state["nodes"], expected["nodes"])
        np.testing.assert_array_equal(state["values"], expected["values"])
        assert vars(one).keys() == vars(other).keys()
        assert one.get_params() == other.get_params()
    assert vars(ours).keys() == vars(theirs).keys()
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
    if hasattr(theirs, "classes_"):
        np.testing.assert_array_equal(ours.classes_, theirs.classes_)
        np.testing.assert_array_equal(ours.predict_proba(X), theirs.predict_proba(X))
    np.testing.assert_array_equal(ours.feature_importances_, theirs.feature_importances_)
    if ours.bootstrap:
        np.testing.assert_array_equal(ours.estimators_samples_, theirs.estimators_samples_)


@pytest.mark.parametrize("forest", KNOWN + UNKNOWN, ids=repr)
def test_same_trees_as_scikit_learn(forest):
    y = _targets(forest)
    _assert_equal(_forest_growth.fit(clone(forest), X, y), clone(forest).fit(X, y))


@pytest.mark.parametrize("forest", KNOWN, ids=repr)
def test_known_forests_are_grown_by_the_builder(forest, monkeypatch):
    fits = []
    kind = type(clone(forest).fit(X, _targets(forest)).estimators_[0])
    plain = kind._fit
    monkeypatch.setattr(kind, "_fit", lambda self, *args, **params: fits.append(0) or plain(self, *args, **params))
    _forest_growth.fit(clone(forest), X, _targets(forest))
    assert len(fits) == _forest_growth.COMPARED


def test_in_a_search_forests_with_the_same_settings_are_compared_once(monkeypatch):
    fits, plain = [], internals.DecisionTreeClassifier._fit
    monkeypatch.setattr(
        internals.DecisionTreeClassifier,
        "_fit",
        lambda self, *args, **params: fits.append(0) or plain(self, *args, **params),
    )
    halves = [(X[at::2], NAMES[at::2]) for at in (0, 1)]
    forests = [RandomForestClassifier(20, random_state=3), RandomForestClassifier(20, random_state=4)]
    with remembering():
        ours = [_forest_growth.fit(clone(forest), *half) for forest in forests for half in halves]
        again = _forest_growth.fit(ours[0], *halves[1])
        assert len(fits) == _forest_growth.COMPARED
        _forest_growth.fit(RandomForestClassifier(20, min_samples_leaf=2, random_state=3), *halves[0])
        _forest_growth.fit(clone(forests[0]), *halves[0][:1], CODES[::2])
        _forest_growth.fit(clone(forests[0]), *halves[0][:1], CODES[::2] + 0.0)
        _forest_growth.fit(clone(forests[0]), X, NAMES)
        assert len(fits) == 5 * _forest_growth.COMPARED
    theirs = [clone(forest).fit(*half) for forest in forests for half in halves]
    _assert_equal(again, theirs[1])
    for one, other in zip(ours[1:], theirs[1:], strict=True):
        _assert_equal(one, other)
    assert ours[1].estimator_ is not ours[2].estimator_


@pytest.mark.parametrize("values", [np.full(120, np.nan), np.where(CODES, np.inf, 0.0)])
def test_values_that_cannot_be_learned(values):
    forest = RandomForestRegressor(20, random_state=0)
    with remembering(), pytest.raises(ValueError, match="contains"):
        _forest_growth.fit(clone(forest), X, CODES * 1.0)
        _forest_growth.fit(clone(forest), X, values)


@pytest.mark.parametrize("rows", [X.astype(np.float32), np.asfortranarray(X), (X * 10).astype(int), X > 0])
def test_kinds_of_rows(rows):
    forest = ExtraTreesClassifier(20, random_state=0)
    ours, theirs = _forest_growth.fit(clone(forest), rows, NAMES), clone(forest).fit(rows, NAMES)
    for one, other in zip(ours.estimators_, theirs.estimators_, strict=True):
        np.testing.assert_array_equal(one.tree_.threshold, other.tree_.threshold)


def test_missing_values_are_left_to_scikit_learn():
    rows = X.copy()
    rows[::7, 2] = np.nan
    forest = RandomForestClassifier(20, random_state=0)
    ours, theirs = _forest_growth.fit(clone(forest), rows, NAMES), clone(forest).fit(rows, NAMES)
    np.testing.assert_array_equal(ours.predict_proba(rows), theirs.predict_proba(rows))


def test_pipeline():
    pipeline = make_pipeline(StandardScaler(), ExtraTreesClassifier(20, random_state=0))
    ours, theirs = clone(pipeline), clone(pipeline).fit(X, NAMES)
    assert _forest_growth.fit(ours, X, NAMES) is ours
    np.testing.assert_array_equal(ours.predict_proba(X), theirs.predict_proba(X))
    _assert_equal_steps(ours, theirs)


def _assert_equal_steps(ours, theirs):
    assert [name for name, _ in ours.steps] == [name for name, _ in theirs.steps]
    np.testing.assert_array_equal(ours[0].mean_, theirs[0].mean_)


def test_pipeline_without_a_forest():
    pipeline = make_pipeline(StandardScaler(), internals.DecisionTreeClassifier(random_state=0))
    assert _forest_growth.fit(pipeline, X, NAMES).score(X, NAMES) == 1


def test_another_builder_leaves_all_trees_to_scikit_learn(monkeypatch):
    forest = RandomForestClassifier(20, random_state=0)
    theirs = clone(forest).fit(X, NAMES)
    for wrong in (lambda *_: None, lambda draws, seed, n: np.ones(n)):
        monkeypatch.setattr(_forest_growth, "_drawn", wrong)
        _assert_equal(_forest_growth.fit(clone(forest), X, NAMES), theirs)


def test_wrong_parameters_are_errors_of_scikit_learn():
    with pytest.raises(ValueError, match="max_features"):
        _forest_growth.fit(ExtraTreesClassifier(20, max_features="most", random_state=0), X, NAMES)


def test_copies_and_pickles():
    forest = _forest_growth.fit(RandomForestClassifier(20, random_state=0), X, NAMES)
    again = pickle.loads(pickle.dumps(forest))
    np.testing.assert_array_equal(again.predict_proba(X), forest.predict_proba(X))
    assert clone(forest).fit(X, NAMES).n_estimators == 20


@pytest.mark.parametrize("method", ["predict", "predict_proba"])
@pytest.mark.parametrize("rows", [X, X.astype(np.float32), np.asfortranarray(X), pd.DataFrame(X), X.tolist()])
def test_answers_are_those_of_scikit_learn(method, rows):
    forest = RandomForestClassifier(20, random_state=0).fit(X, NAMES)
    np.testing.assert_array_equal(_forest_growth.respond(forest, rows, method), getattr(forest, method)(rows))
    steps = make_pipeline(StandardScaler(), "passthrough", ExtraTreesClassifier(20, random_state=0)).fit(X, NAMES)
    np.testing.assert_array_equal(_forest_growth.respond(steps, rows, method), getattr(steps, method)(rows))


@pytest.mark.parametrize("model", [RandomForestRegressor(20, random_state=0), internals.DecisionTreeClassifier()])
def test_answers_of_other_models(model):
    model.fit(X, CODES)
    np.testing.assert_array_equal(_forest_growth.respond(model, X, "predict"), model.predict(X))


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("rows", [X[:, :3], np.where(X > 2, np.inf, X), X * 1e300])
def test_rows_that_cannot_be_read(rows):
    forest = RandomForestClassifier(20, random_state=0).fit(X, NAMES)
    with pytest.raises(ValueError, match="X "):
        _forest_growth.respond(forest, rows, "predict")


def test_rows_without_the_names_of_the_columns():
    forest = RandomForestClassifier(20, random_state=0).fit(pd.DataFrame(X).rename(columns=str), NAMES)
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        _forest_growth.respond(forest, X, "predict")
