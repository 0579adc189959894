"""How often the 95 % intervals of ``foldless.quantify`` hold the true class shares under prior shift.

    python -m benchmarks.coverage.class_shares [--runs N] [--methods map ...] [--out FILE]   run, and print a table
    python -m benchmarks.coverage.class_shares --table [--out FILE]                          the table of what has run

Each run draws labels of two or five classes whose shares are those of one Dirichlet draw, and a pool of 1,000 rows
whose shares are those of another, counts the pool as `foldless.quantify` does (five fold fits of logistic regression,
but fewer bootstrap draws, and no test of shift), and looks whether the interval of each share holds the share of the
pool's population ("population") and that of the very rows of the pool ("pool"). Every run is a line of the file, so a
run that was killed goes on where it stopped. The width of the intervals was chosen on seeds from 50,000 on.
"""

import argparse
import os
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression

from benchmarks.measuring import versions
from benchmarks.records import keep, kept
from benchmarks.sets import spread_folds
from foldless.quantifiers import Bags, Held, resolve
from foldless.quantifiers import _intervals as intervals

CLASSES = {2: 0.5, 5: 0.8}  # how far apart the means are
LABELS = (100, 300, 1000)
POOL, WIDTH, FOLDS = 1000, 10, 5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--runs", type=int, default=2000, help="of every method, over all numbers of classes and labels"
    )
    parser.add_argument("--methods", nargs="*", default=["map"])
    parser.add_argument("--draws", type=int, default=79, help="of the bootstrap: 2 of 80 are beyond each end")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--table", action="store_true", help="only print what has run")
    parser.add_argument("--out", type=Path, default=Path("build/share_coverage.jsonl"))
    arguments = parser.parse_args()
    intervals.DRAWS = intervals.DRAWS_OF_LIKELIHOOD = arguments.draws
    print(versions(), flush=True)
    if not arguments.table:
        run(arguments)
    show(pd.read_json(arguments.out, lines=True))


def run(arguments: argparse.Namespace) -> None:
    """Every run that the file does not hold; seeds are the outer loop, so that it can end after any of them."""
    done = {(r["method"], r["classes"], r["labels"], r["seed"]) for r in kept(arguments.out)}
    cells = [(k, n) for k in CLASSES for n in LABELS]
    for at in range(arguments.runs):
        (k, n), seed = cells[at % len(cells)], arguments.first + at // len(cells)
        for method in arguments.methods:
            if (method, k, n, seed) not in done:
                row = {"method": method, "classes": k, "labels": n, "seed": seed, **draw(method, k, n, seed)}
                keep(arguments.out, [row])


def draw(method: str, k: int, n: int, seed: int) -> dict[str, object]:
    """One pool, counted."""
    rng = np.random.default_rng([seed, k, n])
    centers = CLASSES[k] * np.random.default_rng(7).normal(size=(k, WIDTH))
    in_labels, in_pool = rng.dirichlet(np.full(k, 5.0)), rng.dirichlet(np.ones(k))
    y = np.r_[np.repeat(np.arange(k), 3), rng.choice(k, n - 3 * k, p=in_labels)]
    truth = rng.choice(k, POOL, p=in_pool)
    X, pool = (rng.normal(size=(len(codes), WIDTH)) + centers[codes] for codes in (y, truth))
    held, answers = answered(X, y, pool, rng)
    found = intervals.shares_with_ends(resolve(method), held, answers, Bags.whole(POOL), 0.95, rng, FOLDS)
    value, low, high = (part[0] for part in found)
    own = np.bincount(truth, minlength=k) / POOL
    return {
        "error": float(np.abs(value - own).mean()), "width": float((high - low).mean()),
        "population": [bool(inside) for inside in (low <= in_pool) & (in_pool <= high)],
        "pool": [bool(inside) for inside in (low <= own) & (own <= high)],
    }  # fmt: skip


def answered(X: np.ndarray, y: np.ndarray, pool: np.ndarray, rng: np.random.Generator) -> tuple[Held, np.ndarray]:
    """Out-of-fold answers of the labels, and those of all fold fits on the pool, one fit after the other."""
    fold = spread_folds(y, FOLDS, rng)
    own, others = np.zeros((len(y), int(y.max()) + 1)), []
    for at in range(FOLDS):
        model = LogisticRegression().fit(X[fold != at], y[fold != at])
        own[fold == at] = model.predict_proba(X[fold == at])
        others.append(model.predict_proba(pool))
    return Held(own, y, own.shape[1]), np.concatenate(others)


def show(table: pd.DataFrame) -> None:
    """Coverage over all classes of all runs, with its standard error by runs."""
    rows = []
    for (method, k, n), part in table.groupby(["method", "classes", "labels"]):
        means = {what: part[what].map(np.mean) for what in ("population", "pool")}
        rows.append({
            "method": method, "classes": k, "labels": n, "runs": len(part),
            "population": means["population"].mean(), "se": means["population"].std() / np.sqrt(len(part)),
            "pool": means["pool"].mean(), "width": part["width"].mean(), "error": part["error"].mean(),
        })  # fmt: skip
    print(pd.DataFrame(rows).round(3).to_string(index=False))
    print(table.groupby("method").apply(lambda part: part["population"].map(np.mean).mean()).round(4).to_string())


if __name__ == "__main__":
    main()
