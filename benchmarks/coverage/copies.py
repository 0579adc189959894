"""Do intervals and certificates hold where labeled rows are copies of each other, exactly or nearly?

    python -m benchmarks.coverage.copies [--draws N] [--labels N ...]

Labels are coins, so that every model has accuracy .5 on new rows. Each row is there once, three times, or three times
moved by 10⁻⁶ of its scale. The last columns are of the same draws if copies are not looked for: the broken twin.
"""

import argparse
import os
from typing import Any
from unittest import mock

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import pandas as pd
from sklearn.neighbors import KNeighborsClassifier

from benchmarks.measuring import versions
from foldless import FoldlessSearch, certify

TIMES = {"once": (1, 0.0), "three times": (3, 0.0), "three times, moved": (3, 1e-6)}
GRID = {"n_neighbors": [1, 3, 9]}
TRUTH, POOL = 0.5, 300


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=200)
    parser.add_argument("--labels", type=int, nargs="*", default=[30, 100])
    arguments = parser.parse_args()
    print(versions(), flush=True)
    rows = [
        {"rows": n, "each": each, **draw(n, *TIMES[each], seed)}
        for n in arguments.labels
        for each in TIMES
        for seed in range(arguments.draws)
    ]
    print(pd.DataFrame(rows).groupby(["rows", "each"], sort=False).mean().round(3).to_string())


def draw(n: int, times: int, moved: float, seed: int) -> dict[str, bool]:
    """Whether interval and certificate hold, and whether they do if copies are not looked for."""
    rng = np.random.default_rng([n, seed])
    X, y = np.repeat(rng.normal(size=(n, 4)), times, axis=0), np.repeat(rng.integers(2, size=n), times)
    X = X + moved * rng.normal(size=X.shape)
    pool = rng.normal(size=(POOL, 4))
    held = _holds(X, y, pool)
    with mock.patch("foldless.selection._road.checked", lambda sample: sample):
        apart = _holds(X, y, pool)
    return {**held, **{f"{name}, not looked for": value for name, value in apart.items()}}


def _holds(X: Any, y: Any, pool: Any) -> dict[str, bool]:
    search = FoldlessSearch(KNeighborsClassifier(), GRID, criterion="k_fold", random_state=0).fit(
        X, y, X_unlabeled=pool
    )
    interval = search.selection_.estimate
    certificate = certify(KNeighborsClassifier(1), X, y, X_unlabeled=pool, random_state=0)
    return {"covered": interval.lower <= TRUTH <= interval.upper, "certificate": certificate.upper >= TRUTH}


if __name__ == "__main__":
    main()
