"""How time and memory grow with the pool, the candidates, the classes and the columns: at most linearly.

Every point is a process of its own: seconds of CPU of the call, and the largest memory beyond that of the imports.
``python -m benchmarks.scale.growth`` prints the points, keeps them in results/growth/points.csv and draws them for the
docs; ``--full`` adds the largest sizes, ``--only WHAT`` measures one kind again and leaves the others as they are.
"""

import argparse
import csv
import json
import resource
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.measuring import told_by
from benchmarks.places import PICTURES, RESULTS

PICTURE = PICTURES / "growth.svg"
KEPT = RESULTS / "growth" / "points.csv"
LABELS, POOL, WIDTH = 100, 5_000, 10
BESIDE = 4  # pictures


def pool(n: int, rng: Any) -> Any:
    """A bound of three linear classifiers: answers of n rows from each."""
    return _search("quantification_bound", _path(), 2, LABELS, n, rng)


def default(n: int, rng: Any) -> Any:
    """The default criterion, which gives the pool a vote in every round."""
    return _search("auto", _path(), 2, LABELS, n, rng)


def dagging(n: int, rng: Any) -> Any:
    """As many fits as the pool has times the rows of the labels, and a vote of all of them on the pool."""
    return _search("dagging", _bayes(1), 2, 10 * LABELS, n, rng)


def answers(n: int, rng: Any) -> Any:
    """Answers of 400 candidates about n rows, which are kept in files beyond half a gigabyte."""
    return _search("quantification_bound", _bayes(400), 2, LABELS, n, rng, width=2)


def probabilities(n: int, rng: Any) -> Any:
    """Probabilities of 100 candidates for n rows, which `ada` needs at once."""
    return _search("ada", _bayes(100), 2, LABELS, n, rng, width=2)


def candidates(n: int, rng: Any) -> Any:
    return _search("quantification_bound", _bayes(n), 2, LABELS, POOL, rng)


def classes(n: int, rng: Any) -> Any:
    """As many labels at 2 classes as at 3,000, which have four each."""
    return _search("quantification_bound", _path(), n, 12_000, POOL, rng)


def columns(n: int, rng: Any) -> Any:
    """A CSV file of 12 rows, read and learned; one of its columns is the class."""
    from foldless import FoldlessSearch
    from foldless.tables import candidates, read_problem

    path = Path(tempfile.mkdtemp()) / "t.csv"
    values = [[*(f"{value:.2f}" for value in rng.normal(size=n - 1)), "ab"[at % 2]] for at in range(12)]
    path.write_text("\n".join(",".join(row) for row in [[*(f"c{at}" for at in range(n - 1)), "y"], *values]))

    def run() -> None:
        read = read_problem(str(path), "y")
        made = candidates({"linear-svc": {"C": [1.0]}}, read.columns)
        FoldlessSearch(made, criterion="hold_out", random_state=0, estimate=False).fit(read.X, read.y)

    return run


def stream(n: int, rng: Any) -> Any:
    """A stream of 12,000 rows with a column of strings."""
    from foldless.streams import train

    path = Path(tempfile.mkdtemp()) / "s.csv"
    rows = (f"{rng.normal() + at % n:.2f},word{at % 97},class{at % n}\n" for at in range(12_000))
    path.write_text("x,word,y\n" + "".join(rows))
    return lambda: train(str(path), label="y", save=str(path.with_suffix(".skops")))


KINDS = {
    "rows of the pool": (pool, [1_000, 10_000, 100_000], [1_000_000, 10_000_000]),
    "rows of the pool, auto": (default, [1_000, 10_000, 100_000], [1_000_000]),
    "rows of the pool, dagging": (dagging, [1_000, 10_000, 100_000], [1_000_000]),
    "rows, 400 candidates": (answers, [1_000, 10_000, 100_000], [1_000_000]),
    "rows, ada of 100 candidates": (probabilities, [1_000, 10_000, 100_000], [1_000_000]),
    "candidates": (candidates, [10, 100, 1_000], [5_000]),
    "classes": (classes, [2, 10, 100], [1_000, 3_000]),
    "classes of a stream": (stream, [2, 10, 100], [1_000, 3_000]),
    "columns of a file": (columns, [10, 100, 1_000, 10_000], [100_000]),
}


def _path() -> Any:
    from foldless.learners import LinearSVC

    return LinearSVC(), {"C": [0.1, 1, 10]}


def _bayes(n: int) -> Any:
    import numpy as np
    from sklearn.naive_bayes import GaussianNB

    return GaussianNB(), {"var_smoothing": np.logspace(-9, 0, n)}


def _search(criterion: str, candidates: Any, k: int, n_labels: int, n_pool: int, rng: Any, width: int = WIDTH) -> Any:
    """The search to measure, with its data made."""
    from foldless import FoldlessSearch

    y = rng.permutation(n_labels) % k
    centers = rng.normal(size=(k, width)) * 3
    X = rng.normal(size=(n_labels, width)) + centers[y]
    pool = rng.normal(size=(n_pool, width))
    pool += centers[0]
    search = FoldlessSearch(*candidates, criterion=criterion, random_state=0, estimate=False)
    return lambda: search.fit(X, y, X_unlabeled=pool)


def measure(what: str, n: int) -> tuple[float, float]:
    """Seconds of CPU and megabytes of one call, after two small ones have imported and compiled everything."""
    import numpy as np

    make, few, _ = KINDS[what]
    for small in few[:2]:  # tables of a few thousand numbers need no compiled code
        make(small, np.random.default_rng(0))()
    call = make(n, np.random.default_rng(0))
    before, start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    call()
    seconds = time.process_time() - start
    return seconds, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--only", action="append", choices=list(KINDS), metavar="WHAT")
    parser.add_argument("--one", nargs=2, metavar=("WHAT", "N"))
    given = parser.parse_args()
    if given.one:
        print(json.dumps(measure(given.one[0], int(given.one[1]))))
        return
    found = kept()
    for what in given.only or KINDS:
        _, few, more = KINDS[what]
        for n in few + (more if given.full else []):
            seconds, megabytes = told_by(__spec__.name, "--one", what, str(n))
            found[what, n] = seconds, megabytes
            print(f"{what:27} {n:>10,} {seconds:8.2f} s CPU {megabytes:8.0f} MB", flush=True)
            keep(found)
    points = {
        what: [(n, *found[what, n]) for n in few + more if (what, n) in found] for what, (_, few, more) in KINDS.items()
    }
    draw({what: rows for what, rows in points.items() if rows})


def kept() -> dict[tuple[str, int], tuple[float, float]]:
    """Seconds and megabytes of earlier runs, by kind and size."""
    if not KEPT.exists():
        return {}
    with KEPT.open(newline="") as file:
        rows = list(csv.DictReader(file))
    return {(row["what"], int(row["n"])): (float(row["seconds"]), float(row["megabytes"])) for row in rows}


def keep(found: dict[tuple[str, int], tuple[float, float]]) -> None:
    places = {what: at for at, what in enumerate(KINDS)}
    with KEPT.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["what", "n", "seconds", "megabytes"])
        for (what, n), (seconds, megabytes) in sorted(found.items(), key=lambda item: (places[item[0][0]], item[0][1])):
            writer.writerow([what, n, f"{seconds:.3f}", f"{megabytes:.1f}"])


def draw(found: dict[str, list[tuple[int, float, float]]]) -> None:
    """Seconds over size, with a line of slope one through the last point of each."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams |= {"svg.hashsalt": "growth", "svg.fonttype": "none"}
    from matplotlib import pyplot as plt

    height = 2 * -(-len(found) // BESIDE)
    figure, axes = plt.subplots(
        height, BESIDE, figsize=(3 * BESIDE, 2.3 * height), constrained_layout=True, squeeze=False
    )
    for axis in axes.flat[len(found) :]:
        axis.set_visible(False)
    for place, (what, points) in enumerate(found.items()):
        block, column = divmod(place, BESIDE)
        sizes = [point[0] for point in points]
        for row, (unit, at) in enumerate((("seconds of CPU", 1), ("MB", 2))):
            axis, values = axes[2 * block + row][column], [max(point[at], 0.01) for point in points]
            axis.set_visible(True)
            axis.loglog(sizes, values, "o-", color="#1f5fa8")
            axis.loglog(sizes, [values[-1] * n / sizes[-1] for n in sizes], "--", color="#999999", linewidth=1)
            axis.set_xlabel(what if row else "")
            axis.set_ylabel("" if column else unit)
            axis.grid(alpha=0.3)
    figure.savefig(PICTURE, metadata={"Date": None})


if __name__ == "__main__":
    main()
