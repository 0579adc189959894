"""Learners of streams against scikit-learn's, one pass in the order of the rows; run by ``run.py``."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.linear_model import SGDClassifier

from benchmarks.papers.kar2016.sets import load
from benchmarks.speed.linear import newsgroups
from foldless.measures import KLD, BalancedAccuracy
from foldless.online import NEMSIS, SCAN

REPEATS = 15


def stream_dense(data: Path) -> dict[str, float]:
    """Cover types (400,000 rows x 54, single precision, class 5): at least 5 times as many rows per second."""
    return _one_pass("stream_dense", *covtype(data, 400_000), 0.1)


def stream_sparse(data: Path) -> dict[str, float]:
    """Text (20 newsgroups, 100,000 features, one class): at least 2 times as many rows per second."""
    X, y, *_ = newsgroups(data, 0, 18_000, 0)
    frequent = np.sort(np.argsort(-np.asarray((X != 0).sum(axis=0)).ravel())[:100_000])
    return _one_pass("stream_sparse", X[:, frequent].tocsr(), (y == y[0]).astype(int), 10.0)


def _one_pass(name: str, X: Any, y: Any, step: float) -> dict[str, float]:
    """Fit all on the same rows, taking turns: the best time of each, in seconds of the processor (all use one core).

    Returned is how many times as fast as SGDClassifier each is.
    """
    theirs = SGDClassifier(average=True, max_iter=1, tol=None, shuffle=False)
    models = [theirs, *(NEMSIS(measure, eta0=step) for measure in ("kld", "bakld", "q_measure")), SCAN(eta0=step)]
    for model in models:
        model.fit(X, y)  # compiles
    times = np.array([[_seconds(model, X, y) for model in models] for _ in range(REPEATS)])
    print(f"  {X.shape[0]:,} rows, {X.shape[1]:,} features, {X.dtype}")
    best, ratios = times.min(axis=0), np.median(times[:, :1] / times, axis=0)
    for model, seconds, ratio in zip(models, best, ratios, strict=True):
        print(
            f"  {model}: {len(y) / seconds / 1e6:.1f} million rows per second, {best[0] / seconds:.1f} times "
            f"(median of the turns {ratio:.1f}); {_quality(model, X, y)}"
        )
    return {f"{name} {model}": float(best[0] / seconds) for model, seconds in zip(models[1:], best[1:], strict=True)}


def _seconds(model: Any, X: Any, y: Any) -> float:
    start = time.process_time()
    model.fit(X, y)
    return time.process_time() - start


def _quality(model: Any, X: Any, y: Any) -> str:
    labels = model.predict(X)
    return f"KLD {-KLD().score(y, labels, 1):.2g}, balanced accuracy {BalancedAccuracy().score(y, labels, 1):.3f}"


def covtype(data: Path, n: int) -> tuple[Any, Any]:
    """Cover types in random order: ten measurements, standardized, and two indicators; class 5 against the others."""
    X, y = load("covtype", data)
    X[:, :10] = (X[:, :10] - X[:, :10].mean(axis=0)) / X[:, :10].std(axis=0)
    order = np.random.default_rng(0).permutation(len(y))[:n]
    return X[order], y[order]


BENCHMARKS: dict[str, Callable[[Path], dict[str, float]]] = {
    function.__name__: function for function in (stream_dense, stream_sparse)
}
