"""Speed as ratios against a named peer, both measured in this run: ``python benchmarks/speed.py [NAME ...]``.

Each row prints foldless' wall time, the peer's, and the ratio. Warm-up before the clock, the best of a few repeats, the
two sides taking turns so that a busy machine hurts both.
"""

import argparse
import platform
import time
from collections.abc import Callable
from typing import Any

import joblib
import numpy as np
import sklearn
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression, RidgeClassifier

import foldless
from foldless import FoldlessSearch

REPEATS = 3


def seconds(ours: Callable[[], Any], theirs: Callable[[], Any], repeats: int = REPEATS) -> tuple[float, float]:
    """The best time of each side, after one untimed run of both."""
    ours(), theirs()
    best = [np.inf, np.inf]
    for _ in range(repeats):
        for at, side in enumerate((ours, theirs)):
            start = time.perf_counter()
            side()
            best[at] = min(best[at], time.perf_counter() - start)
    return best[0], best[1]


def fit_and_predict(estimator: Any, X: Any, y: Any, rows: Any) -> Any:
    return clone(estimator).fit(X, y).predict(rows)


def overhead_folds() -> tuple[str, float, float, float]:
    """400 fits of about 2 ms (80 candidates, 5 folds) against a bare joblib loop over the same fits."""
    X, y = make_classification(400, 20, random_state=0)
    grid = {"C": np.logspace(-3, 3, 80)}
    base = LogisticRegression(random_state=0)
    folds = [(np.arange(400) % 5 != k, np.arange(400) % 5 == k) for k in range(5)]

    def ours() -> None:
        FoldlessSearch(base, grid, criterion="k_fold", n_jobs=2, refit=False, random_state=0).fit(X, y)

    def theirs() -> None:
        joblib.Parallel(n_jobs=2)(
            joblib.delayed(fit_and_predict)(clone(base).set_params(C=C), X[train], y[train], X[test])
            for C in grid["C"]
            for train, test in folds
        )

    return "400 fits of 2 ms: overhead over a bare joblib loop", *seconds(ours, theirs), 1.5


def overhead_pool() -> tuple[str, float, float, float]:
    """400 fits, each asked about a pool of a million rows, against a bare joblib loop that predicts it too."""
    X, y = make_classification(400, 20, random_state=0)
    pool = np.random.default_rng(0).normal(size=(1_000_000, 20))
    grid = {"alpha": np.logspace(-3, 3, 400)}

    def ours() -> None:
        FoldlessSearch(RidgeClassifier(random_state=0), grid, n_jobs=2, random_state=0).fit(X, y, X_unlabeled=pool)

    def theirs() -> None:
        joblib.Parallel(n_jobs=2)(
            joblib.delayed(fit_and_predict)(RidgeClassifier(alpha=alpha, random_state=0), X, y, pool)
            for alpha in grid["alpha"]
        )

    return "400 fits asked about 1,000,000 rows: overhead over a bare joblib loop", *seconds(ours, theirs, 1), 1.5


BENCHMARKS = {"overhead_folds": overhead_folds, "overhead_pool": overhead_pool}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="which to run; all by default")
    names = parser.parse_args().names or list(BENCHMARKS)
    print(
        f"foldless {foldless.__version__}, scikit-learn {sklearn.__version__}, numpy {np.__version__}, "
        f"joblib {joblib.__version__}, Python {platform.python_version()}, {platform.machine()}, "
        f"{joblib.cpu_count()} cores"
    )
    for name in names:
        what, ours, theirs, limit = BENCHMARKS[name]()
        verdict = "holds" if ours <= limit * theirs else "DOES NOT HOLD"
        print(f"{what}: {ours:.2f} s against {theirs:.2f} s, ratio {ours / theirs:.2f} (at most {limit}: {verdict})")


if __name__ == "__main__":
    main()
