"""How the benchmarks measure: the best time of a few, by the wall or by the processor, and the record of a run."""

import datetime
import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import sklearn

import foldless
from benchmarks.places import ROOT

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


def commit() -> str:
    """The code that runs; "-dirty" where it is not the committed one. Results and pages are not code."""
    dirty = _git("status", "--porcelain", "--untracked-files=no", "--", "src", ":(glob)benchmarks/**/*.py")
    return _git("rev-parse", "--short=8", "HEAD") + ("-dirty" if dirty else "")


@contextmanager
def recorded(folder: Path, command: str, seed: int | None = None) -> Iterator[None]:
    """Write beside the results of a folder how, when and on what they were made."""
    start, date = time.perf_counter(), datetime.datetime.now(datetime.timezone.utc)
    load, code = os.getloadavg()[0], commit()
    yield
    meta = {
        "command": command,
        "seed": seed,
        "versions": versions(),
        "commit": code,
        "date": date.isoformat(timespec="seconds"),
        "seconds": round(time.perf_counter() - start),
        "OMP_NUM_THREADS": os.environ.get("OMP_NUM_THREADS"),
        "load average at start and end": [round(load, 1), round(os.getloadavg()[0], 1)],
    }
    (folder / "meta.json").write_text(json.dumps(meta, indent=1) + "\n", encoding="utf-8")


def _git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()
