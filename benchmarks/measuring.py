"""How the benchmarks measure: the best time of a few, by the wall or by the processor, with the versions in the row."""

import json
import platform
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

import joblib
import numpy as np
import sklearn

import foldless

Clock = Callable[[], float]  # time.perf_counter, or time.process_time, which does not count what others do


def best_time(run: Callable[[], Any], repeats: int = 3, clock: Clock = time.perf_counter) -> float:
    """The least time of some repeats, in seconds."""
    return best_times([run], repeats, clock)[0]


def best_times(sides: Sequence[Callable[[], Any]], repeats: int, clock: Clock = time.perf_counter) -> list[float]:
    """The least time of every side, which take turns, so that a busy machine hurts all."""
    best = [np.inf] * len(sides)
    for _ in range(repeats):
        for at, side in enumerate(sides):
            start = clock()
            side()
            best[at] = min(best[at], clock() - start)
    return best


def told_by(module: str, *words: str) -> Any:
    """What a benchmark prints last, as JSON, in a process of its own: its memory is that of nothing else."""
    done = subprocess.run([sys.executable, "-m", module, *words], check=True, capture_output=True, text=True)
    return json.loads(done.stdout.splitlines()[-1])


def versions() -> str:
    """What was measured, and on what."""
    return (
        f"foldless {foldless.__version__}, scikit-learn {sklearn.__version__}, numpy {np.__version__}, "
        f"joblib {joblib.__version__}, Python {platform.python_version()}, {platform.machine()}, "
        f"{joblib.cpu_count()} cores"
    )
