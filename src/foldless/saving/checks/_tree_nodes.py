"""Trees: children come after their parents, so every path ends; features exist; leaves have a column to be added to."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import sparse

from foldless.saving._plain_shapes import descend, within

TREE = "sklearn.tree._tree.Tree"
PREDICTOR = "sklearn.ensemble._hist_gradient_boosting.predictor.TreePredictor"


def _is_tree(owner: Any, attribute: str, tree: Any) -> bool:
    """A tree reads rows of any width, so it stands only where an estimator checks the width before."""
    nodes = tree.__getstate__()["nodes"]
    inner = np.flatnonzero(nodes["left_child"] != -1)
    children = nodes["left_child"][inner], nodes["right_child"][inner]
    known = attribute == "tree_" and _holder(owner) and tree.n_features == owner.n_features_in_
    return known and descend(inner, *children, len(nodes)) and within(nodes["feature"][inner], tree.n_features)


def _holder(model: Any) -> bool:
    return type(model).__module__ == "sklearn.tree._classes"


def _is_decision_tree(model: Any) -> bool:
    if not hasattr(model, "tree_"):
        return True
    return type(model.tree_).__module__ == "sklearn.tree._tree" and _has_outputs(model, model.tree_.value.shape)


def _has_outputs(model: Any, shape: tuple[int, int, int]) -> bool:
    """As many columns of labels, and classes in them, as the leaves have numbers for."""
    _, n, width = shape
    if model.n_outputs_ != n:
        return False
    classes = np.atleast_1d(getattr(model, "n_classes_", np.ones(n, int)))
    return classes.shape == (n,) and max(classes) == width


def _is_forest(model: Any) -> bool:
    """The width of rows is checked by the first tree for all of them."""
    if not hasattr(model, "estimators_"):
        return True
    members = list(model.estimators_)
    sound = _are_trees(members, model.n_features_in_)
    return sound and all(_has_outputs(model, tree.tree_.value.shape) for tree in members)


def _is_boosting(model: Any) -> bool:
    """Every tree of a round adds to a column of its own, which the first guess must have."""
    if not hasattr(model, "estimators_"):
        return True
    k = len(model.classes_)
    width = 1 if k == 2 else k
    trees, first = model.estimators_, model.init_
    return (
        k > 1
        and trees.ndim == 2
        and trees.shape[1] == model.n_trees_per_iteration_ == width
        and _are_trees(trees.ravel().tolist(), model.n_features_in_)
        and all(tree.tree_.value.shape[1:] == (1, 1) for tree in trees.flat)
        and model._loss.is_multiclass == (k > 2)
        and (first == "zero" if isinstance(first, str) else _guesses(first, k))
    )


def _guesses(first: Any, k: int) -> bool:
    """Whether a first guess is that of the class shares."""
    plain = type(first).__module__ == "sklearn.dummy" and first.strategy == first._strategy == "prior"
    return plain and first.n_outputs_ == 1 and np.shape(first.class_prior_) == (k,)


def _are_trees(members: Sequence[Any], n_features: int) -> bool:
    return len(members) > 0 and all(_holder(tree) and tree.n_features_in_ == n_features for tree in members)


def _is_predictor(owner: Any, attribute: str, tree: Any) -> bool:
    histogram = type(owner).__module__.startswith("sklearn.ensemble._hist_gradient_boosting.")
    if not (histogram and attribute == "_predictors"):
        return False
    inner = np.flatnonzero(tree.nodes["is_leaf"] == 0)
    nodes = tree.nodes[inner]
    ends = descend(inner, nodes["left"], nodes["right"], len(tree.nodes))
    return ends and not nodes["is_categorical"].any() and within(nodes["feature_idx"], owner.n_features_in_)


def _is_histogram_boosting(model: Any) -> bool:
    """Categories, and rows that are binned already, are read by their bits: neither is in a model of foldless."""
    if not hasattr(model, "_predictors"):
        return True
    plain = getattr(model, "_preprocessor", None) is None and not hasattr(model, "_in_fit")
    bins = np.asarray(model._bin_mapper.is_categorical_)
    classes = len(getattr(model, "classes_", "12"))  # a regressor has one tree, as two classes have
    trees = model.n_trees_per_iteration_ == (1 if classes == 2 else classes)
    counts = trees and model.n_features_in_ == model._n_features
    return plain and counts and not bins.any() and not sparse.issparse(bins)


CHECKS = {
    **{
        f"sklearn.tree._classes.{name}": _is_decision_tree
        for name in ("DecisionTreeClassifier", "DecisionTreeRegressor", "ExtraTreeClassifier", "ExtraTreeRegressor")
    },
    "sklearn.ensemble._forest.RandomForestClassifier": _is_forest,
    "sklearn.ensemble._forest.ExtraTreesClassifier": _is_forest,
    "sklearn.ensemble._forest.RandomForestRegressor": _is_forest,
    "sklearn.ensemble._forest.ExtraTreesRegressor": _is_forest,
    "sklearn.ensemble._gb.GradientBoostingClassifier": _is_boosting,
    "sklearn.ensemble._hist_gradient_boosting.gradient_boosting.HistGradientBoostingClassifier": _is_histogram_boosting,
    "sklearn.ensemble._hist_gradient_boosting.gradient_boosting.HistGradientBoostingRegressor": _is_histogram_boosting,
}
PLACES = {TREE: _is_tree, PREDICTOR: _is_predictor}
