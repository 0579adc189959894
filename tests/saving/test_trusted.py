"""Models as they were trained are sound; numbers that lead out of their bounds are found."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import sparse
from sklearn.ensemble import (
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from foldless.learners import CoTraining, KernelSVC, L1LogisticRegression
from foldless.saving._trusted import fault_of

rng = np.random.default_rng(0)
Y = np.arange(90) % 3
X = rng.normal(size=(90, 4)) + Y[:, None]


def forest() -> Any:
    return RandomForestClassifier(3, random_state=0).fit(X, Y)


def nodes(tree: Any, **changes: Any) -> None:
    """Other numbers in the root of a tree."""
    state = tree.__getstate__()
    state["nodes"] = state["nodes"].copy()
    for name, value in changes.items():
        state["nodes"][name][0] = value
    tree.__setstate__(state)


def boosted(**changes: Any) -> Any:
    model = HistGradientBoostingClassifier(max_iter=2, min_samples_leaf=5).fit(X, Y)
    for name, value in changes.items():
        model._predictors[-1][-1].nodes[name][0] = value
    return model


def neighbors(at: int | None = None, change: Callable[[Any], Any] = lambda value: value, **params: Any) -> Any:
    model = KNeighborsClassifier(algorithm="kd_tree", leaf_size=5, **params).fit(X, Y)
    state = list(model._tree.__getstate__())
    if at is not None:
        state[at] = change(state[at])
    model._tree.__setstate__(tuple(state))
    return model


def changed(array: Any, value: Any) -> Any:
    array = np.array(array)
    array.flat[0] = value
    return array


def vectors(indices: int) -> Any:
    model = SVC().fit(sparse.csr_matrix(X), Y)
    model.support_vectors_.indices[0] = indices
    return model


def machine(**changes: Any) -> Any:
    model = KernelSVC().fit(X, Y)
    for name, value in changes.items():
        setattr(model, name, value)
    return model


def line(**changes: Any) -> Any:
    model = L1LogisticRegression().fit(X, Y)
    for name, value in changes.items():
        setattr(model, name, value)
    return model


def in_forest(**changes: Any) -> Any:
    model = forest()
    nodes(model.estimators_[1].tree_, **changes)
    return model


def other_width() -> Any:
    model = forest()
    model.estimators_[2] = DecisionTreeClassifier().fit(np.hstack([X, X]), Y)
    return model


def lone_tree() -> Any:
    model = forest()
    model.spare = model.estimators_[0].tree_
    return make_pipeline(StandardScaler(), model).set_params(standardscaler=model.spare)


@pytest.mark.parametrize(
    "model",
    [
        forest(), ExtraTreesClassifier(3).fit(X, Y), GradientBoostingClassifier(n_estimators=2).fit(X, Y),
        DecisionTreeClassifier().fit(X, Y), boosted(), neighbors(), neighbors(p=3), neighbors(metric="manhattan"),
        KNeighborsClassifier(algorithm="ball_tree", leaf_size=3).fit(X, Y), vectors(0),
        make_pipeline(StandardScaler(), forest()).fit(X, Y), machine(), KernelSVC(), line(), L1LogisticRegression(),
        CoTraining(random_state=0).fit(X, Y),
    ],
)  # fmt: skip
def test_what_was_trained_is_sound(model: Any) -> None:
    assert fault_of(model) is None


TREE = "sklearn.tree._tree.Tree"
FORGED: dict[str, tuple[Callable[[], Any], str]] = {
    "a child far away": (lambda: in_forest(left_child=10**9), TREE),
    "a child that is its parent": (lambda: in_forest(right_child=0), TREE),
    "a child below zero": (lambda: in_forest(right_child=-7), TREE),
    "one leaf only": (lambda: in_forest(right_child=-1), TREE),
    "a feature too many": (lambda: in_forest(feature=4), TREE),
    "a feature below zero": (lambda: in_forest(feature=-2), TREE),
    "trees of another width": (other_width, "sklearn.ensemble._forest.RandomForestClassifier"),
    "a tree in no estimator": (lone_tree, TREE),
    "a boosted child far away": (lambda: boosted(left=10**9), "TreePredictor"),
    "a boosted child that is its parent": (lambda: boosted(right=0), "TreePredictor"),
    "a boosted feature too many": (lambda: boosted(feature_idx=4), "TreePredictor"),
    "a boosted category": (lambda: boosted(is_categorical=1), "TreePredictor"),
    "a neighbor that is not there": (lambda: neighbors(1, lambda a: changed(a, 10**9)), "KDTree"),
    "a node of neighbors that is not there": (
        lambda: neighbors(2, lambda a: np.concatenate([a[1:], a[:1]])), "KDTree"
    ),
    "bounds of neighbors": (lambda: neighbors(3, lambda a: changed(a, -1e9)), "KDTree"),
    "more nodes of neighbors": (lambda: neighbors(6, lambda n: n + 1000), "KDTree"),
    "deeper neighbors": (lambda: neighbors(5, lambda n: n + 30), "KDTree"),
    "no leaf size": (lambda: neighbors(4, lambda n: 0), "KDTree"),
    "a column that is not there": (lambda: vectors(10**6), "csr_matrix"),
    "a column below zero": (lambda: vectors(-5), "csr_matrix"),
    "an intercept too few": (lambda: machine(intercept_=np.zeros(2)), "KernelSVC"),
    "machines of other classes": (lambda: machine(n_support_=np.array([90], np.int32)), "KernelSVC"),
    "a class of less than no rows": (lambda: machine(n_support_=np.array([-9, 99, 0], np.int32)), "KernelSVC"),
    "more machines than classes": (lambda: machine(dual_coef_=np.zeros((30, 90))), "KernelSVC"),
    "weights of fewer columns": (lambda: line(coef_=np.zeros((3, 2))), "L1LogisticRegression"),
    "weights of columns that it does not say it read": (lambda: line(n_features_in_=5), "L1LogisticRegression"),
}  # fmt: skip


@pytest.mark.parametrize("name", FORGED)
def test_what_leads_out_of_bounds_is_found(name: str) -> None:
    make, part = FORGED[name]
    found = fault_of(make())
    assert found is not None
    assert found.part.endswith(part)
