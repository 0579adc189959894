"""What ``method="auto"`` of ``foldless.quantify`` costs with few labels, beside every fixed method, on real sets.

    python -m benchmarks.league.class_shares [--sets NAME ...] [--seeds N] [--data FOLDER]

60, 120 and 300 labels, each class at least twice; five-fold answers of logistic regression; pools of 1,000 rows whose
class shares are those of the set ("none"), around them ("mild": Dirichlet, ten rows) or any ("any": uniform). The error
is the share of rows that are counted for a wrong class, half the sum of the absolute errors. The two constants of
``map`` were chosen on other sets (waveform-21, spambase, adult, vehicle, yeast, usps, mammography and covtype).
"""

import argparse
import os
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from zlib import crc32

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from benchmarks.measuring import versions
from benchmarks.places import DATA
from benchmarks.sets import load, spread_folds
from foldless.criteria import PrevalenceError
from foldless.judging._cross_fit import Counted
from foldless.quantifiers import Held, resolve

SETS = ("elec", "ssl_digit1", "ctg", "pageblocks", "satimage", "dry-bean", "segment", "covtype")
LABELS, SHIFTS, POOL, FOLDS = (60, 120, 300), ("none", "mild", "any"), 1000, 5
METHODS = ("cc", "pcc", "acc", "pacc", "em", "kdey", "map")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", nargs="*", default=list(SETS))
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--data", type=Path, default=DATA)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    print(versions(), flush=True)
    rows = [row for name in arguments.sets for row in of_set(name, arguments)]
    show(pd.DataFrame(rows))


def of_set(name: str, arguments: argparse.Namespace) -> Iterator[dict[str, object]]:
    """A row for each pool: the error of every method, and what auto took."""
    X, y = load(name, arguments.data)
    X, y = X.toarray() if sparse.issparse(X) else X, np.unique(y, return_inverse=True)[1]
    for n in LABELS:
        for seed in range(arguments.seeds):
            rng = np.random.default_rng([seed, n, crc32(name.encode())])
            held, pool, truth = answered(X, y, n, rng)
            task = SimpleNamespace(y=held.y, n_classes=held.n_classes, rng=lambda _: np.random.default_rng(0))
            took = PrevalenceError().judge(task, Counted(held.answers))[1].name
            learned = {method: resolve(method).learn(held) for method in METHODS}
            for shift in SHIFTS:
                rows, shares = drawn(truth, held.n_classes, shift, rng)
                answers = np.concatenate([part[rows] for part in pool])
                errors = {m: np.abs(own.aggregate(answers) - shares).sum() / 2 for m, own in learned.items()}
                yield {"set": name, "classes": held.n_classes, "labels": n, "shift": shift, "took": took,
                       **errors, "auto": errors[took]}  # fmt: skip


def answered(X: np.ndarray, y: np.ndarray, n: int, rng: np.random.Generator) -> tuple[Held, np.ndarray, np.ndarray]:
    """Out-of-fold answers of n labels, those of the fold fits on other rows (folds, rows, K), and their classes."""
    k, rows = int(y.max()) + 1, rng.permutation(len(y))
    first = np.concatenate([rows[np.flatnonzero(y[rows] == code)[:2]] for code in range(k)])
    rest = rows[~np.isin(rows, first)]
    labeled, pool = np.r_[first, rest[: n - len(first)]], rest[n - len(first) :][:3000]
    scale, own = StandardScaler().fit(X[labeled]), y[labeled]
    A, P = scale.transform(X[labeled]), scale.transform(X[pool])
    fold = spread_folds(own, FOLDS, rng)
    answers, others = np.zeros((n, k)), np.zeros((FOLDS, len(pool), k))
    for at in range(FOLDS):
        model = LogisticRegression(max_iter=200).fit(A[fold != at], own[fold != at])
        answers[np.ix_(fold == at, model.classes_)] = model.predict_proba(A[fold == at])
        others[at][:, model.classes_] = model.predict_proba(P)
    return Held(answers, own, k), others, y[pool]


def drawn(truth: np.ndarray, k: int, shift: str, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Row numbers of a pool, and its shares."""
    there = np.bincount(truth, minlength=k)
    base = there / there.sum()
    wanted = {"none": base, "mild": rng.dirichlet(10 * base + 0.3), "any": rng.dirichlet(np.ones(k))}[shift]
    wanted = np.where(there > 0, wanted, 0)
    counts = rng.multinomial(POOL, wanted / wanted.sum())
    rows = [rng.choice(np.flatnonzero(truth == code), m) for code, m in enumerate(counts) if m]
    return np.concatenate(rows), counts / POOL


def show(table: pd.DataFrame) -> None:
    """Mean errors in percent of the rows, by set, by shift and by labels."""
    names = [*METHODS, "auto"]
    for by in (["classes", "set"], ["shift"], ["labels"]):
        print((100 * table.groupby(by)[names].mean()).round(1).to_string())
    whole = 100 * table[names].mean()
    print("all", whole.round(1).to_dict())
    print(table.groupby("labels")["took"].value_counts().to_string())


if __name__ == "__main__":
    main()
