"""Arrays that do not agree are found before a model predicts; what was trained passes; a file starts no processes."""

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import sparse
from sklearn.cluster import DBSCAN, KMeans
from sklearn.ensemble import (
    BaggingClassifier,
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    IsolationForest,
    RandomForestClassifier,
)
from sklearn.feature_extraction import DictVectorizer, FeatureHasher
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, StandardScaler
from sklearn.svm import SVC, NuSVC
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import all_estimators

from foldless import FoldlessSearch
from foldless.online import NEMSIS, SCAN
from foldless.saving import checks, model_files
from foldless.saving._trusted import PLAIN, RejectedPart, fault_of, harness

rng = np.random.default_rng(0)
Y = np.arange(60) % 3
X = np.abs(rng.normal(size=(60, 4)) + Y[:, None])
SPARSE = sparse.csr_matrix(X)
WORDS = ["one two", "two three", "three four five"]


def forged(model: Any, **changes: Any) -> Any:
    """A fitted model with other attributes."""
    for name, value in changes.items():
        model.__dict__[name] = value
    return model


def boosting(**changes: Any) -> Any:
    return forged(GradientBoostingClassifier(n_estimators=2, max_depth=1).fit(X, Y), **changes)


def histogram(**changes: Any) -> Any:
    return forged(HistGradientBoostingClassifier(max_iter=2, min_samples_leaf=5).fit(X, Y), **changes)


def machine(data: Any = X, kernel: str = "rbf", **changes: Any) -> Any:
    return forged(SVC(kernel=kernel).fit(data, Y), **changes)


def neighbors(**changes: Any) -> Any:
    return forged(KNeighborsClassifier(algorithm="brute").fit(X, Y), **changes)


def one_hot(**changes: Any) -> Any:
    return forged(OneHotEncoder(min_frequency=2).fit(Y[:, None]), **changes)


def stream(learner: Any, **changes: Any) -> Any:
    model = learner.fit(X, Y)
    model._state.update(changes)
    return model


def guess(**changes: Any) -> Any:
    model = boosting()
    forged(model.init_, **changes)
    return model


def binned() -> Any:
    model = histogram()
    model._bin_mapper.is_categorical_ = np.ones(4, np.uint8)
    return model


def one_tree_twice() -> Any:
    """Two estimators with one tree, which one of them gives rows that are too narrow."""
    wide, narrow = DecisionTreeClassifier().fit(X, Y), DecisionTreeClassifier().fit(X[:, :2], Y)
    narrow.tree_ = wide.tree_
    return BaggingClassifier(wide, n_estimators=2).fit(X, Y), forged(make_pipeline(wide, narrow), spare=wide)


def random_state(position: int) -> Any:
    state = np.random.RandomState(0)
    state.set_state({**state.get_state(legacy=False), "state": {"key": np.zeros(624, np.uint32), "pos": position}})
    return MLPClassifier(random_state=state)


def bit_column() -> Any:
    model = machine(SPARSE)
    model.support_vectors_ = sparse.coo_matrix(model.support_vectors_)
    return model


FORGED: dict[str, tuple[Callable[[], Any], str]] = {
    "more trees than columns": (lambda: boosting(init_="zero", n_trees_per_iteration_=1), "GradientBoostingClassifier"),
    "no trees": (lambda: boosting(estimators_=np.empty((0, 3), object)), "GradientBoostingClassifier"),
    "a loss of two classes": (
        lambda: boosting(_loss=GradientBoostingClassifier(n_estimators=1).fit(X[Y < 2], Y[Y < 2])._loss),
        "GradientBoostingClassifier",
    ),
    "a first guess of two classes": (lambda: guess(class_prior_=np.ones(2)), "GradientBoostingClassifier"),
    "a first guess by another rule": (lambda: guess(_strategy="uniform"), "GradientBoostingClassifier"),
    "rows that are said to be binned": (lambda: histogram(_in_fit=True), "HistGradientBoostingClassifier"),
    "a preparation": (lambda: histogram(_preprocessor=StandardScaler()), "HistGradientBoostingClassifier"),
    "bins of categories": (binned, "HistGradientBoostingClassifier"),
    "counts that are too large": (
        lambda: machine(SPARSE, _n_support=np.array([2**30, 2**30, 2**31 - 7], np.int32)), "SVC"
    ),
    "counts that wrap around": (
        lambda: machine(SPARSE, _n_support=np.array([2**31 - 1, 2**31 - 1, 62], np.int32)), "SVC"
    ),
    "fewer coefficients": (lambda: machine(_dual_coef_=np.zeros((2, 3))), "SVC"),
    "a sparse matrix without its zeros": (lambda: machine(SPARSE, _dual_coef_=sparse.csr_matrix((2, 60))), "SVC"),
    "narrow support vectors": (lambda: machine(support_vectors_=machine().support_vectors_[:, :1].copy()), "SVC"),
    "a column of a kernel that is not there": (
        lambda: machine(X @ X.T, "precomputed", support_=np.full(len(machine(X @ X.T, "precomputed").support_), 10**6)),
        "SVC",
    ),
    "a kernel that it was not fitted with": (lambda: forged(machine(), kernel="precomputed"), "SVC"),
    "too few intercepts": (lambda: machine(_intercept_=np.zeros(1)), "SVC"),
    "probabilities of no pair": (lambda: machine(_probA=np.zeros(1), _probB=np.zeros(1)), "SVC"),
    "dense and said to be sparse": (lambda: machine(_sparse=True), "SVC"),
    "another sparse format": (bit_column, "coo_matrix"),
    "narrow points": (lambda: neighbors(_fit_X=X[:, :2].copy()), "KNeighborsClassifier"),
    "fewer points": (lambda: neighbors(_fit_X=X[:5].copy()), "KNeighborsClassifier"),
    "classes that are not there": (lambda: neighbors(_y=np.full(60, 10**6)), "KNeighborsClassifier"),
    "fewer classes than points": (lambda: neighbors(_y=Y[:5]), "KNeighborsClassifier"),
    "a distance that is no name": (lambda: neighbors(effective_metric_=np.add), "KNeighborsClassifier"),
    "fewer columns than categories": (lambda: one_hot(_n_features_outs=[1]), "OneHotEncoder"),
    "categories in no order": (lambda: one_hot(categories_=[np.array([2, 0, 1])]), "OneHotEncoder"),
    "a category of another column": (
        lambda: one_hot(_infrequent_indices=[np.array([0])], _default_to_infrequent_mappings=[np.array([9, 0, 1])]),
        "OneHotEncoder",
    ),
    "a dropped category that is not there": (
        lambda: one_hot(_drop_idx_after_grouping=np.array([7], object), _n_features_outs=[2]), "OneHotEncoder"
    ),
    "a word of a far column": (
        lambda: forged(CountVectorizer().fit(WORDS), vocabulary_={"one": 0, "two": 10**8}), "CountVectorizer"
    ),
    "a word before all columns": (
        lambda: forged(TfidfVectorizer().fit(WORDS), vocabulary_={"one": 0, "two": -9}), "TfidfVectorizer"
    ),
    "a key of a far column": (
        lambda: forged(DictVectorizer().fit([{"a": 1}]), vocabulary_={"a": 10**8}), "DictVectorizer"
    ),
    "no hashed column": (lambda: forged(FeatureHasher(4), n_features=0), "FeatureHasher"),
    "narrow centers": (
        lambda: forged(KMeans(2, n_init=1).fit(X), cluster_centers_=np.zeros((2, 1))), "KMeans"
    ),
    "a state of fewer features": (lambda: stream(NEMSIS(), weights=np.zeros((3, 3, 1), np.float32)), "NEMSIS"),
    "a state without averages": (lambda: stream(SCAN(), weights=np.zeros((3, 1, 32), np.float32)), "SCAN"),
    "a state of other numbers": (lambda: stream(NEMSIS(), scalars=np.zeros((3, 2))), "NEMSIS"),
    "a tree of two estimators": (lambda: list(one_tree_twice()), "Tree"),
    "a position behind the state": (lambda: random_state(10**6), "RandomState"),
    "an attribute for a method": (
        lambda: forged(DecisionTreeClassifier().fit(X, Y), _validate_X_predict=np.positive), "DecisionTreeClassifier"
    ),
    "another libsvm": (lambda: machine(_impl="epsilon_svr"), "SVC"),
    "a class for a function": (lambda: FunctionTransformer(DecisionTreeClassifier), "type"),
}  # fmt: skip


@pytest.mark.parametrize("name", FORGED)
def test_arrays_that_do_not_agree_are_found(name: str) -> None:
    make, part = FORGED[name]
    fault = fault_of(make())
    assert fault is not None
    assert (fault.checked, fault.part.rpartition(".")[2]) in ((True, part), (True, "ABCMeta"))


@pytest.mark.parametrize("model", [IsolationForest(), DBSCAN()])
def test_types_that_nobody_checks_are_not_trusted(model: Any) -> None:
    name = f"{type(model).__module__}.{type(model).__name__}"
    assert fault_of(make_pipeline(StandardScaler(), model)) == RejectedPart(name, checked=False)


@pytest.mark.parametrize(
    "model",
    [
        boosting(), GradientBoostingClassifier(n_estimators=2, init="zero").fit(X, Y == 1), histogram(), machine(),
        machine(SPARSE), machine(X @ X.T, "precomputed"), NuSVC(nu=0.2).fit(X, Y), SVC(), neighbors(),
        KNeighborsClassifier().fit(SPARSE, Y), one_hot(), OneHotEncoder(drop="if_binary").fit(Y[:, None] > 0),
        OneHotEncoder(max_categories=2, drop="first").fit(np.array([["a"], ["b"], ["c"], ["c"]], object)),
        OneHotEncoder(handle_unknown="ignore").fit([[1.0, "a"], [np.nan, "b"]]), CountVectorizer().fit(WORDS),
        TfidfVectorizer().fit(WORDS), DictVectorizer().fit([{"a": 1, "b": "c"}]), FeatureHasher(4),
        KMeans(2, n_init=1).fit(X), stream(NEMSIS()), stream(SCAN()), NEMSIS(), random_state(624),
        BaggingClassifier(max_features=0.5, n_estimators=2).fit(X, Y),
        RandomForestClassifier(2).fit(X, np.column_stack([Y, Y])),
    ],
)  # fmt: skip
def test_what_was_trained_passes(model: Any) -> None:
    assert fault_of(model) is None
    assert fault_of(copy.deepcopy(model)) is None


def test_the_names_of_checked_types_are_those_of_this_scikit_learn() -> None:
    here = {f"{kind.__module__}.{kind.__qualname__}" for _, kind in all_estimators()}
    assert {name for name in checks.CHECKS if name.startswith("sklearn.")} <= here
    used = [prefix for prefix in PLAIN if any(name.removeprefix("sklearn.").startswith(prefix) for name in here)]
    assert set(PLAIN) - set(used) == {
        "_loss.",
        "ensemble._hist_gradient_boosting.binning.",
        "metrics._dist_metrics.",
    }  # parts


@pytest.mark.slow
def test_the_caller_says_how_many_processes_predict(tmp_path: Path) -> None:
    model = BaggingClassifier(GaussianNB(), n_estimators=2)
    search = FoldlessSearch(model, {}, criterion="k_fold", random_state=0, estimate=False).fit(X, Y)
    search.selection_.model.n_jobs = 32
    model_files.save(search.selection_, tmp_path / "m.skops")
    loaded = model_files.load(tmp_path / "m.skops").model
    assert loaded.n_jobs is None
    np.testing.assert_array_equal(loaded.predict(X), search.predict(X))
    centers = harness(make_pipeline(forged(KMeans(2, n_init=1).fit(X), _n_threads=10**6)))
    assert centers[0]._n_threads == 1
