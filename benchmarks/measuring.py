"""How the benchmarks measure: wall time, the best of a few, with the versions in the row."""

import platform
import time
from collections.abc import Callable
from typing import Any

import joblib
import numpy as np
import sklearn

import foldless


def best_time(run: Callable[[], Any], repeats: int = 3) -> float:
    """The least wall time of some repeats, in seconds."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return min(times)


def versions() -> str:
    """What was measured, and on what."""
    return (
        f"foldless {foldless.__version__}, scikit-learn {sklearn.__version__}, numpy {np.__version__}, "
        f"joblib {joblib.__version__}, Python {platform.python_version()}, {platform.machine()}, "
        f"{joblib.cpu_count()} cores"
    )
