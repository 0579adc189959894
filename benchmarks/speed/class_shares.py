"""How fast class shares are counted, beside QuaPy: the same bags, the same posteriors, both in this run.

    python -m benchmarks.speed.class_shares [--bags N] [--theirs N] [--parts two many kde]

Printed are CPU seconds of a bag and their ratio: ours counts all bags in one call, QuaPy one after the other as its
evaluation does, with its aggregation and its drawing of samples. QuaPy takes long for a bag of 50 classes: ``--theirs``
says how many of the bags it is given.
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
from sklearn.linear_model import LogisticRegression

from benchmarks.league.beside_quapy import METHODS, SIZE, TWO_ONLY, ours, theirs
from benchmarks.measuring import best_time, versions
from foldless.quantifiers import Held
from foldless.quantifiers.protocols import uniform


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bags", type=int, default=1000)
    parser.add_argument("--theirs", type=int, default=50, help="bags of 50 classes that QuaPy counts")
    parser.add_argument("--parts", nargs="*", default=["two", "many", "kde"])
    parser.add_argument("--methods", nargs="*", default=list(METHODS))
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    print(versions(), flush=True)
    speed(arguments)


def speed(arguments: argparse.Namespace) -> dict[str, float]:
    """The table of speed, and how many times as fast as QuaPy's each method is."""
    ratios = {}
    for part, k in (("two", 2), ("many", 50)):
        if part in arguments.parts:
            own, y, pool, truth = posteriors(k)
            bags = np.array(list(uniform(truth, SIZE, n=arguments.bags, random_state=0)))
            names = [name for name in arguments.methods if name != "kdey" and (k == 2 or name not in TWO_ONLY)]
            for name in names:
                n_theirs = len(bags) if k == 2 else arguments.theirs
                ratios[f"class_shares {name} {k}"] = compared(name, own, y, pool, truth, bags, n_theirs, k)
    if "kde" in arguments.parts:
        own, y, pool, truth = posteriors(50)
        bags = np.arange(len(pool))[None, :]
        ratios["class_shares kdey 50"] = compared("kdey", own, y, pool, truth, bags, 1, 50)
        print(f"largest memory of this run {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6:.2f} GB")
    return ratios


def class_shares(_: Path) -> dict[str, float]:
    """1,000 bags of 2 and of 50 classes: CC at least 30 times as fast as QuaPy's, ACC 100 and 200, EM 5, HDy 100."""
    return _speed_of(["two", "many"], ["cc", "acc", "pacc", "em", "hdy"])


def class_shares_kde(_: Path) -> dict[str, float]:
    """KDEy of 50 classes and 7,000 rows: at least 20 times as fast as QuaPy's, in less than 1 GB."""
    return _speed_of(["kde"], ["kdey"])


def _speed_of(parts: list[str], methods: list[str]) -> dict[str, float]:
    warnings.simplefilter("ignore")
    return speed(argparse.Namespace(parts=parts, methods=methods, bags=1000, theirs=50))


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


def compared(name: str, own: Any, y: Any, pool: Any, truth: Any, bags: Any, n_theirs: int, k: int) -> float:
    """One line: seconds of a bag, their ratio, which is returned, and whether the shares agree."""
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
    return once / mine


def _collection(pool: Any, truth: Any, k: int) -> Any:
    from quapy.data import LabelledCollection

    return LabelledCollection(pool, truth, classes=np.arange(k))


def _seconds(call: Callable[[], Any]) -> tuple[float, Any]:
    start = time.process_time()
    found = call()
    return time.process_time() - start, found


BENCHMARKS: dict[str, Callable[[Path], dict[str, float]]] = {
    function.__name__: function for function in (class_shares, class_shares_kde)
}

if __name__ == "__main__":
    main()
