"""How often the 95 % intervals of the estimate hold the accuracy of the chosen model, and how wide they are.

    python -m benchmarks.coverage.estimates [--draws N] [--out FILE] [--data FOLDER]   run, and print the table
    python -m benchmarks.coverage.estimates --table [--out FILE]                         print the table of what has run
    python -m benchmarks.coverage.estimates --short [--seconds S]                        five minutes, on arrays

Each draw takes labels, a pool of ten times as many rows and test rows from a law or from a large data set, chooses
among 20 candidates by k_fold, or offers the best or the average by auto (``--offer``), and compares
`selection_.estimate` with the accuracy of the chosen model on 20,000 new rows of the law, or on all rows of the set
that have no label. Fewer would add their own chance to the misses: on 4,000 rows the accuracy is known to ±.013, and
the interval from 1,000 labels is only ±.02. Every draw is a line of the file: a run that was killed goes on where it
stopped. The constants of the estimate were set on draws of a sketch of this with seeds below 1000; seeds here begin at
1000. "narrower" is by how much the interval is narrower than the one from the same labels without the pool, in the
mean; "alone" is how often that one covers.
"""

import argparse
import os
import tempfile
import warnings
from itertools import product
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler

from benchmarks.coverage import short_estimates
from benchmarks.measuring import versions
from benchmarks.places import DATA
from benchmarks.records import keep, kept
from benchmarks.sets import load
from foldless import FoldlessSearch
from foldless.criteria import Auto
from foldless.learners import LogisticRegression

FIRST_SEED, TEST, MOST_POOL = 1000, 20_000, 10_000
LAWS = {"gauss2": (2, 0.5), "gauss10": (10, 1.0), "mixture2": (2, 1.2), "mixture10": (10, 1.2)}
SETS = ("letter", "satimage", "waveform-21", "shuttle", "dry-bean")
LABELS = (30, 50, 100, 200, 400, 1000)
OFFERS = {"k_fold": "k_fold", "best": Auto(), "average": Auto(offer="average")}
CANDIDATES = {
    "logistic": (LogisticRegression(), {"C": 10.0 ** np.arange(-4, 4)}),
    "naive Bayes": (GaussianNB(), {"var_smoothing": [1e-9, 1e-3, 1e-1, 1.0, 3.0, 10.0]}),
    "neighbors": (KNeighborsClassifier(), {"n_neighbors": [1, 3, 5, 7, 9, 13]}),
}
_held: dict[str, Any] = {}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=2000)
    parser.add_argument("--table", action="store_true", help="only print what has run")
    parser.add_argument("--out", type=Path, default=Path("build/coverage.jsonl"))
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--sets", nargs="*", default=[*LAWS, *SETS])
    parser.add_argument("--labels", type=int, nargs="*", default=list(LABELS))
    parser.add_argument("--offer", choices=OFFERS, default="k_fold", help="what chooses, and what is handed out")
    parser.add_argument("--short", action="store_true", help="on arrays, with all settings that must hold")
    parser.add_argument("--seconds", type=float, default=300.0, help="that the short form takes")
    arguments = parser.parse_args()
    print(versions(), flush=True)
    if arguments.short:
        short_estimates.show(short_estimates.run(FIRST_SEED, arguments.seconds))
        return
    if not arguments.table:
        run(arguments)
    show(pd.read_json(arguments.out, lines=True))


def run(arguments: argparse.Namespace) -> None:
    """Every draw that the file does not hold; seeds are the outer loop, so that a run can end after any of them."""
    done = {(r["set"], r["n"], r["seed"], r.get("offer", "k_fold")) for r in kept(arguments.out)}
    offer = arguments.offer
    seeds = range(FIRST_SEED, FIRST_SEED + arguments.draws)
    for seed, n, name in product(seeds, arguments.labels, arguments.sets):
        if (name, n, seed, offer) in done:
            continue
        if (row := draw(name, n, seed, arguments.data, offer)) is not None:
            keep(arguments.out, [{"set": name, "n": n, "seed": seed, "offer": offer, **row}])


def draw(name: str, n: int, seed: int, folder: Path, offer: str = "k_fold") -> dict[str, float] | None:
    """One choice with its estimate and the truth; None where a set is too small."""
    rng = np.random.default_rng([seed, n])
    pool = min(10 * n, MOST_POOL)
    X, y = rows(name, n + pool + TEST if name in LAWS else None, rng, folder)
    if len(y) < n + pool + 500:
        return None
    labeled, unlabeled, new = slice(0, n), slice(n, n + pool), slice(n + pool if name in LAWS else n, None)
    found = []
    with warnings.catch_warnings(), tempfile.TemporaryDirectory() as held:
        warnings.simplefilter("ignore")
        for given in (X[unlabeled], None):  # the second takes the folds of the first from its journal
            search = FoldlessSearch(
                CANDIDATES, criterion=OFFERS[offer], random_state=seed, journal=Path(held) / "journal"
            )
            found.append(search.fit(X[labeled], y[labeled], X_unlabeled=given).selection_.estimate)
    estimate, alone = found
    truth = float(search.score(X[new], y[new]))
    return {
        "truth": truth, "value": estimate.value, "lower": estimate.lower, "upper": estimate.upper,
        "alone": alone.upper - alone.lower, "alone_covered": alone.lower <= truth <= alone.upper,
    }  # fmt: skip


def rows(name: str, n: int | None, rng: np.random.Generator, folder: Path) -> tuple[Any, Any]:
    """So many rows of a law, or all rows of a data set in random order."""
    if name in LAWS:
        k, apart = LAWS[name]
        y, fixed = rng.integers(k, size=n), np.random.default_rng(5)
        if name.startswith("gauss"):
            return rng.normal(size=(n, 12)) + apart * fixed.normal(size=(k, 12))[y], y
        centers = fixed.normal(size=(k, 2, 12))
        return rng.standard_t(3, size=(n, 12)) + apart * centers[y, rng.integers(2, size=n)], y
    if name not in _held:
        X, y = load(name, folder)
        _held[name] = StandardScaler().fit_transform(X.toarray() if sparse.issparse(X) else X), y
    X, y = _held[name]
    taken = rng.permutation(len(y))[:n]
    return X[taken], y[taken]


def show(table: pd.DataFrame) -> None:
    """Coverage with its standard error, where it fails, the bias, and what the pool is worth."""
    table = table.assign(
        covered=(table.lower <= table.truth) & (table.truth <= table.upper), below=table.truth < table.lower,
        above=table.truth > table.upper, bias=table.value - table.truth, width=table.upper - table.lower,
    )  # fmt: skip
    table["narrower"] = 1 - table.width / table.alone
    table["offer"] = table["offer"].fillna("k_fold") if "offer" in table else "k_fold"
    columns = {"covered": "covered", "below": "below", "above": "above", "alone": "alone_covered", "bias": "bias",
               "truth": "truth", "width": "width", "narrower": "narrower"}  # fmt: skip
    for by in (["offer", "set", "n"], ["offer", "n"], ["offer", "over"]):
        groups = table.assign(over="all draws").groupby(by)
        shown = pd.DataFrame({"draws": groups.size(), **{name: groups[own].mean() for name, own in columns.items()}})
        print(shown.round(3).to_string(), end="\n\n")


if __name__ == "__main__":
    main()
