"""Fit and ask scikit-learn's forests without checking the same rows again for each tree.

Of the time that a forest takes on some hundred rows, two thirds go into copies of parameters and checks, tree by tree.
Here scikit-learn fits a forest of two trees, with all its checks, and its compiled builder grows all trees from the
seeds that it would draw: the same trees, in the same classes. The builder is no public interface, so the first two are
compared: where these are not scikit-learn's to the last bit, or where a forest has a setting that is not known here,
scikit-learn grows all of them. During a search, forests with the same settings on as many rows are compared once.
"""

from collections.abc import Hashable, Iterator
from copy import copy
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import clone, is_classifier

from foldless.core import Array
from foldless.learners._search_memory import SearchMemory

HOME, PIPELINES = "sklearn.ensemble._forest", "sklearn.pipeline"
FORESTS = ("ExtraTreesClassifier", "ExtraTreesRegressor", "RandomForestClassifier", "RandomForestRegressor")
CLASSIFIERS = ("ExtraTreesClassifier", "RandomForestClassifier")
PLAIN: dict[str, Any] = {
    "ccp_alpha": 0.0, "class_weight": None, "max_leaf_nodes": None, "max_samples": None, "monotonic_cst": None,
    "oob_score": False, "verbose": 0, "warm_start": False,
}  # fmt: skip
"""Settings that change how trees are grown; others are read from the first tree."""
POISSON = "poisson"  # looks at the values again
SEEN = SearchMemory(100)  # kinds of forests
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
    """Whether it is of one of these classes, and not of a derived one; nothing is imported for that."""
    return type(estimator).__module__ == home and type(estimator).__name__ in names


def _is_known(forest: Any, X: Any, y: Any) -> bool:
    """Whether the trees of a forest can be grown here."""
    if not (frees_gil(forest) and _is_table(X) and isinstance(y, np.ndarray) and y.ndim == 1):
        return False
    return is_classifier(forest) or (y.dtype.kind in "fiub" and bool(np.isfinite(y).all()))


def frees_gil(forest: Any) -> bool:
    """Whether it is a forest with settings that are known here: its builder lets other threads work meanwhile."""
    if not _is_of(forest, HOME, FORESTS):
        return False
    whole = all(
        isinstance(n, Integral) for n in (forest.min_samples_leaf, forest.min_samples_split, forest.random_state)
    )
    plain = all(getattr(forest, name, value) == value for name, value in PLAIN.items())
    one_thread = forest.n_jobs in (None, 1) and isinstance(forest.criterion, str)
    return whole and plain and one_thread and forest.criterion != POISSON and forest.n_estimators >= FEWEST


def _is_table(X: Any) -> bool:
    """Whether X has numbers, none of them missing or too large for single precision."""
    if not isinstance(X, np.ndarray) or X.ndim != 2 or X.dtype.kind not in "fiub":
        return False
    return bool(np.abs(X).max(initial=0) <= np.finfo(np.float32).max)


def _grown(forest: Any, X: Array, y: Array) -> Any:
    rows = _Rows.of(forest, X, y)
    seen = SEEN.recalled(_kind(forest, rows), lambda: _Seen.of(forest, X, y, rows))
    if seen is None:
        return forest.fit(X, y)
    vars(forest).update({name: copy(value) for name, value in seen.fitted.items()})
    forest.estimators_ = list(_trees(forest, seen.tree, rows))
    return forest


class _Seen(NamedTuple):
    """What scikit-learn makes of a forest beside its trees, which depends on nothing but its kind, and one tree."""

    fitted: dict[str, Any]
    tree: Any

    @classmethod
    def of(cls, forest: Any, X: Array, y: Array, rows: "_Rows") -> "_Seen | None":
        """Two trees by scikit-learn, with all its checks; None where they are not those that are grown here."""
        small = clone(forest).set_params(n_estimators=COMPARED)
        settings = {*vars(small), "estimators_"}
        small.fit(X, y)
        try:
            trees = list(_trees(small, small.estimators_[0], rows))
        except (AttributeError, TypeError, ValueError):  # another builder
            return None
        if not all(map(_are_equal, trees, small.estimators_)):
            return None
        return cls({n: value for n, value in vars(small).items() if n not in settings}, small.estimators_[0])


def _kind(forest: Any, rows: "_Rows") -> Hashable:
    """The settings of a forest but for its seed, the form of its rows, and its classes."""
    settings = (item for item in sorted(vars(forest).items()) if not (item[0].startswith("_") or item[0].endswith("_")))
    plain = tuple((name, repr(value)) for name, value in settings if name != "random_state")
    return type(forest).__name__, plain, rows.X.shape, rows.classes.dtype.str, tuple(rows.classes.tolist())


class _Rows(NamedTuple):
    """Rows as the builder reads them: in single precision, and class codes or values in a column."""

    X: Array
    y: Array
    classes: Array

    @classmethod
    def of(cls, forest: Any, X: Array, y: Array) -> "_Rows":
        classes = np.empty(0)
        if is_classifier(forest):
            classes, y = np.unique(y, return_inverse=True)
        return cls(np.asarray(X, dtype=np.float32), np.ascontiguousarray(y.reshape(-1, 1), dtype=np.float64), classes)

    @property
    def n_classes(self) -> Array:
        return np.array([max(1, len(self.classes))], dtype=np.intp)


def _trees(forest: Any, first: Any, rows: _Rows) -> Iterator[Any]:
    """The trees of a forest, like one that scikit-learn has fitted."""
    from sklearn.tree import _classes as internals  # a second that other models need not wait for

    n, n_classes = len(rows.y), rows.n_classes
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
            criterion(1, n_classes) if classes else criterion(1, n), first.max_features_, leaf, lightest, draws, None
        )
        tree.tree_ = internals.Tree(rows.X.shape[1], n_classes, 1)
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
