"""How often does `foldless check` report an issue of files that have none? At most one in twenty is allowed.

    python -m benchmarks.coverage.clean_files [--draws N] [--from SEED] [--labels N ...] [--fast] [--record FILE]

Files are drawn from ten populations: those of `benchmarks.coverage.planted_faults`, and numbers that are skewed,
rounded, heavy in their tails, all categories, or separable. Labels, pool and test rows are draws of one population.
Draws that a record has are not made again: a run that was broken off goes on. One draw of each set comes before the
next, so that a run that is not over has all sets. With more than 200 ``--labels``, rows of the pool are labeled too.
"""

import argparse
import os
from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import pandas as pd

from benchmarks.coverage import planted_faults as planted
from benchmarks.measuring import versions
from benchmarks.records import keep, kept

N = 1100


def heavy(rng: np.random.Generator) -> planted.Files:
    """Tails of a t distribution with three degrees of freedom."""
    y = rng.integers(2, size=N)
    return planted.split(
        pd.DataFrame(rng.standard_t(3, size=(N, 6)) + y[:, None] * 0.7).rename(columns="v{}".format), y, rng
    )


def rounded(rng: np.random.Generator) -> planted.Files:
    """Numbers of one digit."""
    y = rng.integers(3, size=N)
    return planted.split(
        pd.DataFrame((rng.normal(size=(N, 5)) * 2 + y[:, None]).round()).rename(columns="v{}".format), y, rng
    )


def categories(rng: np.random.Generator) -> planted.Files:
    """Five categories of a few values, so that rows are equal by chance."""
    y = rng.integers(2, size=N)
    frame = pd.DataFrame(
        {f"c{at}": np.array(list("abcd"))[(rng.integers(4, size=N) + y * (at < 2)) % 4] for at in range(5)}
    )
    return planted.split(frame, y, rng)


def separable(rng: np.random.Generator) -> planted.Files:
    """Classes that every column tells apart, as a good measurement does."""
    y = rng.integers(2, size=N)
    return planted.split(pd.DataFrame(rng.normal(size=(N, 4)) + 5 * y[:, None]).rename(columns="v{}".format), y, rng)


def skewed(rng: np.random.Generator) -> planted.Files:
    """Log-normal numbers, counts with many zeros, and values that are missing at random."""
    y = (rng.random(N) < 0.25).astype(int)
    frame = pd.DataFrame(
        {
            "amount": np.exp(1.5 * rng.normal(size=N) + 0.8 * y), "visits": rng.poisson(0.8 + y, N).astype(float),
            "ratio": rng.beta(0.5, 0.5, N), "size": rng.gamma(2, 3, N),
        }
    )  # fmt: skip
    return planted.split(frame.mask(rng.random(frame.shape) < 0.05), y, rng)


SETS = planted.SETS | {f.__name__: f for f in (heavy, rounded, categories, separable, skewed)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=200)
    parser.add_argument("--from", type=int, default=0, dest="first", help="the first seed")
    parser.add_argument("--labels", type=int, nargs="*", default=[60, 200])
    parser.add_argument("--sets", nargs="*", default=list(SETS), choices=list(SETS))
    parser.add_argument("--fast", action="store_true", help="only what needs no model")
    parser.add_argument("--record", type=Path, help="a file of one line for each draw")
    arguments = parser.parse_args()
    print(versions(), flush=True)
    rows = kept(arguments.record)
    made = {(row["labels"], row["set"], row["seed"]) for row in rows}
    seeds = range(arguments.first, arguments.first + arguments.draws)
    for seed, n, name in product(seeds, arguments.labels, arguments.sets):
        if (n, name, seed) in made:
            continue
        findings = of_draw(name, n, seed, arguments.fast)
        codes = {part: sorted({one.code for one in getattr(findings, part)}) for part in ("issues", "tips")}
        rows.append({"labels": n, "set": name, "seed": seed, **codes})
        keep(arguments.record, rows[-1:])
    table = pd.DataFrame(rows).assign(
        issue=lambda rows: rows["issues"].map(bool), n_tips=lambda rows: rows["tips"].map(len)
    )
    print(table.groupby(["labels", "set"], sort=False)[["issue", "n_tips"]].mean().round(3).to_string())
    issues, tips = (Counter(code for codes in table[part] for code in codes) for part in ("issues", "tips"))
    print(
        f"files with an issue {table['issue'].mean():.4f} of {len(table):,}; by code {dict(issues)}; tips {dict(tips)}"
    )


def of_draw(name: str, n: int, seed: int, fast: bool) -> Any:
    """The findings of one draw with n labels."""
    files = SETS[name](np.random.default_rng([seed, n, 7]))
    X, y, pool = files.X[:n], files.y[:n], files.pool
    if more := max(0, n - len(files.X)):  # of the pool, whose labels are known here
        X, y, pool = pd.concat([X, pool[:more]]), np.concatenate([y, files.y_pool[:more]]), pool[more:]
    few = planted.Files(X.reset_index(drop=True), y, pool.reset_index(drop=True), files.test, files.y_test)
    return few.check(fast=fast)


if __name__ == "__main__":
    main()
