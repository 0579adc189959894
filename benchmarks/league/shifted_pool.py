"""A pool that is not like the labels: what it does to an average some of whose members it teaches.

    python -m benchmarks.league.shifted_pool [--sets …] [--labels 40] [--seeds 0 1 2]

Labels and test rows are draws from a set. The pool is drawn like them, or moved: half of its columns by one standard
deviation, its class shares so that one class has .8 of it, or rows of which each column is shuffled by itself and moved
("foreign"). Each row of the table is the accuracy of the average of quick members of the portfolio less that of the
average of those which need no pool, in points, ± one standard error over the sets. As in `Combination`, members that
the pool teaches have no weight where the outputs of the first member show that it is not like the labels.
"""

import argparse
import os
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from sklearn.base import clone
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

from benchmarks.league.portfolio import answers
from benchmarks.places import DATA
from benchmarks.sets import load, prepared, spread_folds
from foldless.accuracy._temperature import probabilities, temperature
from foldless.criteria.combination import pool_differs
from foldless.judging._combining import member_weights
from foldless.learners import PoolFeatures
from foldless.learners._discriminant import ShrunkenDiscriminant

SETS = ("vehicle", "waveform-21", "satimage", "spambase", "pageblocks", "ssl_digit1", "digits")
POOL, TEST, FOLDS, SHARE = 300, 1000, 5, 0.8
ALONE: tuple[Any, ...] = (
    LogisticRegression(C=1.0, max_iter=1000),
    SVC(C=10.0),
    KNeighborsClassifier(5, weights="distance"),
    ShrunkenDiscriminant(solver="lsqr", shrinkage="auto"),
    ExtraTreesClassifier(30, random_state=0),
)
TAUGHT = tuple(
    PoolFeatures(name, view)
    for view, name in (
        ("components", "spreading-7"), ("few", "discriminant"), ("rows", "spreading-15"), ("components", "logistic"),
        ("few", "spreading-15"), ("rows", "self-training"), ("components", "svc"),
    )
)  # fmt: skip
POOLS = ("like the labels", "columns moved", "class shares moved", "foreign")


def shifted(kind: str, X: np.ndarray, y: np.ndarray, others: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A pool of rows of the set, moved."""
    pool = X[others[:POOL]]
    if kind == "columns moved":
        return pool + (rng.permutation(X.shape[1]) < X.shape[1] / 2)
    if kind == "class shares moved":
        of_class, rest = others[y[others] == y[others[0]]], others[y[others] != y[others[0]]]
        n = min(int(SHARE * POOL), len(of_class))
        return X[np.r_[of_class[:n], rest[: int(n * (1 - SHARE) / SHARE)]]]
    if kind == "foreign":
        return np.asarray(rng.permuted(pool, axis=0) + 2 * rng.normal(size=X.shape[1]))
    return pool


def member(model: Any, X: np.ndarray, codes: np.ndarray, pool: np.ndarray, X_test: np.ndarray, seed: int) -> Any:
    """What a member says of rows left out, and of test rows."""
    n, k = len(codes), int(codes.max()) + 1
    fold, table = spread_folds(codes, FOLDS, np.random.default_rng(seed)), np.zeros((n, k))

    def fit(kept: np.ndarray) -> Any:
        if not isinstance(model, PoolFeatures):
            return clone(model).fit(X[kept], codes[kept])
        return clone(model).fit(np.r_[X[kept], pool], np.r_[codes[kept], np.full(len(pool), -1)])

    scored = False
    for at in range(FOLDS):
        table[fold == at], scored = answers(fit(fold != at), X[fold == at], k)
    final, _ = answers(fit(np.ones(n, dtype=bool)), X_test, k)
    if scored:
        divisor = temperature(table, codes)
        table, final = probabilities(table, divisor), probabilities(final, divisor)
    return table, final


def of_folds(model: Any, X: np.ndarray, codes: np.ndarray, pool: np.ndarray, seed: int) -> np.ndarray:
    """What the fits of the folds say of the pool, each of a part of it."""
    fold, k = spread_folds(codes, FOLDS, np.random.default_rng(seed)), int(codes.max()) + 1
    parts = [answers(clone(model).fit(X[fold != at], codes[fold != at]), pool[at::FOLDS], k)[0] for at in range(FOLDS)]
    return np.concatenate(parts)


def differences(name: str, n: int, seed: int, folder: Path) -> list[float]:
    """By kind of pool, the accuracy with the members that it teaches less that without."""
    X, y = load(name, folder)
    order = np.random.default_rng([seed, n]).permutation(len(y))
    y = np.unique(y, return_inverse=True)[1]
    X = prepared(X[order], n)
    y = y[order]
    codes = np.unique(y[:n], return_inverse=True)[1]
    n_test = min(TEST, (len(y) - n) // 2)
    test = n + np.flatnonzero(np.isin(y[n : n + n_test], y[:n]))
    truth = np.searchsorted(np.unique(y[:n]), y[test])
    alone = [member(model, X[:n], codes, X[:0], X[test], seed) for model in ALONE]
    reached = []
    witness = member(ALONE[0], X[:n], codes, X[:0], X[test], seed)[0]
    for kind in ("", *POOLS):
        rng = np.random.default_rng(seed)
        pool = shifted(kind, X, y, np.arange(n + n_test, len(y)), rng)
        of_pool = of_folds(ALONE[0], X[:n], codes, pool, seed)
        taught = []
        if kind and not pool_differs(witness, of_pool):
            taught = [member(model, X[:n], codes, pool, X[test], seed) for model in TAUGHT]
        tables, finals = (np.array(each) for each in zip(*alone, *taught, strict=True))
        p_true, right = tables[:, np.arange(n), codes], tables.argmax(axis=2) == codes
        weights = member_weights(p_true, right, np.full(n, 1 / n), np.random.default_rng(0))
        reached.append(float(np.mean(np.tensordot(weights, finals, 1).argmax(axis=1) == truth)))
    return [100 * (each - reached[0]) for each in reached[1:]]


def table(of_sets: Sequence[Sequence[float]]) -> str:
    values = np.array(of_sets)
    errors = values.std(axis=0, ddof=1) / np.sqrt(len(values)) if len(values) > 1 else np.full(len(POOLS), np.nan)
    return "\n".join(
        f"{kind:20s} {mean:+5.2f} ± {error:.2f}"
        for kind, mean, error in zip(POOLS, values.mean(axis=0), errors, strict=True)
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", nargs="*", default=SETS)
    parser.add_argument("--labels", type=int, default=40)
    parser.add_argument("--seeds", type=int, nargs="*", default=[0, 1, 2])
    parser.add_argument("--data", type=Path, default=DATA)
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    of_sets = []
    for name in asked.sets:
        of_seeds = [differences(name, asked.labels, seed, asked.data) for seed in asked.seeds]
        of_sets.append(np.mean(of_seeds, axis=0))
        print(name, of_sets[-1].round(2), flush=True)
    print(table(of_sets))


if __name__ == "__main__":
    main()
