"""Which certificate is the narrowest: bounds of the chosen models over data sets, numbers of labels and seeds.

    python -m benchmarks.coverage.certificates [--decide] [--data FOLDER] [--sets NAME ...] [--labels N ...]
                                               [--seeds S ...] [--methods NAME ...] [--out FILE]

In every setting (a set, a number of labels, a seed) all methods certify the same 20 candidates at confidence 0.95 on a
pool of up to 2,000 rows. ``--decide`` runs the seeds on which settings and the default were decided; without it other
seeds are run, which decided nothing. Printed are the mean bound of the model that each method chooses, divided by that
of a fifth held out (over all settings, and over those with at least 1,000 pool rows), its parts, its mean error on test
rows, how often the bound is below that of the hold-out, and false bounds. The bounds of one run are compared, none is
picked: each holds by itself. A short form: ``--sets segment spambase dna --labels 100 300 --seeds 0``.
"""

import argparse
import os
import warnings
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import pandas as pd
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from benchmarks.measuring import versions
from benchmarks.places import DATA
from benchmarks.sets import load, prepared
from foldless import compare
from foldless.criteria import HoldOut, Progressive, SemiSupervisedCV
from foldless.learners import LogisticRegression

KAARIAINEN = ("dna", "letter", "satimage", "segment", "shuttle", "usps")
OTHERS = (
    "spambase", "mammography", "elec", "ctg", "waveform-21", "pageblocks", "ssl_digit1", "dry-bean", "yeast", "digits",
    "abalone", "cod-rna", "blobs", "moons",
)  # fmt: skip
LABELS, POOL, TEST = (100, 300, 1000), 2000, 4000
SEEDS, DECIDING = (0, 1), (100,)
BASE, LARGE_POOL = "hold_out, 20 %", 1000
METHODS = {
    "semi_supervised_cv": SemiSupervisedCV(),
    "semi_supervised_cv, k=3": SemiSupervisedCV(3),
    "semi_supervised_cv, k=1": SemiSupervisedCV(1),
    "progressive": Progressive(),
    "progressive, refit": Progressive(refit=True),
    BASE: HoldOut(0.2, confidence=0.95),
}
TRIED = {
    f"progressive({start}, {refit=})": Progressive(start, refit=refit)
    for start in (0.6, 0.8)
    for refit in (False, True)
}
CANDIDATES = {
    "logistic": (LogisticRegression(), {"C": (10.0 ** np.arange(-3, 2)).tolist()}),
    "knn": (KNeighborsClassifier(), {"n_neighbors": [1, 3, 5, 7, 9, 13, 19, 27]}),
    "nb": (GaussianNB(), {"var_smoothing": [1e-9, 1e-6, 1e-4, 1e-3, 1e-2, 0.1, 1.0]}),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--decide", action="store_true", help="the seeds and settings that decided")
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--sets", nargs="*", default=[*KAARIAINEN, *OTHERS])
    parser.add_argument("--labels", type=int, nargs="*", default=list(LABELS))
    parser.add_argument("--seeds", type=int, nargs="*", help="other seeds than those of the study")
    parser.add_argument("--methods", nargs="*", help="some of the methods; the hold-out is always one")
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    methods: dict[str, Any] = {**METHODS, **TRIED} if given.decide else METHODS
    if given.methods is not None:
        methods = {name: methods[name] for name in dict.fromkeys([*given.methods, BASE])}
    seeds = given.seeds if given.seeds is not None else DECIDING if given.decide else SEEDS
    print(versions(), flush=True)
    rows = []
    for name in given.sets:
        X, y = load(name, given.data)
        for n in given.labels:
            for seed in seeds:
                rows += setting(name, X, y, n, seed, methods)
        print(name, *(f"{bound:.3f}" for bound in pd.DataFrame(rows[-len(methods) :])["upper"]), flush=True)
        if given.out is not None:
            given.out.parent.mkdir(parents=True, exist_ok=True)
            pd.DataFrame(rows).to_csv(given.out, index=False, float_format="%.5f")
    show(pd.DataFrame(rows))


def setting(name: str, X: Any, y: Any, n: int, seed: int, methods: dict[str, Any]) -> list[dict[str, Any]]:
    """One comparison: a row for each method, or none where the set has too few rows."""
    order = np.random.default_rng([seed, n]).permutation(len(y))
    if len(order) < 2 * n or len(np.unique(y[order[:n]])) < 2:
        return []
    pool = min(POOL, (len(order) - n) // 2)
    X, y = prepared(X[order], n + pool), y[order]
    test = slice(n + pool, n + pool + TEST)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        comparison = compare(
            CANDIDATES, None, X[:n], y[:n], X_unlabeled=X[n : n + pool], criteria=methods, X_test=X[test],
            y_test=y[test], random_state=seed,
        )  # fmt: skip
    rows = []
    for method in methods:
        selection = comparison[method]
        certificate, accuracy = selection.certificate, selection.best_test_accuracy
        assert certificate is not None
        assert accuracy is not None
        parts = [term.upper for term in certificate.terms]
        rows.append({"set": name, "labels": n, "seed": seed, "pool": pool, "method": method, "upper": certificate.upper,
                     "by_labels": parts[0], "by_pool": parts[1] if len(parts) > 1 else 0.0, "error": 1 - accuracy,
                     "tested": len(y[test])})  # fmt: skip
    return rows


def show(rows: pd.DataFrame) -> None:
    """Means over all settings, over the sets of Kääriäinen and over the others, and by the number of labels."""
    keys = ["set", "labels", "seed", "pool"]
    wide = rows.pivot_table(index=keys, columns="method", values="upper")[rows["method"].unique()]
    of_set = wide.index.get_level_values("set").isin(KAARIAINEN)
    labels, large = wide.index.get_level_values("labels"), wide[wide.index.get_level_values("pool") >= LARGE_POOL]
    of_method = rows.groupby("method")
    table = pd.DataFrame({
        "all": wide.mean(), "of hold-out": wide.mean() / wide[BASE].mean(),
        "with a large pool": large.mean() / large[BASE].mean(), "below hold-out": wide.lt(wide[BASE], axis=0).mean(),
        "kaariainen": wide[of_set].mean(), "others": wide[~of_set].mean(),
        **{f"{n} labels": wide[labels == n].mean() for n in sorted(set(labels))},
        "by labels": of_method["by_labels"].mean(), "by pool": of_method["by_pool"].mean(),
        "test error": of_method["error"].mean(),
        "false": rows.assign(false=rows["error"] > rows["upper"]).groupby("method")["false"].sum(),
    }).loc[wide.columns]  # fmt: skip
    print(f"{len(wide)} settings of {wide.index.get_level_values('set').nunique()} sets")
    print(table.round(4).to_string())


if __name__ == "__main__":
    main()
