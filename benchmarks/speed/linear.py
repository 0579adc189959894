"""Linear paths against scikit-learn, on the data sets of a folder; run by ``run.py``."""

import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import sklearn.linear_model
import sklearn.svm
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_extraction.text import TfidfTransformer, TfidfVectorizer
from sklearn.model_selection import GridSearchCV
from sklearn.multiclass import OneVsRestClassifier

from benchmarks.measuring import best_time
from benchmarks.papers.balikas2015.sets import lshtc_counts
from benchmarks.records import read
from foldless import FoldlessSearch
from foldless.learners import LinearSVC, LogisticRegression

COSTS = np.logspace(-4, 3, 8)
Split = tuple[Any, Any, Any, Any, Any]


def svm_many(data: Path) -> None:
    """830 classes (lshtc1_dryrun task 2, 2,000 labeled, 3,000 in the pool): at least 15 times faster, same quality."""
    _selection(lambda seed: lshtc(data, seed), LinearSVC(), sklearn.svm.LinearSVC(), "C", draws=5)


def svm_few(data: Path) -> None:
    """20 classes (newsgroups20, 2,000 labeled, 8,000 in the pool): at least 12 times faster."""
    _selection(lambda seed: newsgroups(data, seed), LinearSVC(), sklearn.svm.LinearSVC(), "C", draws=1)


def logistic_many(data: Path) -> None:
    """830 classes, logistic regression: at least 10 times faster."""
    theirs = OneVsRestClassifier(sklearn.linear_model.LogisticRegression(solver="liblinear"))
    _selection(lambda seed: lshtc(data, seed), LogisticRegression(), theirs, "estimator__C", draws=1)


def logistic_few(data: Path) -> None:
    """20 classes, logistic regression: at least 6 times faster."""
    theirs = OneVsRestClassifier(sklearn.linear_model.LogisticRegression(solver="liblinear"))
    _selection(lambda seed: newsgroups(data, seed), LogisticRegression(), theirs, "estimator__C", draws=1)


def single_fits(data: Path) -> None:
    """One fit at C=1, to the same objective: 3 times faster at 830 classes, never slower at 2."""
    X, y, *_ = newsgroups(data, 0)
    two = np.isin(y, np.unique(y)[:2])
    rng = np.random.default_rng(0)
    dense = rng.normal(size=(20_000, 20))
    problems = {
        "830 classes": lshtc(data, 0)[:2],
        "2 classes, text": (X[two], y[two]),
        "2 classes, 20,000 x 20 dense": (dense, (dense[:, 0] + rng.normal(size=20_000) > 0).astype(int)),
    }
    for name, (X, y) in problems.items():
        ours, theirs = (learner(tol=1e-4, random_state=0) for learner in (LinearSVC, sklearn.svm.LinearSVC))
        mine, his = (best_time(lambda model=model, X=X, y=y: model.fit(X, y), 20) for model in (ours, theirs))
        objectives = [_objective(model, X, y) for model in (ours, theirs)]
        print(
            f"  {name}: {mine * 1e3:.1f} ms against {his * 1e3:.1f} ms, {his / mine:.1f} times faster; "
            f"objective {objectives[0]:.6g} against {objectives[1]:.6g}"
        )


def memory(_: Path) -> None:
    """2,500 classes, 200,000 features, 20,000 rows, a pool of 40,000, the whole grid: peak under 3 GB."""
    code = (
        "import numpy as np, resource, time; from scipy import sparse; from foldless import FoldlessSearch;"
        "from foldless.learners import LinearSVC; rng = np.random.default_rng(0);"
        "y = np.arange(20000) % 2500;"
        "draw = lambda y: sparse.csr_matrix((rng.random(60 * len(y)) + .1, np.c_[(y[:, None] * 79 + rng.integers(200,"
        " size=(len(y), 20))) % 200000, rng.zipf(1.3, (len(y), 40)) % 200000].ravel().astype(np.int32),"
        " np.arange(0, 60 * len(y) + 1, 60)), shape=(len(y), 200000));"
        "X, pool = draw(y), draw(np.arange(40000) % 2500); start = time.perf_counter();"
        "path = {'C': np.logspace(-4, 3, 8)};"
        "s = FoldlessSearch(LinearSVC(), path, criterion='quantification_bound', random_state=0);"
        "s.fit(X, y, X_unlabeled=pool);"
        "peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20;"
        "print(f'  peak {peak:.2f} GB, {time.perf_counter() - start:.0f} s, {s.selection_.n_fits}, C {s.best_params_}')"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def growth(data: Path) -> None:
    """Time over classes and over nonzeros, 8-fold: exponent at most 1.15; doubling the grid costs less than double."""
    X, y, pool, *_ = lshtc(data, 0)
    classes, counts = np.unique(y, return_counts=True)
    frequent = classes[np.argsort(-counts)]
    rng = np.random.default_rng(0)

    def path(X: Any, y: Any, costs: Any, pool: Any) -> float:
        return best_time(
            lambda: FoldlessSearch(LinearSVC(), {"C": costs}, criterion="quantification_bound", random_state=0).fit(
                X, y, X_unlabeled=pool
            )
        )

    sizes = [100, 200, 400, 800]
    times = [
        path(X, np.where(np.isin(y, frequent[:k]), y, rng.choice(frequent[:k], len(y))), COSTS, pool) for k in sizes
    ]
    _exponent("classes", sizes, times)
    X, y, pool, *_ = newsgroups(data, 0, 8000, 2000)
    sizes = [1000, 2000, 4000, 8000]
    times = [path(X[:n], y[:n], COSTS, pool) for n in sizes]
    _exponent("nonzeros", [X[:n].nnz for n in sizes], times)
    passes = [max(LinearSVC(C=C, random_state=0).fit(X[:n], y[:n]).n_iter_ for C in COSTS[-2:]) for n in sizes]
    print(f"  passes at the two largest C: {dict(zip(sizes, passes, strict=True))}")
    once, twice = (path(X[:2000], y[:2000], np.logspace(-4, 3, n), pool) for n in (8, 16))
    print(f"  16 values of C in place of 8, in the same range: {twice / once:.2f} times as long")


def first_call(_: Path) -> None:
    """Import at most 0.5 s above sklearn.base and numba; a second process under 1 s before its first kernel runs."""
    code = (
        "import time; t = time.perf_counter(); import sklearn.base, numba; a = time.perf_counter(); import foldless;"
        "b = time.perf_counter(); import numpy as np; from foldless.learners import LinearSVC;"
        "X = np.eye(4); y = [0, 1, 0, 1]; c = time.perf_counter(); LinearSVC().fit(X, y); d = time.perf_counter();"
        "print(f'  import {b - a:.2f} s above {a - t:.2f} s; first fit in a new process {d - c:.2f} s')"
    )
    for _ in range(2):
        subprocess.run([sys.executable, "-c", code], check=True)


def _selection(draw: Callable[[int], Split], ours: Any, theirs: Any, key: str, draws: int) -> None:
    X, y, pool, X_test, y_test = draw(0)
    FoldlessSearch(ours, {"C": COSTS[:2]}, criterion="quantification_bound").fit(
        X[:300], y[:300], X_unlabeled=pool[:50]
    )  # compiles
    chosen: list[tuple[float, float]] = []
    for seed in range(draws):
        X, y, pool, X_test, y_test = draw(seed)
        mine = FoldlessSearch(ours, {"C": COSTS}, criterion="quantification_bound", n_jobs=2, random_state=0)
        his = GridSearchCV(theirs, {key: COSTS}, cv=5, n_jobs=2)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            fast = best_time(
                lambda mine=mine, X=X, y=y, pool=pool: mine.fit(X, y, X_unlabeled=pool), 3 if not seed else 1
            )
            slow = best_time(lambda his=his, X=X, y=y: his.fit(X, y), 1)
        chosen.append((mine.score(X_test, y_test), his.score(X_test, y_test)))
        print(
            f"  draw {seed}: {fast:.2f} s against {slow:.2f} s, {slow / fast:.1f} times faster; chose C="
            f"{mine.best_params_['C']:g} ({chosen[-1][0]:.4f}) against "
            f"C={his.best_params_[key]:g} ({chosen[-1][1]:.4f})"
        )
    mean = np.mean(chosen, axis=0)
    print(f"  mean accuracy of the choice over {draws} draws: {mean[0]:.4f} against {mean[1]:.4f}")
    for C in COSTS:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            other = theirs.set_params(**{key: C}).fit(X, y)
        stuck = any(issubclass(w.category, ConvergenceWarning) for w in caught)
        a, b = ours.set_params(C=C).fit(X, y).score(X_test, y_test), other.score(X_test, y_test)
        print(f"  C={C:g}: accuracy {a:.4f} against {b:.4f}{' (scikit-learn did not converge)' * stuck}")


def lshtc(data: Path, seed: int, n_labeled: int = 2000, n_pool: int = 3000) -> Split:
    """Short descriptions of web sites, 1,139 classes of which a draw of 2,000 holds about 830."""
    counts, y = lshtc_counts(data)
    return _split(TfidfTransformer(sublinear_tf=True).fit_transform(counts.astype(float)), y, seed, n_labeled, n_pool)


def newsgroups(data: Path, seed: int, n_labeled: int = 2000, n_pool: int = 8000) -> Split:
    """Messages of 20 newsgroups."""
    documents = read(data / "newsgroups20" / "20news_bydate.jsonl.gz")
    X = TfidfVectorizer(sublinear_tf=True).fit_transform([document["text"] for document in documents])
    return _split(X, np.array([document["label"] for document in documents]), seed, n_labeled, n_pool)


def _split(X: Any, y: Any, seed: int, n_labeled: int, n_pool: int) -> Split:
    order = np.random.default_rng(seed).permutation(len(y))
    labeled, pool, test = np.split(order, [n_labeled, n_labeled + n_pool])
    return X[labeled], y[labeled], X[pool], X[test], y[test]


def _objective(model: Any, X: Any, y: Any) -> float:
    scores = model.decision_function(X)
    scores = scores[:, None] if scores.ndim == 1 else scores
    signs = np.where(y[:, None] == model.classes_[-scores.shape[1] :], 1, -1)
    weights = model.coef_.toarray() if sparse.issparse(model.coef_) else model.coef_
    loss = np.sum(np.maximum(0, 1 - signs * scores) ** 2)
    return float(0.5 * (np.sum(weights**2) + np.sum(model.intercept_**2)) + loss)


def _exponent(what: str, sizes: list[int], times: list[float]) -> None:
    slope = np.polyfit(np.log(sizes), np.log(times), 1)[0]
    shown = ", ".join(f"{size}: {seconds:.2f} s" for size, seconds in zip(sizes, times, strict=True))
    print(f"  {what}: {shown}; exponent {slope:.2f}")


BENCHMARKS: dict[str, Callable[[Path], None]] = {
    function.__name__: function
    for function in (svm_many, svm_few, logistic_many, logistic_few, single_fits, memory, growth, first_call)
}
