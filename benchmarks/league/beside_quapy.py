"""Class shares beside QuaPy's: mean absolute errors on the same bags, from the same posteriors.

    python -m benchmarks.league.beside_quapy [--sets NAME ...] [--methods NAME ...] [--out FILE] [--data FOLDER]
    python -m benchmarks.league.beside_quapy --table [--out FILE]

Bags are those of the artificial protocol (for more than two classes: uniform shares), set by set; every line is kept in
a file. ``speed/class_shares.py`` compares the time of the same methods.
"""

import argparse
import os
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.preprocessing import StandardScaler

from benchmarks.measuring import versions
from benchmarks.places import DATA
from benchmarks.records import keep, kept
from benchmarks.sets import load
from foldless.quantifiers import EM, DyS, Held, Quantifier, resolve
from foldless.quantifiers.protocols import artificial, uniform

SIZE = 500
METHODS = ("cc", "pcc", "acc", "pacc", "em", "hdy", "dys", "kdey", "ms", "max", "x", "t50")
TWO_ONLY = ("hdy", "dys", "ms", "max", "x", "t50")
SETS = ("a9a", "cod-rna", "coil2000", "ijcnn1", "mammography", "spambase", "skin_nonskin", "elec", "ctg", "dna",
        "dry-bean", "satimage", "segment", "pageblocks", "vehicle", "waveform-21", "letter", "usps")  # fmt: skip
MOST_LABELS, MOST_POOL = 1500, 5000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--methods", nargs="*", default=list(METHODS))
    parser.add_argument("--sets", nargs="*", default=list(SETS))
    parser.add_argument("--table", action="store_true", help="only print what has run")
    parser.add_argument("--out", type=Path, default=Path("build/quantify.jsonl"))
    parser.add_argument("--data", type=Path, default=DATA)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    print(versions(), flush=True)
    if not arguments.table:
        accuracy(arguments)
    show(pd.read_json(arguments.out, lines=True))


def ours(name: str) -> Quantifier:
    """Our quantifier as QuaPy has it by default."""
    return {"em": EM(calibration=None), "dys": DyS(distance="hellinger")}.get(name) or resolve(name)


def theirs(name: str, own: np.ndarray, y: np.ndarray, k: int) -> Callable[[np.ndarray], np.ndarray]:
    """QuaPy's aggregation, which has learned from the same posteriors."""
    from quapy.method import aggregative
    from quapy.method._kdey import KDEyML

    kinds = {
        "cc": aggregative.CC, "pcc": aggregative.PCC, "acc": aggregative.ACC, "pacc": aggregative.PACC,
        "em": aggregative.EMQ, "hdy": aggregative.HDy, "dys": aggregative.DyS, "ms": aggregative.MS,
        "max": aggregative.MAX, "x": aggregative.X, "t50": aggregative.T50, "kdey": KDEyML,
    }  # fmt: skip
    fixed = _Fitted(k)
    if name in ("cc", "pcc"):
        quantifier = kinds[name](fixed, fit_classifier=False)
    else:
        quantifier = kinds[name](fixed, fit_classifier=False, val_split=None)
    if name == "em":
        quantifier.train_prevalence = np.bincount(y, minlength=k) / len(y)
    else:
        quantifier.aggregation_fit(_read(name, own), y)
    return lambda posteriors: quantifier.aggregate(_read(name, posteriors))


class _Fitted(LogisticRegression):
    """A classifier that counts as fitted: posteriors are handed to the aggregation."""

    def __init__(self, k: int = 2):
        super().__init__()
        self.k = k
        self.classes_, self.coef_ = np.arange(k), np.zeros((k, 1))


def _read(name: str, posteriors: np.ndarray) -> np.ndarray:
    """What QuaPy's method reads: labels, the score of the second class, or posteriors."""
    if name in ("cc", "acc"):
        return posteriors.argmax(axis=1)
    return posteriors[:, 1] if name in ("ms", "max", "x", "t50") else posteriors


def accuracy(arguments: argparse.Namespace) -> None:
    """Errors of both on every set; sets that the file holds are not run again."""
    done = {line["set"] for line in kept(arguments.out)}
    for name in arguments.sets:
        if name not in done:
            keep(arguments.out, list(of_set(name, arguments)))


def of_set(name: str, arguments: argparse.Namespace) -> Any:
    """The errors of every method on one set."""
    X, y = load(name, arguments.data)
    y = np.unique(y, return_inverse=True)[1]
    rng = np.random.default_rng(0)
    common = np.flatnonzero(np.bincount(y) >= 60)
    rows = rng.permutation(np.flatnonzero(np.isin(y, common)))
    y = np.searchsorted(common, y[rows])
    X = X[rows]
    X = StandardScaler().fit_transform(X.toarray() if sparse.issparse(X) else X)
    n = min(MOST_LABELS, len(y) // 2)
    k, pool = len(common), slice(n, n + MOST_POOL)
    model = LogisticRegression(max_iter=300)
    own = cross_val_predict(model, X[:n], y[:n], cv=5, method="predict_proba")
    answers, truth = model.fit(X[:n], y[:n]).predict_proba(X[pool]), y[pool]
    size = min(SIZE, len(truth))
    bags = list(artificial(truth, size, repeats=4) if k == 2 else uniform(truth, size, n=20))
    true = np.array([np.bincount(truth[bag], minlength=k) / size for bag in bags])
    for method in arguments.methods:
        if k > 2 and method in TWO_ONLY:
            continue
        found = ours(method).learn(Held(own, y[:n], k)).aggregate_many(answers, np.array(bags))
        aggregate = theirs(method, own, y[:n], k)
        other = np.array([aggregate(answers[bag]) for bag in bags])
        line = {"set": name, "classes": k, "labels": n, "bags": len(bags), "method": method}
        line |= {"ours": float(np.abs(found - true).mean()), "QuaPy": float(np.abs(other - true).mean())}
        print(line, flush=True)
        yield line


def show(table: pd.DataFrame) -> None:
    """The mean errors over all sets and the ratio of them, by method; then every set."""
    wide = table.pivot(index=["set", "classes"], columns="method", values="ours")
    print(wide[[name for name in METHODS if name in wide]].round(4).to_string())
    means = table.groupby("method")[["ours", "QuaPy"]].mean()
    means["ratio"] = means["ours"] / means["QuaPy"]
    means["worst"] = (table["ours"] / table["QuaPy"]).groupby(table["method"]).max()
    means["sets"] = table.groupby("method").size()
    print(means.loc[[name for name in METHODS if name in means.index]].round(4).to_string())


if __name__ == "__main__":
    main()
