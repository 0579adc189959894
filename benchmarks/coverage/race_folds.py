"""What it costs an estimate to read the folds of the race that chose: coverage, and how far it is above the truth.

    python -m benchmarks.coverage.race_folds [--draws N]

After `auto` with 400 labels or more, the estimate of a linear classifier reads the answers of the folds that chose it,
and makes no fit of its own. Here it stands beside the estimate from five folds of its own, on the same draws: fourteen
linear candidates, three laws, 8,000 new rows each.
"""

import argparse
import os
import warnings
from typing import Any
from unittest.mock import patch

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np

from foldless import FoldlessSearch
from foldless.learners import LinearSVC, LogisticRegression
from foldless.selection import _folds_asked

FIRST_SEED, POOL, NEW = 50_000, 800, 8000
LAWS = {"two classes": (2, 500, 20, 0.35, 0.0), "ten": (10, 600, 30, 0.9, 0.0), "noisy": (3, 450, 40, 0.6, 0.3)}
GRID = {"C": np.logspace(-4, 2, 7)}
READ = {"folds of the race": _folds_asked.ROOM, "folds of its own": 0}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=100)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    print(f"{'law':12}{'read':20}{'covered':>9}{'too high':>10}{'above':>8}{'width':>8}")
    for law in LAWS:
        drawn = np.array([draw(law, FIRST_SEED + at) for at in range(arguments.draws)])
        for read, each in zip(READ, np.moveaxis(drawn, 1, 0), strict=True):
            covered, high, above, width = each.mean(axis=0)
            print(f"{law:12}{read:20}{covered:9.3f}{high:10.3f}{above:8.4f}{width:8.4f}", flush=True)


def draw(law: str, seed: int) -> list[tuple[float, ...]]:
    """Of each way: whether the interval holds the accuracy, or lies above it, the error of the estimate, the width."""
    n_classes, n, n_columns, apart, wrong = LAWS[law]
    rng = np.random.default_rng(seed)
    centers = 3 * apart * rng.normal(size=(n_classes, n_columns)) / np.sqrt(n_columns)

    def rows(count: int) -> tuple[Any, Any]:
        y = rng.integers(n_classes, size=count)
        X = rng.normal(size=(count, n_columns)) + centers[y]
        return X, np.where(rng.random(count) < wrong, rng.integers(n_classes, size=count), y)

    (X, y), (pool, _), (new, truth) = rows(n), rows(POOL), rows(NEW)
    drawn = []
    for room in READ.values():
        with patch.object(_folds_asked, "ROOM", room):
            search = FoldlessSearch(
                {"svm": (LinearSVC(), GRID), "logistic": (LogisticRegression(), GRID)}, random_state=seed
            ).fit(X, y, X_unlabeled=pool)
        found, accuracy = search.selection_.estimate, search.score(new, truth)
        held = found.lower <= accuracy <= found.upper
        drawn.append((held, accuracy < found.lower, found.value - accuracy, found.upper - found.lower))
    return drawn


if __name__ == "__main__":
    main()
