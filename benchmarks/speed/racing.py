"""The race of ``auto`` against GridSearchCV, folds and HalvingRandomSearchCV, in seconds; run by ``run.py``."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import loguniform, randint
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, HalvingRandomSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier

from benchmarks.measuring import best_times
from foldless import FoldlessSearch, learners

MIXED: dict[str, tuple[Any, dict[str, Any]]] = {
    "svm": (LinearSVC(max_iter=5000, random_state=0), {"C": list(10.0 ** np.arange(-4, 4))}),
    "logistic": (LogisticRegression(max_iter=500), {"C": list(10.0 ** np.arange(-4, 4))}),
    "rbf": (SVC(random_state=0), {"C": [0.1, 1, 10, 100], "gamma": [0.001, 0.01, 0.1, 1]}),
    "knn": (KNeighborsClassifier(), {"n_neighbors": [1, 3, 5, 9, 15, 25]}),
    "nb": (GaussianNB(), {"var_smoothing": [1e-9, 1e-4, 1e-2, 0.1, 1]}),
    "forest": (RandomForestClassifier(random_state=0), {"min_samples_leaf": [1, 2, 3, 5, 8, 20]}),
    "tree": (DecisionTreeClassifier(random_state=0), {"max_depth": [1, 2, 4, 8, None]}),
}


def data(n: int, pool: int, classes: int = 3, seed: int = 0) -> tuple[Any, Any, Any]:
    """Labeled rows, their labels, and a pool."""
    X, y = make_classification(
        n + pool, 20, n_informative=8, n_classes=classes, class_sep=1.0, flip_y=0.05, random_state=seed
    )
    return X[:n], y[:n], X[n:]


def auto_mixed(_: Path) -> None:
    """54 candidates of seven families at 200 labels take at most 0.7 of GridSearchCV's time, with 1 and 2 jobs."""
    X, y, pool = data(200, 1000)
    grids = [{"model": [clone(m)], **{f"model__{k}": v for k, v in grid.items()}} for m, grid in MIXED.values()]
    for n_jobs in (1, 2):
        ours = FoldlessSearch(MIXED, n_jobs=n_jobs, random_state=0)
        theirs = GridSearchCV(Pipeline([("model", GaussianNB())]), grids, cv=5, n_jobs=n_jobs)
        _print(f"{n_jobs} jobs", lambda: ours.fit(X, y, X_unlabeled=pool), lambda: theirs.fit(X, y), ours)  # noqa: B023


def auto_linear(_: Path) -> None:
    """A race of linear paths takes at most as long as quantification_bound and 5-fold together."""
    for learner in (learners.LinearSVC(), learners.LogisticRegression()):
        for classes, n in ((3, 200), (20, 2000)):
            sides = [_path(learner, criterion, classes, n) for criterion in ("auto", "k_fold", "quantification_bound")]
            auto, folds, bound = best_times(sides, 3)
            print(
                f"  {type(learner).__name__}, {classes} classes, {n} labels: auto {auto:.2f} s, 5-fold {folds:.2f} s, "
                f"bound {bound:.2f} s, ratio to both {auto / (folds + bound):.2f}"
            )


def _path(learner: Any, criterion: str, classes: int, n: int) -> Callable[[], Any]:
    """A search along a path of C, compiled already."""
    X, y, pool = data(n, 4000, classes)
    search = FoldlessSearch(learner, {"C": np.logspace(-4, 3, 8)}, criterion=criterion, random_state=0)
    search.fit(X, y, X_unlabeled=pool)
    return lambda: search.fit(X, y, X_unlabeled=pool)


def auto_many(_: Path) -> None:
    """1,000 random candidates at 2,000 labels, against HalvingRandomSearchCV: seconds and accuracy on 5,000 rows."""
    X, y, rest = data(2000, 7000, seed=1)
    _, truth, _ = data(9000, 0, seed=1)
    pool, test, truth = rest[:2000], rest[2000:], truth[4000:]
    space = {"max_depth": randint(1, 30), "min_samples_leaf": randint(1, 60), "ccp_alpha": loguniform(1e-6, 1e-1)}
    tree = DecisionTreeClassifier(random_state=0)
    ours = FoldlessSearch(tree, space, n_iter=1000, n_jobs=2, random_state=0)
    theirs = HalvingRandomSearchCV(tree, space, n_candidates=1000, n_jobs=2, random_state=0)
    _print("trees", lambda: ours.fit(X, y, X_unlabeled=pool), lambda: theirs.fit(X, y), ours, repeats=1)
    print(f"  accuracy: auto {ours.score(test, truth):.4f}, HalvingRandomSearchCV {theirs.score(test, truth):.4f}")


def _print(
    what: str, ours: Callable[[], Any], theirs: Callable[[], Any], search: FoldlessSearch, repeats: int = 3
) -> None:
    a, b = best_times([ours, theirs], repeats)
    print(f"  {what}: {a:.2f} s ({search.selection_.n_fits.run} fits) against {b:.2f} s, ratio {a / b:.2f}")


BENCHMARKS: dict[str, Callable[[Path], None]] = {
    "auto_mixed": auto_mixed,
    "auto_linear": auto_linear,
    "auto_many": auto_many,
}
