"""Class shares beside QuaPy: the same bags, the same posteriors, both in this run.

    python -m benchmarks.speed.class_shares speed [--bags N] [--theirs N] [--parts two many kde]
    python -m benchmarks.speed.class_shares accuracy [--sets NAME ...] [--out FILE] [--data FOLDER]
    python -m benchmarks.speed.class_shares accuracy --table [--out FILE]

``speed`` prints CPU seconds of a bag and their ratio: ours counts all bags in one call, QuaPy one after the other as
its evaluation does, with its aggregation and its drawing of samples. QuaPy takes long for a bag of 50 classes:
``--theirs`` says how many of the bags it is given. ``accuracy`` compares mean absolute errors on bags of the artificial
protocol (for more than two classes: uniform shares), set by set; every line is kept in a file.
"""

import argparse
import os
import resource
import time
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

from benchmarks.measuring import best_time, versions
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
    parser.add_argument("what", choices=["speed", "accuracy"])
    parser.add_argument("--bags", type=int, default=1000)
    parser.add_argument("--theirs", type=int, default=50, help="bags of 50 classes that QuaPy counts")
    parser.add_argument("--parts", nargs="*", default=["two", "many", "kde"])
    parser.add_argument("--methods", nargs="*", default=list(METHODS))
    parser.add_argument("--sets", nargs="*", default=list(SETS))
    parser.add_argument("--table", action="store_true", help="only print what has run")
    parser.add_argument("--out", type=Path, default=Path("build/quantify.jsonl"))
    parser.add_argument("--data", type=Path, default=DATA)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    print(versions(), flush=True)
    if arguments.what == "speed":
        speed(arguments)
        return
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


def speed(arguments: argparse.Namespace) -> None:
    """The table of speed."""
    for part, k in (("two", 2), ("many", 50)):
        if part in arguments.parts:
            own, y, pool, truth = posteriors(k)
            bags = np.array(list(uniform(truth, SIZE, n=arguments.bags, random_state=0)))
            names = [name for name in arguments.methods if name != "kdey" and (k == 2 or name not in TWO_ONLY)]
            for name in names:
                compared(name, own, y, pool, truth, bags, len(bags) if k == 2 else arguments.theirs, k)
    if "kde" in arguments.parts:
        own, y, pool, truth = posteriors(50)
        compared("kdey", own, y, pool, truth, np.arange(len(pool))[None, :], 1, 50)
        print(f"largest memory of this run {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6:.2f} GB")


def class_shares(_: Path) -> None:
    """1,000 bags of 2 and of 50 classes: CC at least 30 times as fast as QuaPy's, ACC 100 and 200, EM 5, HDy 100."""
    _speed_of(["two", "many"], ["cc", "acc", "pacc", "em", "hdy"])


def class_shares_kde(_: Path) -> None:
    """KDEy of 50 classes and 7,000 rows: at least 20 times as fast as QuaPy's, in less than 1 GB."""
    _speed_of(["kde"], ["kdey"])


def _speed_of(parts: list[str], methods: list[str]) -> None:
    warnings.simplefilter("ignore")
    speed(argparse.Namespace(parts=parts, methods=methods, bags=1000, theirs=50))


def posteriors(k: int, n: int = 7000) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Posteriors and classes of labeled rows and of a pool: Gaussian classes, logistic regression."""
    rng = np.random.default_rng(0)
    centers = (0.35 if k == 2 else 1.0) * np.random.default_rng(1).normal(size=(k, 20))

    def rows(size: int) -> tuple[np.ndarray, np.ndarray]:
        y = rng.permutation(np.arange(size) % k)
        return rng.normal(size=(size, 20)) + centers[y], y

    model = LogisticRegression(max_iter=300).fit(*rows(4000))
    (X, y), (pool, truth) = rows(n), rows(n)
    return model.predict_proba(X), y, model.predict_proba(pool), truth


def compared(name: str, own: Any, y: Any, pool: Any, truth: Any, bags: Any, n_theirs: int, k: int) -> None:
    """One line: seconds of a bag, their ratio, and whether the shares agree."""
    learned = ours(name).learn(Held(own, y, k))
    answers = pool.argmax(axis=1) if name in ("cc", "acc") else pool
    learned.aggregate_many(answers, bags)  # compiled before the clock
    mine = best_time(lambda: learned.aggregate_many(answers, bags), 3, time.process_time) / len(bags)
    shares = learned.aggregate_many(answers, bags)
    aggregate, data = theirs(name, own, y, k), _collection(pool, truth, k)
    other, found = _seconds(lambda: np.array([aggregate(data.sampling_from_index(bag).X) for bag in bags[:n_theirs]]))
    apart = np.abs(shares[:n_theirs] - found)
    once = other / n_theirs
    print(
        f"{name:5} {k:3} classes, {len(bags)} bags: ours {1e6 * mine:9.1f} µs a bag, QuaPy {1e6 * once:11.1f} "
        f"({n_theirs} bags), {once / mine:7.0f} times; shares differ by {apart.max():.5f} at most, "
        f"{apart.mean():.6f} in the mean",
        flush=True,
    )


def _collection(pool: Any, truth: Any, k: int) -> Any:
    from quapy.data import LabelledCollection

    return LabelledCollection(pool, truth, classes=np.arange(k))


def _seconds(call: Callable[[], Any]) -> tuple[float, Any]:
    start = time.process_time()
    found = call()
    return time.process_time() - start, found


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


BENCHMARKS: dict[str, Callable[[Path], None]] = {
    function.__name__: function for function in (class_shares, class_shares_kde)
}

if __name__ == "__main__":
    main()
