"""Processor seconds until the first word and until a small answer, each in a new process; run by ``run.py``.

A select of 60 rows is timed warm and cold: with compiled kernels from a run before, and with none.
"""

import os
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np

REPEATS = 5
MAIN = "from foldless.cli import main; main()"
FIRST_WORDS: dict[str, Sequence[str]] = {
    "import sklearn": ["-c", "import sklearn"],
    "import foldless": ["-c", "import foldless"],
    "from foldless import FoldlessSearch": ["-c", "from foldless import FoldlessSearch"],
    "foldless --version": ["-c", MAIN, "--version"],
    "foldless --help": ["-c", MAIN, "--help"],
    "foldless select --help": ["-c", MAIN, "select", "--help"],
}
SHAPES = {"4 columns": 4, "30 columns": 30}


def startup(_: Path) -> None:
    """Wanted: ``--version`` and ``--help`` 0.3 s, ``FoldlessSearch`` sklearn + 0.3 s; select is mostly imports."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        sides = FIRST_WORDS | {
            f"select, 60 rows, {shape}{pool}, {state}": ["-c", MAIN, "select", *_tables(place, columns, bool(pool))]
            for shape, columns in SHAPES.items()
            for pool in ("", ", 240 in the pool")
            for state in ("warm", "cold")
        }
        seconds: dict[str, list[float]] = {name: [] for name in sides}
        for words in sides.values():
            processor_seconds(words, place / "warm")  # bytecode and kernels
        for repeat in range(REPEATS):
            for name, words in sides.items():
                kernels = place / (f"{name} {repeat}" if name.endswith("cold") else "warm")
                seconds[name].append(processor_seconds(words, kernels))
    unit = statistics.median(seconds["import sklearn"])
    for name, each in seconds.items():
        median = statistics.median(each)
        print(f"  {name}: {median:.2f} s ({min(each):.2f} to {max(each):.2f}), {median / unit:.2f} of import sklearn")


def _tables(folder: Path, columns: int, pool: bool) -> list[str]:
    """The arguments of select for 60 labeled rows of two classes, and files that hold them."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, columns))
    labels = np.where(X[:, 0] + 0.5 * X[:, 1] + 0.5 * rng.normal(size=300) > 0, "yes", "no")
    names = [f"x{at}" for at in range(columns)]
    train, unlabeled = folder / f"train{columns}.csv", folder / f"pool{columns}.csv"
    rows = [",".join(f"{value:.4f}" for value in row) for row in X]
    lines = [",".join([*names, "label"]), *(f"{row},{label}" for row, label in zip(rows[:60], labels, strict=False))]
    train.write_text("\n".join(lines) + "\n")
    unlabeled.write_text("\n".join([",".join(names), *rows[60:]]) + "\n")
    return [str(train), "--label", "label", *(["--unlabeled", str(unlabeled)] if pool else [])]


def processor_seconds(words: Sequence[str], kernels: Path) -> float:
    """User and system time of one new Python process that keeps bytecode, and compiled kernels in a folder."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment: Mapping[str, str] = {**os.environ, "NUMBA_CACHE_DIR": str(kernels), "PYTHONDONTWRITEBYTECODE": ""}
    subprocess.run([sys.executable, *words], stdout=subprocess.DEVNULL, check=True, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


BENCHMARKS: dict[str, Callable[[Path], None]] = {"startup": startup}
