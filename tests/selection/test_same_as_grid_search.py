"""FoldlessSearch beside GridSearchCV on seeded cases: classifier × labels × scorer × splitter × weights × container.

Choices, every column of ``cv_results_`` but times, ``score`` and predictions must be the same. Two things differ on
purpose, and only where `reason` finds them in the data: a fit on one class is a constant classifier here and fails
there, and a metric of probabilities that lacks a class in a split is computed on all answers together.
"""

import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.metrics import accuracy_score, f1_score, make_scorer, recall_score
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    KFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    TimeSeriesSplit,
    check_cv,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier
from tests.helpers.weighted_scores import needs_weighted_scores

from foldless import FoldlessSearch

CHUNK, CHUNKS = 50, 22


def reads_features(model, X, y):
    """What a wrong prediction costs is the size of its first feature."""
    first = (
        X.iloc[:, 0].to_numpy()
        if hasattr(X, "iloc")
        else np.asarray([row[0] for row in X])
        if isinstance(X, list)
        else X[:, [0]]
    )
    first = first.toarray().ravel() if sparse.issparse(first) else np.ravel(first)
    return -float(np.abs(first[np.asarray(model.predict(X)) != np.asarray(y)]).sum())


def several(model, X, y):
    predicted = model.predict(X)
    return {
        "right": accuracy_score(y, predicted),
        "found": recall_score(y, predicted, average="macro", zero_division=0),
    }


def least(results):
    return int(np.argmin(results[next(key for key in results if key.startswith("mean_test_"))]))


CLASSIFIERS = {
    "logistic": (LogisticRegression(max_iter=50), {"C": [0.01, 1.0]}),
    "bayes": (GaussianNB(), {"var_smoothing": [1e-9, 3.0]}),
    "tree": (DecisionTreeClassifier(random_state=0), [{"max_depth": [1]}, {"min_samples_leaf": [2, 9]}]),
    "neighbors": (KNeighborsClassifier(), {"n_neighbors": [4], "weights": ["uniform", "distance"]}),
    "linear svm": (LinearSVC(random_state=0, max_iter=50), {"C": [0.01, 1.0]}),
    "svm": (SVC(), {"C": [0.1, 5.0]}),
    "ridge": (RidgeClassifier(), {"alpha": [0.1, 500.0]}),
    "pipeline": (
        make_pipeline(StandardScaler(), LogisticRegression(max_iter=50)),
        {"logisticregression__C": [0.01, 1.0]},
    ),
}
DENSE = {"bayes", "pipeline"}
WITHOUT_PROBABILITIES = {"linear svm", "svm", "ridge"}
LABELS = {
    2: ([0, 1], ["no", "yes"], [-1, 1], [0.0, 1.0], [False, True], [7, 3]),
    3: ([0, 1, 2], ["a", "b", "c"], [-1, 0, 1], [1.0, 2.0, 4.0], [30, 10, 20]),
}
OF_LABELS = (None, "accuracy", "f1_macro", "balanced_accuracy", "matthews_corrcoef", "recall_weighted")
SPLITTERS = (
    2,
    3,
    StratifiedKFold(3, shuffle=True, random_state=1),
    KFold(2),
    ShuffleSplit(2, random_state=2),
    RepeatedStratifiedKFold(n_splits=2, n_repeats=2, random_state=3),
    TimeSeriesSplit(2),
    GroupKFold(2),
    "list",
)


def drawn(seed: int) -> dict:
    """One case: data, the arguments of a search and those of fit."""
    rng = np.random.default_rng(seed)
    k = int(rng.choice([2, 2, 3]))
    X, codes = make_classification(
        int(rng.integers(30, 60)), 6, n_informative=4, n_classes=k, flip_y=0.15, random_state=seed
    )
    names = LABELS[k][rng.integers(len(LABELS[k]))]
    y = np.array(names)[codes]
    name = str(rng.choice(list(CLASSIFIERS)))
    splitter = SPLITTERS[rng.integers(len(SPLITTERS))]
    groups = rng.integers(0, 8, len(y)) if isinstance(splitter, GroupKFold) else None
    cv = list(KFold(3, shuffle=True, random_state=seed).split(X)) if splitter == "list" else splitter
    scoring, refit = _scoring(rng, k, name, names), bool(rng.integers(4))
    if isinstance(scoring, list | dict) or scoring is several:
        refit = "right" if scoring is several else next(iter(scoring))
    if rng.integers(8) == 0:
        refit = least
    weighted = rng.integers(3) == 0 and name != "neighbors" and not callable(scoring)
    fit = {} if groups is None else {"groups": groups}
    if weighted and name != "pipeline":
        fit["sample_weight"] = rng.uniform(0.2, 3, len(y))
    container = str(rng.choice(["array", "frame", "list", "sparse"]))
    if container == "sparse" and name in DENSE:
        container = "array"
    X = {
        "array": X,
        "frame": pd.DataFrame(X, columns=list("uvwxyz")),
        "list": X.tolist(),
        "sparse": sparse.csr_array(X),
    }[container]
    y = pd.Series(y) if container == "frame" else y.tolist() if container == "list" else y
    search = {"scoring": scoring, "cv": cv, "refit": refit, "return_train_score": bool(rng.integers(2))}
    return {"name": name, "X": X, "y": y, "search": search, "fit": fit}


def _scoring(rng, k, name, names):
    kinds = ["labels", "labels", "ranks", "made", "model", "list", "dict"]
    kind = str(rng.choice(kinds))
    if kind == "ranks" and name in WITHOUT_PROBABILITIES:
        return "roc_auc" if k == 2 else "f1_micro"
    if kind == "ranks":
        return str(
            rng.choice(["roc_auc", "neg_log_loss"] if k == 2 else ["roc_auc_ovr", "neg_log_loss", "roc_auc_ovo"])
        )
    if kind == "made":
        return (
            make_scorer(f1_score, pos_label=names[0], zero_division=0)
            if k == 2
            else make_scorer(f1_score, average="macro")
        )
    if kind == "model":
        return (reads_features, several)[rng.integers(2)]
    if kind == "list":
        return ["accuracy", "f1_macro"]
    if kind == "dict":
        return {"a": "balanced_accuracy", "b": make_scorer(accuracy_score)}
    return OF_LABELS[rng.integers(len(OF_LABELS))]


def reason(case: dict) -> str:
    """Why the two may differ, or nothing."""
    y, search = np.asarray(case["y"]), case["search"]
    splits = list(check_cv(search["cv"], y, classifier=True).split(np.zeros((len(y), 1)), y, case["fit"].get("groups")))
    classes = len(np.unique(y))
    if any(len(np.unique(y[train])) < 2 for train, _ in splits):
        return "a fit on one class"
    if any(len(np.unique(y[part])) < classes for split in splits for part in split) and str(
        search["scoring"]
    ).startswith(("roc", "neg_log")):
        return "a metric of probabilities lacks a class"
    return ""


def run(kind, case, **more):
    estimator, grid = CLASSIFIERS[case["name"]]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return kind(clone(estimator), grid, **case["search"], **more).fit(case["X"], case["y"], **case["fit"])


def differences(case: dict) -> list[str]:
    """What differs between the two searches."""
    theirs = run(GridSearchCV, case)
    ours = run(FoldlessSearch, case, unlabeled=None, estimate=False, random_state=0)
    found = [f"keys: {sorted(set(ours.cv_results_) ^ set(theirs.cv_results_))}"]
    found = [] if set(ours.cv_results_) == set(theirs.cv_results_) else found
    for key, column in theirs.cv_results_.items():
        if "_time" in key or key not in ours.cv_results_:
            continue
        if key == "params" or column.dtype == object:
            same = list(column) == list(ours.cv_results_[key])
        else:
            same = np.allclose(column, ours.cv_results_[key], rtol=1e-9, atol=1e-12, equal_nan=True)
        found += [] if same else [f"{key}: {ours.cv_results_[key]} for {column}"]
    for name in ("best_index_", "best_params_", "n_splits_", "multimetric_"):
        if getattr(theirs, name, None) != getattr(ours, name, None):
            found.append(f"{name}: {getattr(ours, name, None)} for {getattr(theirs, name, None)}")
    if not np.isclose(getattr(ours, "best_score_", 0), getattr(theirs, "best_score_", 0), equal_nan=True):
        found.append(f"best_score_: {ours.best_score_} for {theirs.best_score_}")
    if case["search"]["refit"]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            scores = not callable(case["search"]["refit"]) or not ours.multimetric_
            if scores and not np.isclose(ours.score(case["X"], case["y"]), theirs.score(case["X"], case["y"])):
                found.append("score")
            if (np.asarray(ours.predict(case["X"])) != np.asarray(theirs.predict(case["X"]))).any():
                found.append("predict")
    return found


def compared(seeds) -> tuple[list[str], int]:
    """The differences without a reason, and the number of cases with one."""
    unexplained, explained = [], 0
    for seed in seeds:
        case = drawn(seed)
        if reason(case):
            explained += 1
            continue
        if found := differences(case):
            unexplained.append(f"{seed} {case['name']} {case['search']} {list(case['fit'])}: {found}")
    return unexplained, explained


@pytest.mark.slow
@needs_weighted_scores
def test_a_dozen_searches_are_those_of_grid_search():
    unexplained, explained = compared(range(12))
    assert unexplained == []
    assert explained <= 2


@pytest.mark.nightly
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_a_thousand_searches_are_those_of_grid_search(chunk):
    unexplained, explained = compared(range(chunk * CHUNK, (chunk + 1) * CHUNK))
    assert unexplained == []
    assert explained <= CHUNK // 5  # so that at least a thousand are compared
