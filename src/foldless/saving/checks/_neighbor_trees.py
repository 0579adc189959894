"""Neighbors: as many classes as points, points as wide as rows, and a tree that is the one its points give."""

from typing import Any

import numpy as np

from foldless.saving._plain_shapes import within

CLASSES = ("sklearn.neighbors._kd_tree.KDTree", "sklearn.neighbors._ball_tree.BallTree")


def _is_neighbors(model: Any) -> bool:
    if not hasattr(model, "_fit_method"):
        return True
    points, n = model._fit_X, model.n_samples_fit_
    if points.ndim != 2 or points.dtype.kind not in "fiu" or points.shape != (n, model.n_features_in_):
        return False
    if not isinstance(model.effective_metric_, str):
        return False
    codes: Any = getattr(model, "_y", None)
    if hasattr(model, "classes_") and (codes.shape != (n,) or not within(codes, len(model.classes_))):
        return False
    if type(model).__name__ == "KNeighborsRegressor" and (codes.shape[0] != n or codes.dtype.kind not in "fiu"):
        return False
    tree = getattr(model, "_tree", None)
    return tree is None or np.shape(tree.get_arrays()[0]) == points.shape


def _is_tree_of_neighbors(owner: Any, attribute: str, tree: Any) -> bool:
    if attribute != "_tree" or not type(owner).__module__.startswith("sklearn.neighbors."):
        return False
    data, *structure = (np.asarray(array) for array in tree.get_arrays())
    leaf_size, n_levels, n_nodes, *_, metric, weights = tree.__getstate__()[4:]
    _, distance_weights, _ = metric.__getstate__()
    minkowski = "Minkowski" in type(metric).__name__
    if weights is not None or (minkowski and len(distance_weights) not in (0, data.shape[1])):
        return False
    again = type(tree)(data, leaf_size=leaf_size, metric=metric)
    same = all(np.array_equal(a, b) for a, b in zip(structure, again.get_arrays()[1:], strict=True))
    return same and (leaf_size, n_levels, n_nodes) == again.__getstate__()[4:7]


CHECKS = {
    f"sklearn.neighbors.{name}": _is_neighbors
    for name in (
        "_classification.KNeighborsClassifier",
        "_classification.RadiusNeighborsClassifier",
        "_regression.KNeighborsRegressor",
        "_graph.KNeighborsTransformer",
        "_graph.RadiusNeighborsTransformer",
        "_unsupervised.NearestNeighbors",
    )
}
PLACES = dict.fromkeys(CLASSES, _is_tree_of_neighbors)
