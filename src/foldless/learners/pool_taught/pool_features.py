"""A classifier on features that labeled rows and pool have taught together.

Fits on parts of the labels have the same rows, some with a label and some without: features and graphs are made once
for all of them.
"""

import time
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from typing import Any, ClassVar

import numpy as np
from scipy import sparse
from sklearn.base import MetaEstimatorMixin, clone
from sklearn.utils import get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted, validate_data

from foldless.core import Array, digest
from foldless.core.batch import Answered, Member, Part
from foldless.errors import BadInput
from foldless.learners import _forest_growth
from foldless.learners._inputs import check_missing, partial_labels
from foldless.learners._logits import SparseClassifier
from foldless.learners._search_memory import SearchMemory
from foldless.learners.pool_taught.neighbor_spreading import NearestRows, NeighborGraph, NeighborSpreading
from foldless.learners.pool_taught.taught_view import Taught, TaughtView, ViewName
from foldless.saving._names import saved

UNLABELED = -1
WIDEST = 50  # neighbors of the learners that have a name: those of all of them are found at once
MAX_KEPT = 10_000  # rows whose features are kept for the next fits of a search
TAUGHT = SearchMemory(2)  # words and characters of the same texts, for example
RESPONSES = {"labels": "predict", "probabilities": "predict_proba", "scores": "decision_function"}


def _made(home: str, name: str, *args: Any, **params: Any) -> Any:
    return getattr(import_module(home), name)(*args, **params)


LEARNERS: dict[str, Callable[[], Any]] = {
    "logistic": partial(_made, "sklearn.linear_model", "LogisticRegression", C=10.0, max_iter=1000),
    "linear-svc": partial(_made, "sklearn.svm", "LinearSVC"),
    "trees": partial(_made, "sklearn.ensemble", "ExtraTreesClassifier", 100, random_state=0),
    "neighbors": partial(_made, "sklearn.neighbors", "KNeighborsClassifier", 5, weights="distance"),
    "svc": partial(_made, "sklearn.svm", "SVC", C=10.0),
    "boosting": partial(
        _made,
        "sklearn.ensemble",
        "HistGradientBoostingClassifier",
        max_leaf_nodes=4,
        max_iter=40,
        learning_rate=0.2,
        min_samples_leaf=5,
        early_stopping=False,
        random_state=0,
    ),
    "discriminant": partial(
        _made, "foldless.learners._discriminant", "ShrunkenDiscriminant", solver="lsqr", shrinkage="auto"
    ),
    "self-training": lambda: _made(
        "sklearn.semi_supervised", "SelfTrainingClassifier", LEARNERS["logistic"](), threshold=0.9
    ),
    "spreading-7": partial(NeighborSpreading, 7, alpha=0.5),
    "spreading-15": partial(NeighborSpreading, 15, alpha=0.5),
    "spreading-50": partial(NeighborSpreading, 50, alpha=0.2),
}


def learner(estimator: Any) -> Any:
    """The classifier that a name stands for, or a copy of a classifier."""
    if not isinstance(estimator, str):
        return clone(estimator)
    if estimator not in LEARNERS:
        raise BadInput(f"estimator must be a classifier or one of {', '.join(LEARNERS)}, got {estimator!r}")
    return LEARNERS[estimator]()


def _has(name: str) -> Any:
    return available_if(lambda self: hasattr(learner(self.estimator), name))


@saved("foldless.learners")
class PoolFeatures(MetaEstimatorMixin, SparseClassifier):
    """Train a classifier on features that are learned from labeled and unlabeled rows.

    Parameters
    ----------
    estimator : classifier or str, default="logistic"
        What is trained on the features; one that takes rows marked −1, such as `NeighborSpreading` or scikit-learn's
        ``SelfTrainingClassifier``, gets the unlabeled rows too. A name stands for a classifier: "logistic",
        "linear-svc", "trees", "boosting", "neighbors", "svc", "discriminant", "self-training", "spreading-7",
        "spreading-15" or "spreading-50".
    features : {"components", "few", "many", "clusters", "rows"}, default="components"
        Whitened principal components with 95 % of the variance, of sparse rows 100 dimensions of a singular value
        decomposition; few of them (80 %, or 30); many (normal scores of all columns, or 200); components and the
        nearness to 60 clusters; or the rows as they are.
    max_rows : int, default=2000
        At most so many unlabeled rows teach; all can be asked about.

    Attributes
    ----------
    estimator_ : classifier
        The fitted classifier.
    view_ : transformer
        The fitted features.
    classes_, n_features_in_, feature_names_in_
        The class labels, the number of features, and their names if X has names that are strings.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_digits
    >>> from foldless.learners import PoolFeatures
    >>> X, y = load_digits(return_X_y=True)
    >>> y_known = np.where(np.arange(len(y)) < 100, y, -1)
    >>> PoolFeatures("logistic", features="few").fit(X, y_known).score(X[100:], y[100:]) > 0.8
    True
    """

    semi_supervised: ClassVar[bool] = True
    batch_over: ClassVar[frozenset[str]] = frozenset({"estimator", "features", "rows", "unlabeled"})
    independent: ClassVar[bool] = True
    of_row_sets: ClassVar[bool] = True

    def __init__(self, estimator: Any = "logistic", features: ViewName = "components", *, max_rows: int = 2000):
        self.estimator = estimator
        self.features = features
        self.max_rows = max_rows

    def fit(self, X: Any, y: Any) -> "PoolFeatures":
        """Learn features from all rows, and the classifier from those with a label; −1 marks the others."""
        check_missing(y)
        X, y = validate_data(self, X, y, accept_sparse="csr")
        labels = partial_labels(y, type(self).__name__)
        codes = np.full(X.shape[0], UNLABELED)
        codes[labels.labeled] = labels.codes
        shared = _SharedRows(X, np.arange(X.shape[0]), int(self.max_rows))
        return self._around(*shared.fit(self.features, self.estimator, codes), labels.classes)

    @_has("predict_proba")
    def predict_proba(self, X: Any) -> Array:
        """Probabilities of the classes, of shape (n, K)."""
        features = self._features(X)  # first, as it says what is not fitted
        return np.asarray(self.estimator_.predict_proba(features))

    @_has("decision_function")
    def decision_function(self, X: Any) -> Array:
        """Scores of the classes, of shape (n, K), or (n,) for two classes."""
        features = self._features(X)  # first, as it says what is not fitted
        return np.asarray(self.estimator_.decision_function(features))

    def predict(self, X: Any) -> Array:
        """The labels that the classifier predicts."""
        features = self._features(X)  # first, as it says what is not fitted
        return np.asarray(self.classes_[self.estimator_.predict(features)])

    def answer_batch(self, blocks: Sequence[Any], members: Sequence[Member]) -> list[Answered]:
        """Learn the features of each set of rows once, for later batches on these blocks too; answer all members."""
        start = time.perf_counter()
        if getattr(self, "_blocks", None) is not blocks:
            self._blocks, self._shared = blocks, dict[tuple[int, bytes], _SharedRows]()
            self._matrices = [validate_data(clone(self), block, accept_sparse="csr") for block in blocks]
            self.shared_seconds = time.perf_counter() - start
        matrices, shared = self._matrices, self._shared
        answered = []
        for member in members:
            block = member.train.block
            labeled = _positions(member.train, matrices)
            others = np.empty(0, dtype=np.intp) if member.unlabeled is None else _positions(member.unlabeled, matrices)
            rows = np.unique(np.concatenate([labeled, others]))
            key = block, rows.tobytes()
            if key not in shared:
                shared[key] = _SharedRows(matrices[block], rows, int(self.max_rows), block)
            classes, codes_of_labeled = np.unique(member.y, return_inverse=True)
            codes = np.full(matrices[block].shape[0], UNLABELED)
            codes[labeled] = codes_of_labeled
            features, estimator = member.params["features"], member.params["estimator"]
            view, fitted = shared[key].fit(features, estimator, codes[rows])
            answers = tuple(
                shared[key].answer(view, fitted, question.part, matrices, question.response, classes)
                for question in member.questions
            )
            model = None
            if member.keep:
                model = clone(self).set_params(features=features, estimator=clone(estimator, safe=False))
                validate_data(model, blocks[block], reset=True, skip_check_array=True)
                model._around(view, fitted, classes)
            answered.append(Answered(answers, classes, model))
        self.shared_seconds += sum(each.take_seconds() for each in shared.values())
        return answered

    def on_features(self) -> "OnFeatures":
        """The classifier alone, which answers for rows that have been transformed by ``view_`` already."""
        check_is_fitted(self)
        return OnFeatures(self.estimator_, self.classes_)

    def _around(self, view: TaughtView, fitted: Any, classes: Array) -> "PoolFeatures":
        self.view_, self.estimator_, self.classes_ = view, fitted, classes
        return self

    def _features(self, X: Any) -> Any:
        check_is_fitted(self)
        return self.view_.transform(validate_data(self, X, reset=False, accept_sparse="csr"))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = get_tags(learner(self.estimator)).classifier_tags.multi_class
        return tags


class OnFeatures:
    """A fitted classifier of class codes with the classes of the user, for rows that are features already."""

    def __init__(self, estimator: Any, classes: Array):
        self.estimator_, self.classes_ = estimator, classes

    def predict(self, X: Any) -> Array:
        """The labels that the classifier predicts."""
        return np.asarray(self.classes_[self.estimator_.predict(X)])

    def __getattr__(self, name: str) -> Any:
        if name in RESPONSES.values() and "estimator_" in self.__dict__:
            return getattr(self.estimator_, name)
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")


class _TaughtRows:
    """A set of rows, views of them, and graphs of each view."""

    def __init__(self, rows: Any):
        self.rows, self.taught = rows, Taught(rows)
        self.views: dict[str, tuple[TaughtView, Any]] = {}
        self.graphs: dict[tuple[str, int, bytes], NeighborGraph] = {}
        self.nearest: dict[tuple[str, int, bytes], NearestRows] = {}

    @classmethod
    def of(cls, rows: Any) -> "_TaughtRows":
        """What resamples of a search have learned from rows with this content, for its fits on all labels too."""
        if rows.shape[0] > MAX_KEPT:
            return cls(rows)
        parts = (rows.data, rows.indices, rows.indptr) if sparse.issparse(rows) else (np.ascontiguousarray(rows),)
        key = digest(str(rows.shape), *(part.tobytes() for part in parts))
        known: _TaughtRows = TAUGHT.recalled(key, lambda: cls(rows))
        return known


class _SharedRows:
    """What fits on parts of the labels of a set of rows share, also of rows that they are asked about."""

    def __init__(self, X: Any, rows: Array, max_rows: int, block: int = 0):
        start = time.perf_counter()
        self._max_rows = max_rows
        self._block = block if len(rows) == X.shape[0] else None  # where these rows, and no others, are
        self._known = _TaughtRows.of(X[rows])
        self._asked: dict[tuple[str, int], Any] = {}
        self._near: dict[tuple[int, str, int, bytes], Array] = {}
        self._seconds = time.perf_counter() - start

    def take_seconds(self) -> float:
        """The seconds that went into what is shared since the last time."""
        seconds, self._seconds = self._seconds, 0.0
        return seconds

    def _timed(self, known: dict[Any, Any], key: Any, make: Callable[[], Any]) -> Any:
        """What is known by a key, or is made now."""
        if key not in known:
            start = time.perf_counter()
            known[key] = make()
            self._seconds += time.perf_counter() - start
        return known[key]

    def _view(self, name: ViewName) -> tuple[TaughtView, Any]:
        learned = TaughtView(name).fit_on(self._known.taught)
        return learned, learned.transform(self._known.rows)

    def fit(self, name: ViewName, estimator: Any, codes: Array) -> tuple[TaughtView, Any]:
        """A view, and a copy of the classifier that is trained on class codes of these rows."""
        view, features = self._timed(self._known.views, name, lambda: self._view(name))
        fitted, labeled = learner(estimator), np.flatnonzero(codes != UNLABELED)
        of_sklearn = type(fitted).__module__.startswith("sklearn.semi_supervised")
        if not (of_sklearn or getattr(fitted, "semi_supervised", False)):
            return view, _forest_growth.fit(fitted, features[labeled], codes[labeled])
        order = self._known.taught.order
        unlabeled = order[codes[order] == UNLABELED][: self._max_rows]
        kept = np.sort(np.concatenate([labeled, unlabeled]))
        if not isinstance(fitted, NeighborSpreading):
            return view, fitted.fit(features[kept], codes[kept])
        key = name, fitted.n_neighbors, kept.tobytes()
        nearest = self._nearest_rows(name, kept, features, fitted.n_neighbors)
        graph = self._timed(self._known.graphs, key, lambda: fitted.graph(features[kept], nearest))
        return view, fitted.fit(features[kept], codes[kept], graph)

    def _nearest_rows(self, name: ViewName, kept: Array, features: Any, n_neighbors: int) -> NearestRows | None:
        """The nearest rows of each row in a view, for all numbers of neighbors up to some; None if rows are fewer."""
        n_nearest = max(WIDEST, n_neighbors) + 2  # itself, and one behind the last
        if n_nearest > len(kept):
            return None
        key = name, n_nearest, kept.tobytes()
        nearest: NearestRows = self._timed(self._known.nearest, key, lambda: NearestRows.of(features[kept], n_nearest))
        return nearest

    def _neighbors(self, view: TaughtView, fitted: NeighborSpreading, part: Part, asked: Any) -> Array:
        """The neighbors of rows that are asked about, which are known where all these rows are in the graph."""
        if part.block == self._block and fitted.index_.n_samples_fit_ == self._known.rows.shape[0]:
            kept = np.arange(self._known.rows.shape[0])
            nearest = self._nearest_rows(view.name, kept, self._known.views[view.name][1], fitted.n_neighbors)
            first = None if nearest is None else nearest.first(fitted.index_.n_neighbors)
            if first is not None:
                return first if part.rows is None else first[part.rows]
        key = id(fitted.index_), view.name, part.block, b"" if part.rows is None else part.rows.tobytes()
        return np.asarray(self._timed(self._near, key, lambda: fitted.neighbors(asked)))

    def answer(
        self, view: TaughtView, fitted: Any, part: Part, matrices: Sequence[Any], response: str, classes: Array
    ) -> Array:
        """What a fit says of some rows of a block."""
        if part.block == self._block:
            features = self._known.views[view.name][1]
        else:
            key = view.name, part.block
            features = self._timed(self._asked, key, lambda: view.transform(matrices[part.block]))
        asked = features if part.rows is None else features[part.rows]
        if isinstance(fitted, NeighborSpreading):
            answer = fitted.of_neighbors(self._neighbors(view, fitted, part, asked))
            answer = answer if response == "probabilities" else fitted.classes_[answer.argmax(axis=1)]
        else:
            answer = _forest_growth.respond(fitted, asked, RESPONSES[response])
        return np.asarray(classes[answer] if response == "labels" else answer)


def _positions(part: Part, matrices: Sequence[Any]) -> Array:
    return np.arange(matrices[part.block].shape[0]) if part.rows is None else np.asarray(part.rows)
