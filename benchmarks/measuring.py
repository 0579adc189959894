"""How the benchmarks measure: wall time, the best of a few, with the versions in the row."""

import platform
import time
from collections.abc import Callable, Sequence
from typing import Any

import joblib
import numpy as np
import sklearn

import foldless


def best_time(run: Callable[[], Any], repeats: int = 3) -> float:
    """The least wall time of some repeats, in seconds."""
    return best_times([run], repeats)[0]


def best_times(sides: Sequence[Callable[[], Any]], repeats: int) -> list[float]:
    """The least wall time of every side, which take turns, so that a busy machine hurts all."""
    best = [np.inf] * len(sides)
    for _ in range(repeats):
        for at, side in enumerate(sides):
            start = time.perf_counter()
            side()
            best[at] = min(best[at], time.perf_counter() - start)
    return best


def versions() -> str:
    """What was measured, and on what."""
    return (
        f"foldless {foldless.__version__}, scikit-learn {sklearn.__version__}, numpy {np.__version__}, "
        f"joblib {joblib.__version__}, Python {platform.python_version()}, {platform.machine()}, "
        f"{joblib.cpu_count()} cores"
    )
