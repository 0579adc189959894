"""2,000 fits of 5 ms on two Dask workers, beside the two processes of loky, and the calls that each takes.

    python -m benchmarks.scale.cluster_overhead

Both sides take turns. The ratio is of wall time; what workers compute is sleep, so that it does not depend on the load
of the machine. A cluster, and loky's processes, are started before the clock.
"""

import argparse
import json
import sys
import time
from typing import Any

import joblib
import numpy as np
from sklearn.dummy import DummyClassifier

from benchmarks.measuring import versions
from benchmarks.places import RESULTS
from benchmarks.scale.clusters import local_cluster
from foldless import FoldlessSearch

KEPT = RESULTS / "overhead" / "overhead.json"


class Sleeper(DummyClassifier):
    """A fit of some milliseconds."""

    def __init__(self, seconds: float = 0.005, constant: int = 0):
        super().__init__(strategy="constant", constant=constant)
        self.seconds = seconds

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "Sleeper":
        time.sleep(self.seconds)
        return super().fit(X, y, sample_weight)


def search(fits: int, seconds: float) -> FoldlessSearch:
    """So many fits by five folds; each candidate is another constant."""
    grid = {"seconds": [seconds + 1e-9 * at for at in range(fits // 5)]}
    return FoldlessSearch(Sleeper(), grid, criterion="k_fold", random_state=0, estimate=False)


def wall(backend: str, fits: int, seconds: float) -> float:
    """Seconds of a search."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 5)), np.arange(200) % 2
    settings = {"n_jobs": 2} if backend == "loky" else {}
    with joblib.parallel_config(backend, **settings):
        start = time.perf_counter()
        found = search(fits, seconds).fit(X, y)
        assert found.selection_.n_fits.run == fits // 5 * 5
        return time.perf_counter() - start


def main() -> None:
    """Print the ratio, and keep it."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--fits", type=int, default=2_000)
    parser.add_argument("--seconds", type=float, default=0.005)
    parser.add_argument("--repeats", type=int, default=3)
    given = parser.parse_args()
    best = {"dask": np.inf, "loky": np.inf}
    with local_cluster(2, 1):
        for backend in best:
            wall(backend, 20, given.seconds)
        for _ in range(given.repeats):
            for backend in best:
                best[backend] = min(best[backend], wall(backend, given.fits, given.seconds))
                print(f"{backend:5} {best[backend]:6.2f} s", flush=True)
    ratio = best["dask"] / best["loky"]
    ideal = given.fits * given.seconds / 2
    print(f"{given.fits:,} fits of {1e3 * given.seconds:g} ms: Dask {best['dask']:.2f} s, loky {best['loky']:.2f} s, "
          f"ratio {ratio:.2f}; {ideal:.1f} s on two workers without any overhead; {versions()}")  # fmt: skip
    KEPT.parent.mkdir(parents=True, exist_ok=True)
    row = {"fits": given.fits, "seconds": given.seconds, **best, "ratio": ratio, "versions": versions()}
    KEPT.write_text(json.dumps(row, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
