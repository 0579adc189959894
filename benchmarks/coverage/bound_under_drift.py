"""The bound of Balikas et al. where class shares drift: against the labels' shares, and against those of the pool.

    python -m benchmarks.coverage.bound_under_drift [--seeds N] [--data FOLDER]

``debian_packages``: 800 descriptions of packages of one release (bullseye) with their section, the twelve largest; the
pool are 1,500 packages that are new in the next release (bookworm), or in the one after it (trixie). ``elec``: 500
rows in time order, and the 1,000 that follow. Candidates are linear SVMs with C from 1e-4 to 1e3. The bound should be
at least the accuracy on the pool ("broken": how often it is not, over all candidates), and its choice should be good
("lost": points of accuracy on the pool behind the best candidate). "drift" is half the sum of the absolute differences
between the shares of labels and pool, "left" that between estimated and true shares of the pool.
"""

import argparse
import os
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.preprocessing import StandardScaler

from benchmarks.measuring import versions
from benchmarks.places import DATA
from benchmarks.records import read
from foldless import FoldlessSearch, quantify
from foldless.criteria import KFold, QuantificationBound
from foldless.learners import LinearSVC

GRID = {"C": np.logspace(-4, 3, 8).tolist()}
SECTIONS, WORDS = 12, 3000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--data", type=Path, default=DATA)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    print(versions(), flush=True)
    rows = []
    for name, problems in (("debian", debian), ("elec", elec)):
        for part, *problem in problems(arguments.data, arguments.seeds):
            rows += [{"data": f"{name} {part}".strip(), **row} for row in measured(*problem)]
    table = pd.DataFrame(rows)
    means = table.groupby(["data", "criterion"], sort=False).mean()
    means.insert(0, "draws", table.groupby(["data", "criterion"], sort=False).size())
    print(means.round(3).to_string())


def debian(folder: Path, seeds: int) -> Iterator[Any]:
    """Packages of one release as labels, those that are new in a later one as the pool."""
    packages = read(folder / "debian_packages" / "debian_packages.jsonl.gz")
    packages = [row for row in packages if row["long"] and row["section"]]
    section = np.array([row["section"] for row in packages])
    first = np.array([row["releases"][0] for row in packages])
    classes, counts = np.unique(section, return_counts=True)
    kept = np.isin(section, classes[np.argsort(-counts, kind="stable")[:SECTIONS]])
    X = TfidfVectorizer(sublinear_tf=True, stop_words="english", max_features=WORDS).fit_transform(
        [row["long"] for row in packages]
    )
    for seed in range(seeds):
        rng = np.random.default_rng(seed)
        labeled = rng.permutation(np.flatnonzero(kept & (first == "bullseye")))[:800]
        for release in ("bookworm", "trixie"):
            pool = rng.permutation(np.flatnonzero(kept & (first == release)))[:1500]
            yield release, X[labeled], section[labeled], X[pool], section[pool]


def elec(folder: Path, seeds: int) -> Iterator[Any]:
    """500 rows in time order, and the 1,000 that follow."""
    with np.load(folder / "elec" / "elec.npz") as held:
        X, y = np.asarray(held["X"], dtype=float), held["y"]
    for seed in range(seeds):
        at = int(np.random.default_rng(seed).integers(len(y) - 1500))
        scale = StandardScaler().fit(X[at : at + 500])
        labeled, pool = slice(at, at + 500), slice(at + 500, at + 1500)
        yield "", scale.transform(X[labeled]), y[labeled], scale.transform(X[pool]), y[pool]


def measured(X: Any, y: Any, pool: Any, truth: Any) -> Iterator[dict[str, Any]]:
    """A row for each criterion."""
    right = np.array([(clone(LinearSVC(C=C)).fit(X, y).predict(pool) == truth).mean() for C in GRID["C"]])
    classes = np.unique(np.r_[y, truth])
    labels, there = ([np.mean(part == name) for name in classes] for part in (y, truth))
    found = quantify(LinearSVC(), X, y, X_unlabeled=pool, method="map", random_state=0).shares
    left = sum(abs(found.get(name, 0.0) - share) for name, share in zip(classes, there, strict=True)) / 2
    drift = float(np.abs(np.subtract(labels, there)).sum() / 2)
    ways = {"bound, labels": QuantificationBound(), "bound, pool": QuantificationBound(against="pool"),
            "5-fold": KFold(5)}  # fmt: skip
    for name, criterion in ways.items():
        search = FoldlessSearch(LinearSVC(), GRID, criterion=criterion, refit=False, random_state=0)
        search.fit(X, y, X_unlabeled=pool)
        score, best = search.cv_results_["mean_test_score"], search.best_index_
        broken = float("nan") if name == "5-fold" else float((score < right - 1e-9).mean())
        yield {"criterion": name, "drift": drift, "left": left, "broken": broken,
               "score": score[best], "accuracy": right[best], "lost": 100 * (right.max() - right[best])}  # fmt: skip


if __name__ == "__main__":
    main()
