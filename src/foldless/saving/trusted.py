"""What a saved model may be made of: types that skops trusts, those of `foldless.saving`, and types checked here.

skops checks of which types a file is made, not what they hold. scikit-learn follows the numbers in trees and sparse
matrices without looking at their bounds, so a forged file of trusted types could read foreign memory. Those types are
trusted only together with a check: children come after their parents (so every path ends), features exist, and a tree
of neighbors is the tree that its points give.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from foldless.saving.names import names

DISTANCES = (
    "BrayCurtis", "Canberra", "Chebyshev", "Dice", "Euclidean", "Hamming", "Haversine", "Jaccard", "Manhattan",
    "Minkowski", "RogersTanimoto", "RussellRao", "SokalSneath",
)  # fmt: skip
HARMLESS = (
    "numpy.dtype",
    "sklearn.compose._column_transformer._RemainderColsList",  # a list of columns, in scikit-learn 1.6
    *(f"sklearn.metrics._dist_metrics.{name}Distance64" for name in DISTANCES),
)


def trusted_types() -> list[str]:
    """The names of all types that are trusted beside those that skops trusts."""
    return [*names(), *HARMLESS, *CHECKS]


def unsound(model: Any) -> str | None:
    """The first part of a model that may follow a number out of its bounds, or None."""
    for owner, part in _parts(model, None, set()):
        check = CHECKS.get(_name(part))
        if check is not None and not _holds(check, owner, part):
            return _name(part)
        held = getattr(part, "estimators_", ())
        members = held.ravel().tolist() if isinstance(held, np.ndarray) else list(held)
        if any(hasattr(m, "tree_") and m.n_features_in_ != part.n_features_in_ for m in members):
            return _name(part)
    return None


def _parts(value: Any, owner: Any, seen: set[int]) -> Iterator[tuple[Any, Any]]:
    """Everything inside a model, each with the estimator that it belongs to."""
    if id(value) in seen or isinstance(value, str | bytes | int | float | bool | type(None)):
        return
    seen.add(id(value))
    yield owner, value
    if isinstance(value, dict):
        inside = list(value.values())
    elif isinstance(value, list | tuple | set):
        inside = list(value)
    elif isinstance(value, np.ndarray):
        inside = value.ravel().tolist() if value.dtype == object else []
    else:
        inside = list(getattr(value, "__dict__", {}).values())
        owner = value if hasattr(value, "get_params") else owner
    for part in inside:
        yield from _parts(part, owner, seen)


def _holds(check: Callable[[Any, Any], bool], owner: Any, part: Any) -> bool:
    try:
        return check(owner, part)
    except Exception:  # what is no such thing at all fails in its own way
        return False


def _is_tree(owner: Any, tree: Any) -> bool:
    nodes = tree.__getstate__()["nodes"]
    inner = np.flatnonzero(nodes["left_child"] != -1)
    children = nodes["left_child"][inner], nodes["right_child"][inner]
    known = tree.n_features == owner.n_features_in_ and owner.tree_ is tree
    return known and _descend(inner, *children, len(nodes)) and _exist(nodes["feature"][inner], tree.n_features)


def _is_boosted_tree(owner: Any, tree: Any) -> bool:
    inner = np.flatnonzero(tree.nodes["is_leaf"] == 0)
    nodes = tree.nodes[inner]
    known = owner.n_features_in_ == owner._n_features and not nodes["is_categorical"].any()
    ends = _descend(inner, nodes["left"], nodes["right"], len(tree.nodes))
    return known and ends and _exist(nodes["feature_idx"], owner.n_features_in_)


def _is_tree_of_neighbors(_: Any, tree: Any) -> bool:
    data, *structure = (np.asarray(array) for array in tree.get_arrays())
    leaf_size, n_levels, n_nodes, *_, metric, weights = tree.__getstate__()[4:]
    _, distance_weights, _ = metric.__getstate__()
    if weights is not None or ("Minkowski" in _name(metric) and len(distance_weights) not in (0, data.shape[1])):
        return False
    again = type(tree)(data, leaf_size=leaf_size, metric=metric)
    same = all(np.array_equal(a, b) for a, b in zip(structure, again.get_arrays()[1:], strict=True))
    return same and (leaf_size, n_levels, n_nodes) == again.__getstate__()[4:7]


def _is_sparse_matrix(_: Any, matrix: Any) -> bool:
    matrix.check_format(full_check=True)
    return True


def _is_kernel_machine(_: Any, model: Any) -> bool:
    """Votes are counted without looking at the bounds of what is read; a model that is not fitted counts none."""
    if not hasattr(model, "classes_"):
        return True
    k, n = len(model.classes_), len(model.support_)
    shapes = model.dual_coef_.shape == (k - 1, n) and model.intercept_.shape == (k * (k - 1) // 2,)
    counts = model.n_support_
    return bool(k > 1 and shapes and counts.shape == (k,) and (counts >= 0).all() and counts.sum() == n)


def _is_linear(_: Any, model: Any) -> bool:
    """Weights are looked up by column without looking at their number; a model that is not fitted has none."""
    return not hasattr(model, "coef_") or model.coef_.shape[1:] == (model.n_features_in_,)


def _descend(parents: Any, left: Any, right: Any, n_nodes: int) -> bool:
    """Whether both children of each parent are nodes that come after it."""
    return all(bool(((parents < side) & (side < n_nodes)).all()) for side in (left, right)) and n_nodes > 0


def _exist(features: Any, n_features: int) -> bool:
    return bool(((features >= 0) & (features < n_features)).all())


def _name(value: Any) -> str:
    return f"{type(value).__module__}.{type(value).__qualname__}"


CHECKS: dict[str, Callable[[Any, Any], bool]] = {
    "foldless.learners.KernelSVC": _is_kernel_machine,
    "foldless.learners.L1LogisticRegression": _is_linear,
    "sklearn.tree._tree.Tree": _is_tree,
    "sklearn.ensemble._hist_gradient_boosting.predictor.TreePredictor": _is_boosted_tree,
    "sklearn.neighbors._kd_tree.KDTree": _is_tree_of_neighbors,
    "sklearn.neighbors._ball_tree.BallTree": _is_tree_of_neighbors,
    "scipy.sparse._csr.csr_matrix": _is_sparse_matrix,
    "scipy.sparse._csr.csr_array": _is_sparse_matrix,
}
