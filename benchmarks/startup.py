"""Processor seconds until the first word: imports and help pages, each in a new process; run by ``speed.py``."""

import resource
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

REPEATS = 5
MAIN = "from foldless.cli import main; main()"
SIDES: dict[str, Sequence[str]] = {
    "import sklearn": ["-c", "import sklearn"],
    "import foldless": ["-c", "import foldless"],
    "from foldless import FoldlessSearch": ["-c", "from foldless import FoldlessSearch"],
    "foldless --version": ["-c", MAIN, "--version"],
    "foldless --help": ["-c", MAIN, "--help"],
    "foldless select --help": ["-c", MAIN, "select", "--help"],
}


def startup(_: Path) -> None:
    """``--version`` takes at most 0.2 s, ``--help`` 0.4 s, and ``import foldless`` that of scikit-learn plus 0.15 s."""
    best = dict.fromkeys(SIDES, np.inf)
    for _repeat in range(REPEATS):
        for name, words in SIDES.items():
            best[name] = min(best[name], processor_seconds(words))
    for name, seconds in best.items():
        print(f"  {name}: {seconds:.2f} s, {seconds / best['import sklearn']:.2f} of import sklearn")


def processor_seconds(words: Sequence[str]) -> float:
    """User and system time of one new Python process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *words], stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


BENCHMARKS: dict[str, Callable[[Path], None]] = {"startup": startup}
