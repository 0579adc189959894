"""How time and memory grow with the pool, the candidates, the classes and the columns: at most linearly.

Every point is a process of its own: seconds of CPU of the call, and the largest memory beyond that of the imports.
``python benchmarks/growth.py`` prints the table and writes docs/_static/growth.svg; ``--full`` adds the largest sizes.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

PICTURE = Path(__file__).parents[1] / "docs" / "_static" / "growth.svg"
SIZES = {
    "rows of the pool": ([1_000, 10_000, 100_000], [1_000_000]),
    "candidates": ([10, 100], [1_000]),
    "classes": ([2, 10, 100], [1_000]),
    "columns of a file": ([10, 100, 1_000, 10_000], [100_000]),
}


def problem(what: str, n: int) -> Any:
    """The call to measure, with its data made."""
    import numpy as np
    from sklearn.naive_bayes import GaussianNB

    from foldless import FoldlessSearch
    from foldless.learners import LinearSVC

    rng = np.random.default_rng(0)
    if what == "columns of a file":
        return _file(n, rng)
    k = n if what == "classes" else 2
    y = np.arange(max(100, 4 * k)) % k
    centers = rng.normal(size=(k, 10)) * 3
    pool = rng.normal(size=(n if what == "rows of the pool" else 5_000, 10)) + centers[0]
    model, grid = (GaussianNB(), {"var_smoothing": np.logspace(-9, 0, n)}) if what == "candidates" else (
        LinearSVC(), {"C": [0.1, 1, 10]}
    )  # fmt: skip
    search = FoldlessSearch(model, grid, criterion="quantification_bound", random_state=0, estimate=False)
    X = rng.normal(size=(len(y), 10)) + centers[y]
    return lambda: search.fit(X, y, X_unlabeled=pool)


def _file(n: int, rng: Any) -> Any:
    from foldless import FoldlessSearch
    from foldless.tables import candidates, read_problem

    path = Path(tempfile.mkdtemp()) / "t.csv"
    rows = "".join(",".join(f"{value:.2f}" for value in rng.normal(size=n)) + f",{'ab'[at % 2]}\n" for at in range(12))
    path.write_text(",".join([*(f"c{at}" for at in range(n)), "y"]) + "\n" + rows)

    def run() -> None:
        read = read_problem(str(path), "y")
        made = candidates({"linear-svc": {"C": [1.0]}}, read.columns)
        FoldlessSearch(made, criterion="hold_out", random_state=0, estimate=False).fit(read.X, read.y)

    return run


def measure(what: str, n: int) -> tuple[float, float]:
    """Seconds of CPU and megabytes of one call, after a small one has imported and compiled everything."""
    problem(what, SIZES[what][0][0])()
    call = problem(what, n)
    before, start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    call()
    seconds = time.process_time() - start
    return seconds, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--one", nargs=2, metavar=("WHAT", "N"))
    given = parser.parse_args()
    if given.one:
        print(json.dumps(measure(given.one[0], int(given.one[1]))))
        return
    found: dict[str, list[tuple[int, float, float]]] = {}
    for what, (few, more) in SIZES.items():
        for n in few + (more if given.full else []):
            done = subprocess.run([sys.executable, __file__, "--one", what, str(n)], capture_output=True, check=True)
            seconds, megabytes = json.loads(done.stdout.splitlines()[-1])
            found.setdefault(what, []).append((n, seconds, megabytes))
            print(f"{what:18} {n:>9,} {seconds:8.2f} s CPU {megabytes:8.0f} MB", flush=True)
    draw(found)


def draw(found: dict[str, list[tuple[int, float, float]]]) -> None:
    """Seconds over size, with a line of slope one through the last point of each."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams |= {"svg.hashsalt": "growth", "svg.fonttype": "none"}
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(2, len(found), figsize=(3 * len(found), 4.6), constrained_layout=True, squeeze=False)
    for column, (what, points) in enumerate(found.items()):
        sizes = [point[0] for point in points]
        for row, (unit, at) in enumerate((("seconds of CPU", 1), ("MB", 2))):
            axis, values = axes[row][column], [max(point[at], 0.01) for point in points]
            axis.loglog(sizes, values, "o-", color="#1f5fa8")
            axis.loglog(sizes, [values[-1] * n / sizes[-1] for n in sizes], "--", color="#999999", linewidth=1)
            axis.set_xlabel(what if row else "")
            axis.set_ylabel("" if column else unit)
            axis.grid(alpha=0.3)
    figure.savefig(PICTURE, metadata={"Date": None})


if __name__ == "__main__":
    main()
