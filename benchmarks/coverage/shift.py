"""How often labels against pool rings: without a shift (at most the level), and where class priors move from .5 to .9.

    python -m benchmarks.coverage.shift [--draws 2000] [--moved 100]

Three laws of two classes: apart on one of three features, a ring around a disk, and a weak one whose classes differ by
0.7 on 3 of 20 features (no classifier is right more often than .73). For the weak law the table also has what a test
could see that knew the best direction: Welch's test at the level, on features projected to it.
"""

import argparse
import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
from scipy.stats import binom, ttest_ind

from benchmarks.measuring import versions
from foldless.core import Candidate, PoolRows, Task
from foldless.data._opening import open_sample
from foldless.results.shift import LEVEL
from foldless.selection._compared_rows import shift_of

LAWS = ("apart", "ring", "weak")
SIZES = ((30, 300), (100, 1000))
FIRST_SEED = 20_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=2000, help="draws without a shift, over all settings")
    parser.add_argument("--moved", type=int, default=100, help="draws of each law with moved priors")
    arguments = parser.parse_args()
    print(versions(), flush=True)
    each = -(-arguments.draws // (len(LAWS) * len(SIZES)))
    false = [_line(law, n, m, 0.5, each) for law in LAWS for n, m in SIZES]
    draws = each * len(false)
    likely = binom.sf(sum(false) - 1, draws, LEVEL)
    print(f"false alarms: {sum(false)} of {draws} at level {LEVEL}; as many or more at that rate: p {likely:.2g}\n")
    for law in LAWS:
        _line(law, 100, 1000, 0.9, arguments.moved)
    known = sum(direction_known(seed) for seed in range(FIRST_SEED, FIRST_SEED + arguments.moved))
    print(f"weak, with the best direction known: {known} of {arguments.moved}")


def _line(law: str, n: int, m: int, prior: float, draws: int) -> int:
    hits = sum(alarm(law, n, m, prior, seed) for seed in range(FIRST_SEED, FIRST_SEED + draws))
    print(f"{law}, {n} labels, {m} pool rows, prior .5 and {prior}: {hits} of {draws}", flush=True)
    return hits


def alarm(law: str, n: int, m: int, prior: float, seed: int) -> bool:
    """Whether one draw rings."""
    rng = np.random.default_rng([seed, n, 77])
    X, y = rows(law, rng, n, 0.5)
    data = open_sample(X, y, rows(law, rng, m, prior)[0])
    labeled, unlabeled, _ = data.rows()
    task = Task(data.target, labeled, PoolRows(unlabeled), (Candidate(0, "none", {}),), 1, seed)
    found = shift_of(data, task)
    return found is not None and found.alarm


def direction_known(seed: int) -> bool:
    """Whether the best test of one known feature rings on the weak law: no direction has to be learned."""
    rng = np.random.default_rng([seed, 100, 77])
    mine, theirs = (rows("weak", rng, n, prior)[0][:, :3].sum(axis=1) for n, prior in ((100, 0.5), (1000, 0.9)))
    return bool(ttest_ind(mine, theirs, equal_var=False).pvalue < LEVEL)


def rows(law: str, rng: np.random.Generator, n: int, prior: float) -> tuple[np.ndarray, np.ndarray]:
    """Rows of a law whose second class has this share."""
    y = (rng.random(n) < prior).astype(int)
    if law == "apart":
        X = rng.normal(size=(n, 3))
        X[:, 0] += 2.5 * y
    elif law == "weak":
        X = rng.normal(size=(n, 20))
        X[:, :3] += 0.7 * y[:, None]
    else:
        X = rng.normal(size=(n, 2))
        X *= (1 + 2 * y[:, None]) / np.linalg.norm(X, axis=1)[:, None]
        X += 0.3 * rng.normal(size=(n, 2))
    return X, y


if __name__ == "__main__":
    main()
