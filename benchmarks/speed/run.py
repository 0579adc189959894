"""Speed as ratios against a named peer, both measured in this run: ``python -m benchmarks.speed.run [NAME ...]``.

Wall times, the compile before the clock, the best of a few repeats where a run is short, the two sides taking turns so
that a busy machine hurts both. Some ratios of processor time are kept in a file (``--record``): a run that has lost a
fifth of one ends with status 1. Benchmarks that need data sets read them from ``--data``, ``FOLDLESS_DATA`` or
``../shared/data``, and are left out where that folder does not exist.
"""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import joblib
import numpy as np
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression, RidgeClassifier

from benchmarks.measuring import best_times, versions
from benchmarks.places import DATA
from benchmarks.speed import (
    class_shares,
    co_training,
    default_calls,
    gaussian_processes,
    kept_ratios,
    kernel,
    linear,
    racing,
    startup,
    streams,
    two_stages,
)
from foldless import FoldlessSearch

REPEATS = 3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help=f"which to run, of {', '.join(BENCHMARKS)}; all by default")
    parser.add_argument("--record", action="store_true", help=f"keep ratios in {kept_ratios.RECORD.name}")
    parser.add_argument("--data", type=Path, default=DATA)
    arguments = parser.parse_args()
    print(versions())
    ratios: dict[str, float] = {}
    for name in arguments.names or BENCHMARKS:
        print(f"\n{name}: {(BENCHMARKS[name].__doc__ or '').splitlines()[0]}", flush=True)
        own = (linear, kernel, co_training, two_stages, streams)
        needing = {name for module in own for name in module.BENCHMARKS}
        if name in needing and not arguments.data.is_dir():
            print(f"  left out: there is no folder {arguments.data}")
        else:
            ratios |= BENCHMARKS[name](arguments.data) or {}
    if arguments.record:
        kept_ratios.keep(ratios)
    elif lost := kept_ratios.lost(ratios):
        sys.exit("\n  ".join(["slower than before:", *lost]))


def overhead_folds(_: Path) -> None:
    """400 fits of about 2 ms (80 candidates, 5 folds) take at most 1.5 times a bare joblib loop over the same fits."""
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

    _ratio(ours, theirs, REPEATS)


def overhead_pool(_: Path) -> None:
    """400 fits asked about a pool of a million rows take at most 1.5 times a bare joblib loop that predicts it too."""
    X, y = make_classification(400, 20, random_state=0)
    pool = np.random.default_rng(0).normal(size=(1_000_000, 20))
    grid = {"alpha": np.logspace(-3, 3, 400)}

    def ours() -> None:
        FoldlessSearch(
            RidgeClassifier(random_state=0), grid, criterion="quantification_bound", n_jobs=2, random_state=0
        ).fit(X, y, X_unlabeled=pool)

    def theirs() -> None:
        joblib.Parallel(n_jobs=2)(
            joblib.delayed(fit_and_predict)(RidgeClassifier(alpha=alpha, random_state=0), X, y, pool)
            for alpha in grid["alpha"]
        )

    _ratio(ours, theirs, 1)


def fit_and_predict(estimator: Any, X: Any, y: Any, rows: Any) -> Any:
    return clone(estimator).fit(X, y).predict(rows)


def _ratio(ours: Callable[[], Any], theirs: Callable[[], Any], repeats: int) -> None:
    """Print the best time of each side, after one untimed run of both."""
    ours(), theirs()
    a, b = best_times([ours, theirs], repeats)
    print(f"  {a:.2f} s against {b:.2f} s, ratio {a / b:.2f}")


BENCHMARKS: dict[str, Callable[[Path], dict[str, float] | None]] = {
    **startup.BENCHMARKS,
    **default_calls.BENCHMARKS,
    "overhead_folds": overhead_folds,
    "overhead_pool": overhead_pool,
    **racing.BENCHMARKS,
    **linear.BENCHMARKS,
    **kernel.BENCHMARKS,
    **gaussian_processes.BENCHMARKS,
    **co_training.BENCHMARKS,
    **two_stages.BENCHMARKS,
    **streams.BENCHMARKS,
    **class_shares.BENCHMARKS,
}

if __name__ == "__main__":
    main()
