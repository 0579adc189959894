"""Fit and ask scikit-learn's forests without checking the same rows again for each tree.

Of the time that a forest takes on some hundred rows, two thirds go into copies of parameters and checks, tree by tree.
Here scikit-learn fits a forest of two trees, with all its checks, and its compiled builder grows the others from the
seeds that it would draw: the same trees, in the same classes. The builder is no public interface, so it grows the first
two as well: where these are not scikit-learn's to the last bit, or where a forest has a setting that is not known here,
scikit-learn grows all of them.
"""

from collections.abc import Iterator
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import is_classifier

from foldless.core import Array

HOME, PIPELINES = "sklearn.ensemble._forest", "sklearn.pipeline"
FORESTS = ("ExtraTreesClassifier", "ExtraTreesRegressor", "RandomForestClassifier", "RandomForestRegressor")
CLASSIFIERS = ("ExtraTreesClassifier", "RandomForestClassifier")
PLAIN: dict[str, Any] = {
    "ccp_alpha": 0.0, "class_weight": None, "max_leaf_nodes": None, "max_samples": None, "monotonic_cst": None,
    "oob_score": False, "verbose": 0, "warm_start": False,
}  # fmt: skip
"""Settings that change how trees are grown; others are read from the first tree."""
FEWEST = 10  # trees for which it is worth growing two more
COMPARED = 2  # the second says that seeds follow each other as here
LARGEST_SEED, DEEPEST = np.iinfo(np.int32).max, np.iinfo(np.int32).max  # scikit-learn's


def fit(model: Any, X: Any, y: Any) -> Any:
    """``model.fit(X, y)`` of an estimator or a pipeline, faster where its last step is a forest."""
    if not _is_of(model, PIPELINES, ("Pipeline",)):
        return _grown(model, X, y) if _is_known(model, X, y) else model.fit(X, y)
    last = model.steps[-1][1]
    if len(model.steps) == 1 or not _is_of(last, HOME, FORESTS) or model.memory or model.transform_input:
        return model.fit(X, y)
    prefix = model[:-1]
    X = prefix.fit_transform(X, y)
    model.steps = [*prefix.steps, model.steps[-1]]
    fit(last, X, y)
    return model


def respond(model: Any, X: Any, method: str) -> Any:
    """``getattr(model, method)(X)`` of a fitted estimator or pipeline, faster where its last step is a forest."""
    if method not in ("predict", "predict_proba"):
        return getattr(model, method)(X)
    if (
        _is_of(model, PIPELINES, ("Pipeline",))
        and len(model.steps) > 1
        and _is_of(model.steps[-1][1], HOME, CLASSIFIERS)
    ):
        for _, step in model.steps[:-1]:
            X = X if step is None or step == "passthrough" else step.transform(X)
        return respond(model.steps[-1][1], X, method)
    if not _is_of(model, HOME, CLASSIFIERS) or not _may_ask(model, X):
        return getattr(model, method)(X)
    rows = np.asarray(X, dtype=np.float32)
    shares = np.zeros((len(rows), model.n_classes_))
    for tree in model.estimators_:
        shares += tree.tree_.predict(rows)[:, : model.n_classes_]
    shares /= len(model.estimators_)
    return shares if method == "predict_proba" else model.classes_.take(shares.argmax(axis=1), axis=0)


def _may_ask(forest: Any, X: Any) -> bool:
    """Whether rows need no further look: scikit-learn says what is wrong with others, or with their names."""
    fits = _is_table(X) and forest.n_outputs_ == 1 and X.shape[1] == forest.n_features_in_
    return fits and forest.n_jobs in (None, 1) and not forest.verbose and not hasattr(forest, "feature_names_in_")


def _is_of(estimator: Any, home: str, names: tuple[str, ...]) -> bool:
    """Whether it is of one of these classes, and not of a derived one; none is imported for the answer."""
    return type(estimator).__module__ == home and type(estimator).__name__ in names


def _is_known(forest: Any, X: Any, y: Any) -> bool:
    """Whether the trees of a forest can be grown here."""
    return frees_gil(forest) and _is_table(X) and isinstance(y, np.ndarray) and y.ndim == 1


def frees_gil(forest: Any) -> bool:
    """Whether it is a forest with settings that are known here: its builder lets other threads work meanwhile."""
    if not _is_of(forest, HOME, FORESTS):
        return False
    whole = all(
        isinstance(n, Integral) for n in (forest.min_samples_leaf, forest.min_samples_split, forest.random_state)
    )
    plain = all(getattr(forest, name, value) == value for name, value in PLAIN.items())
    one_thread = forest.n_jobs in (None, 1)
    return whole and plain and one_thread and isinstance(forest.criterion, str) and forest.n_estimators >= FEWEST


def _is_table(X: Any) -> bool:
    """Whether X has numbers, none of them missing or too large for single precision."""
    if not isinstance(X, np.ndarray) or X.ndim != 2 or X.dtype.kind not in "fiub":
        return False
    return bool(np.abs(X).max(initial=0) <= np.finfo(np.float32).max)


def _grown(forest: Any, X: Array, y: Array) -> Any:
    n_trees = forest.n_estimators
    forest.n_estimators = COMPARED
    try:
        forest.fit(X, y)
    finally:
        forest.n_estimators = n_trees
    try:
        trees = list(_trees(forest, _Rows.of(forest, X, y)))
    except (AttributeError, TypeError, ValueError):  # another builder
        return forest.fit(X, y)
    if not all(map(_are_equal, trees[:COMPARED], forest.estimators_)):
        return forest.fit(X, y)
    forest.estimators_ += trees[COMPARED:]
    return forest


class _Rows(NamedTuple):
    """Rows as the builder reads them: in single precision, and class codes or values in a column."""

    X: Array
    y: Array
    n_classes: Array

    @classmethod
    def of(cls, forest: Any, X: Array, y: Array) -> "_Rows":
        n_classes = 1
        if is_classifier(forest):
            classes, y = np.unique(y, return_inverse=True)
            n_classes = len(classes)
        column = np.ascontiguousarray(y.reshape(-1, 1), dtype=np.float64)
        return cls(np.asarray(X, dtype=np.float32), column, np.array([n_classes], dtype=np.intp))


def _trees(forest: Any, rows: _Rows) -> Iterator[Any]:
    """The trees of a forest, of which scikit-learn has fitted the first ones."""
    from sklearn.tree import _classes as internals  # a second that other models need not wait for

    first, n = forest.estimators_[0], len(rows.y)
    fitted = {name: value for name, value in vars(first).items() if name not in ("tree_", "random_state")}
    classes = is_classifier(forest)
    criterion = (internals.CRITERIA_CLF if classes else internals.CRITERIA_REG)[first.criterion]
    splitter = internals.DENSE_SPLITTERS[first.splitter]
    leaf, lightest = first.min_samples_leaf, first.min_weight_fraction_leaf * n
    smallest = max(first.min_samples_split, 2 * leaf)
    deepest = DEEPEST if first.max_depth is None else first.max_depth
    seeds, draws = np.random.RandomState(forest.random_state), np.random.RandomState(0)
    for _ in range(forest.n_estimators):
        tree = object.__new__(type(first))
        vars(tree).update(fitted)
        tree.random_state = seeds.randint(LARGEST_SEED)
        weights = _drawn(draws, tree.random_state, n) if forest.bootstrap else None
        draws.seed(tree.random_state)  # a new generator takes as long as some splits
        splits = splitter(
            criterion(1, rows.n_classes) if classes else criterion(1, n),
            first.max_features_, leaf, lightest, draws, None,
        )  # fmt: skip
        tree.tree_ = internals.Tree(rows.X.shape[1], rows.n_classes, 1)
        builder = internals.DepthFirstTreeBuilder(
            splits, smallest, leaf, lightest, deepest, first.min_impurity_decrease
        )
        builder.build(tree.tree_, rows.X, rows.y, weights, None)
        yield tree


def _drawn(draws: Any, seed: int, n: int) -> Array:
    """How often each row is in the bootstrap sample of a tree."""
    draws.seed(seed)
    return np.bincount(draws.randint(0, n, n), minlength=n).astype(np.float64)


def _are_equal(one: Any, other: Any) -> bool:
    """Whether two trees have the same seed, splits and values."""
    if one.random_state != other.random_state:
        return False
    a, b = one.tree_, other.tree_
    return all(np.array_equal(getattr(a, name), getattr(b, name)) for name in ("feature", "threshold", "value"))
