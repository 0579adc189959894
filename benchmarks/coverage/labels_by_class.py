"""What labels that were picked by class, as many of each, do to the estimate of accuracy.

    python -m benchmarks.coverage.labels_by_class [--data DATA] [--draws N]

The estimate takes labels for random draws. Here it stands beside the accuracy on all other rows, for labels that are
picked, the same number of every class, and for as many that are drawn at random: 10 digits and 150 intents of short
texts (clinc150), three linear SVMs, a pool of 2,000 rows.
"""

import argparse
import os
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
from sklearn.datasets import load_digits
from sklearn.feature_extraction.text import TfidfVectorizer

from benchmarks.places import DATA
from benchmarks.records import read
from foldless import FoldlessSearch
from foldless.learners import LinearSVC

EACH = (2, 3, 5, 10)
POOL = 2000
GRID = {"C": [0.1, 1.0, 10.0]}
OTHERS = "oos"  # the rows of clinc150 that are of no intent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--draws", type=int, default=20)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    print(f"{'set':10}{'each':>5}  {'labels':12}{'covered':>9}{'estimate - truth':>18}{'error':>8}")
    for name, X, y in sets(arguments.data):
        for each in EACH:
            for how in ("picked", "at random"):
                drawn = np.array([draw(X, y, each, how == "picked", seed) for seed in range(arguments.draws)])
                (covered, above), error = drawn.mean(axis=0), drawn[:, 1].std(ddof=1) / np.sqrt(len(drawn))
                print(f"{name:10}{each:5}  {how:12}{covered:9.2f}{above:18.3f}{error:8.3f}", flush=True)


def sets(data: Path) -> Iterator[tuple[str, Any, Any]]:
    X, y = load_digits(return_X_y=True)
    yield "digits", X / 16, y
    rows = [row for row in read(data / "clinc150" / "clinc150_full.jsonl.gz") if row["label"] != OTHERS]
    yield (
        "intents",
        TfidfVectorizer(sublinear_tf=True).fit_transform([row["text"] for row in rows]),
        np.array([row["label"] for row in rows]),
    )


def draw(X: Any, y: Any, each: int, picked: bool, seed: int) -> tuple[bool, float]:
    """Whether the interval holds the accuracy on all other rows, and how far the estimate is above it."""
    order = np.random.default_rng(seed).permutation(len(y))
    classes = np.unique(y)
    labeled = order[: each * len(classes)]
    if picked:
        labeled = np.concatenate([order[y[order] == name][:each] for name in classes])
    others = order[~np.isin(order, labeled)]
    search = FoldlessSearch(LinearSVC(), GRID, criterion="quantification_bound", random_state=seed)
    search.fit(X[labeled], y[labeled], X_unlabeled=X[others[:POOL]])
    estimate, truth = search.selection_.estimate, float(np.mean(search.predict(X[others]) == y[others]))
    return estimate.lower <= truth <= estimate.upper, estimate.value - truth


if __name__ == "__main__":
    main()
