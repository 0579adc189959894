"""How often the tests of shift ring: without a shift (at most the level), and on shifts of known size.

    python -m benchmarks.coverage.shift [--draws 600] [--moved 40]     labels against pool
    python -m benchmarks.coverage.shift --peers FILE                   beside what `shift_peers` has written
    python -m benchmarks.coverage.shift --shares [--runs 40]           intervals of class shares under covariate shift
    python -m benchmarks.coverage.shift --by [--runs 40]               the same, month by month of a pool with a season

Labels against pool: rows of 20 features, of which three tell the classes; a shift of the pool is of known size. "today"
is the alarm where the chosen model is a logistic regression, "features only" the alarm without a model, and "kernel
only" what its classifier and class scores had found by themselves with the whole level, which was the test before
columns were compared. Beside them are Kolmogorov-Smirnov tests of each feature with Bonferroni's
correction, and the permutation test of the maximum mean discrepancy with a Gaussian kernel: what KSDrift and MMDDrift
of alibi-detect are. Tests of other packages run in an environment of their own (`shift_peers`). A change of the classes
of rows that look alike (concept shift) changes no feature: no test can see it without labels of the pool.

Class shares: labels of two classes, and a pool whose shares have moved (prior shift) or whose rows have (covariate
shift), counted as `foldless.quantify` does with fewer bootstrap draws. Coverage is of intervals where there is one.

Months: labels are drawn from the whole year, and each of twelve months is a bag of 50 to 300 rows. In each the share of
the second class has its season, and rows of a class stay as they are ("prior"); or features have their season, with
classes of rows that look alike as they are: of those that the class depends on ("covariate", and half as much, "mild"),
or of them and others ("weather").
"""

import argparse
import os
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
from scipy.stats import binom, ks_2samp
from sklearn.linear_model import LogisticRegression

from benchmarks.coverage.class_shares import answered
from benchmarks.coverage.shift_laws import FIRST_SEED, SHIFTS, SIZES, WIDTH, pair
from benchmarks.measuring import versions
from benchmarks.records import kept
from foldless.accuracy._prior_shift import prior_shift
from foldless.accuracy._shift import WEIGHTS, ModelOutputs
from foldless.core import Candidate, PoolRows, Task
from foldless.data._compared_columns import compared_columns
from foldless.data._opening import open_sample
from foldless.quantifiers import Bags, resolve
from foldless.quantifiers import _intervals as intervals
from foldless.results.shift import LEVEL
from foldless.selection._compared_rows import shift_of

PERMUTATIONS = 199
MONTHS = 12


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=600, help="draws without a shift, over all sizes")
    parser.add_argument("--moved", type=int, default=40, help="draws of each shift and size")
    parser.add_argument("--shares", action="store_true", help="intervals of class shares instead")
    parser.add_argument("--by", action="store_true", help="intervals of class shares by month instead")
    parser.add_argument("--peers", type=Path, help="alarms of other packages on the same rows, to print beside ours")
    parser.add_argument("--first", type=int, default=FIRST_SEED, help="the first seed")
    parser.add_argument("--runs", type=int, default=40, help="of each kind of shift and size")
    arguments = parser.parse_args()
    print(versions(), flush=True)
    if arguments.shares:
        of_shares(arguments.runs)
        return
    if arguments.by:
        of_months(range(arguments.first, arguments.first + arguments.runs))
        return
    lines = [] if arguments.peers is None else list(kept(arguments.peers))
    peers = {(each["shift"], each["labels"], each["test"]): each for each in lines}
    each = -(-arguments.draws // len(SIZES))
    false = [line("no shift", n, m, each, peers) for n, m in SIZES]
    draws = each * len(SIZES)
    likely = binom.sf(sum(false) - 1, draws, LEVEL)
    print(f"false alarms: {sum(false)} of {draws} at level {LEVEL}; as many or more at that rate: p {likely:.2g}\n")
    for name, size in SHIFTS.items():
        for n, m in SIZES:
            line(name, n, m, arguments.moved, peers, **size)


def line(name: str, n: int, m: int, draws: int, peers: dict[tuple[str, int, str], Any], **size: float) -> int:
    """Print how often each test rings; how often ours does."""
    theirs = [
        f", {test} {alarms['alarms']} of {alarms['draws']}"
        for (shift, labels, test), alarms in peers.items()
        if (shift, labels) == (name, n)
    ]
    alarms = np.array([alarms_of(n, m, seed, size) for seed in range(FIRST_SEED, FIRST_SEED + draws)])
    ours, without, kernel, ks, mmd = (int(total) for total in alarms.sum(axis=0))
    print(f"{name} | {n} labels, {m} pool rows | of {draws}: today {ours}, features only {without}, kernel only "
          f"{kernel}, Kolmogorov-Smirnov {ks}, MMD {mmd}{''.join(theirs)}", flush=True)  # fmt: skip
    return ours


def alarms_of(n: int, m: int, seed: int, size: dict[str, float]) -> tuple[bool, ...]:
    """Whether one draw rings, by each test."""
    X, y, pool, rng = pair(n, m, seed, size)
    data = open_sample(X, y, pool)
    labeled, unlabeled, _ = data.rows()
    task = Task(data.target, labeled, PoolRows(unlabeled), (Candidate(0, "none", {}),), 1, seed)
    shift = shift_of(data, task, model_outputs(X, y, pool, np.random.default_rng([seed, n, 78])))
    assert shift is not None
    without = min(p / WEIGHTS[name] for name, p in shift.p_values.items() if name != "model outputs") <= LEVEL
    kernel = 2 * min(shift.auc_p_value, shift.shares_p_value) < LEVEL
    ks = min(ks_2samp(X[:, at], pool[:, at], method="asymp").pvalue for at in range(WIDTH)) * WIDTH <= LEVEL
    return shift.alarm, bool(without), bool(kernel), bool(ks), mmd_alarm(X, pool[: 600 - min(n, 300)], rng)


def model_outputs(X: np.ndarray, y: np.ndarray, pool: np.ndarray, rng: np.random.Generator) -> ModelOutputs:
    """What logistic regression on folds says of the labels left out, and each fold of its share of the pool."""
    fold, turn = rng.permutation(len(X)) % 5, np.arange(len(pool)) % 5
    mine, theirs = np.zeros((len(X), 2)), np.zeros((len(pool), 2))
    for at in range(5):
        model = LogisticRegression(C=0.1).fit(X[fold != at], y[fold != at])
        mine[fold == at], theirs[turn == at] = model.predict_proba(X[fold == at]), model.predict_proba(pool[turn == at])
    return ModelOutputs(mine.argmax(axis=1), theirs.argmax(axis=1), mine.max(axis=1), theirs.max(axis=1))


def mmd_alarm(X: np.ndarray, pool: np.ndarray, rng: np.random.Generator) -> bool:
    """The permutation test of the maximum mean discrepancy; the width is the median distance."""
    both = np.vstack([X, pool])
    squared = ((both[:, None] - both[None]) ** 2).sum(axis=2) if len(both) < 400 else _squared(both)
    gram = np.exp(-squared / np.median(squared[squared > 0]))
    member = np.arange(len(both)) < len(X)
    weights = np.where(member, 1 / len(X), -1 / len(pool))
    drawn = rng.permuted(np.tile(weights, (PERMUTATIONS, 1)), axis=1)
    farther = (np.einsum("ri,ri->r", drawn @ gram, drawn) >= weights @ gram @ weights).sum()
    return bool((1 + farther) / (1 + PERMUTATIONS) <= LEVEL)


def _squared(X: np.ndarray) -> np.ndarray:
    lengths = (X**2).sum(axis=1)
    return np.maximum(0, lengths[:, None] + lengths - 2 * X @ X.T)


def of_shares(runs: int) -> None:
    """How often intervals of class shares hold the truth where there are any, and how often there are none."""
    intervals.DRAWS = intervals.DRAWS_OF_LIKELIHOOD = 59
    for kind in ("prior", "covariate", "selection"):
        for n in (100, 300):
            table = np.array([share_run(kind, n, seed) for seed in range(FIRST_SEED, FIRST_SEED + runs)])
            alarm, before, doubtful, plain, held = table.T
            silent = alarm == 0
            print(f"{kind}, {n} labels | alarms {alarm.mean():.2f} (answers only {before.mean():.2f}), wide "
                  f"{doubtful.mean():.2f} | without alarm, {int(silent.sum())} runs: prior-shift interval holds "
                  f"{plain[silent].mean() if silent.any() else np.nan:.2f}, interval shown "
                  f"{held[silent].mean() if silent.any() else np.nan:.2f}", flush=True)  # fmt: skip


def share_run(kind: str, n: int, seed: int) -> tuple[bool, bool, bool, bool, bool]:
    rng = np.random.default_rng([seed, n, 5])
    X, y, pool, share = share_rows(kind, rng, n)
    held, answers = answered(X, y, pool, rng)
    bags = Bags.whole(len(pool))
    _, lower, upper = intervals.shares_with_ends(resolve("map"), held, answers, bags, 0.95, rng, 5)
    before = prior_shift(held, answers, rng, 5)
    test = prior_shift(held, answers, rng, 5, compared_columns([X, pool], rng))
    assert before is not None
    assert test is not None
    least, most = intervals.ends_under_covariate_shift(held, answers, bags, 0.95, 5)
    plain = lower[0, 1] <= share <= upper[0, 1]
    both = min(lower[0, 1], least[0, 1]) <= share <= max(upper[0, 1], most[0, 1])
    return test.alarm, before.alarm, test.doubtful, bool(plain), bool(both if test.doubtful else plain)


def share_rows(kind: str, rng: np.random.Generator, n: int, m: int = 1000) -> tuple[np.ndarray, ...]:
    """Labels, a pool, and the share of the second class in the pool's population."""
    direction, width = np.array([1.2, 0.8, 0.5, 0, 0, 0, 0, 0]), 8
    if kind == "prior":
        share = 0.1 + 0.8 * rng.random()
        y, truth = (rng.random(n) < 0.4).astype(int), (rng.random(m) < share).astype(int)
        X, pool = (rng.normal(size=(len(codes), width)) + direction * codes[:, None] for codes in (y, truth))
        return X, y, pool, share
    X = rng.normal(size=(n, width))
    moved = rng.normal(size=width) * (0.3 if kind == "covariate" else 0)

    def drawn(size: int) -> np.ndarray:
        many = rng.normal(size=(4 * size, width)) + moved
        kept = rng.random(len(many)) < 1 / (1 + np.exp(-1.5 * many[:, 0] - many[:, 4]))
        return many[kept][:size] if kind == "selection" else many[:size]

    def chance(rows: np.ndarray) -> np.ndarray:
        return 1 / (1 + np.exp(0.5 - 1.3 * rows @ direction))

    return X, (rng.random(n) < chance(X)).astype(int), drawn(m), float(chance(drawn(20_000)).mean())


def of_months(seeds: range) -> None:
    """The same of the months of a year; widths are mean widths of the intervals shown."""
    intervals.DRAWS = intervals.DRAWS_OF_LIKELIHOOD = 59
    for kind in ("prior", "covariate", "mild", "weather"):
        for n in (100, 300):
            table = np.concatenate([month_runs(kind, n, seed) for seed in seeds])
            alarm, doubtful, plain, shown, width = table.T
            silent = alarm == 0
            print(f"{kind} by month, {n} labels, {len(table)} bags | no interval {alarm.mean():.2f}, wide "
                  f"{doubtful.mean():.2f} | without alarm: prior-shift interval holds {plain[silent].mean():.3f}, "
                  f"shown {shown[silent].mean():.3f}, width {width[silent].mean():.2f}", flush=True)  # fmt: skip


def month_runs(kind: str, n: int, seed: int) -> np.ndarray:
    """Of each month: alarm, wide, whether the prior-shift interval holds, whether that shown does, and its width."""
    rng = np.random.default_rng([seed, n, 12])
    sizes = rng.integers(50, 301, MONTHS)
    (X, y, _), *months = season_rows(kind, rng, [n, *sizes])
    pool, truth = np.concatenate([rows for rows, _, _ in months]), np.array([share for _, _, share in months])
    held, answers = answered(X, y, pool, rng)
    bags = Bags(np.arange(len(pool)), np.concatenate([[0], np.cumsum(sizes)]), len(pool))
    _, lower, upper = intervals.shares_with_ends(resolve("map"), held, answers, bags, 0.95, rng, 5)
    least, most = intervals.ends_under_covariate_shift(held, answers, bags, 0.95, 5)
    of_rows, lines = answers.reshape(5, len(pool), 2), []
    for at, members in enumerate(bags.parts()):
        bag = of_rows[:, members].reshape(-1, 2)
        test = prior_shift(held, bag, rng, 5, compared_columns([X, pool[members]], rng))
        assert test is not None
        plain = lower[at, 1], upper[at, 1]
        shown = (min(plain[0], least[at, 1]), max(plain[1], most[at, 1])) if test.doubtful else plain
        holds = [a <= truth[at] <= b for a, b in (plain, shown)]
        lines.append((test.alarm, test.doubtful, *holds, shown[1] - shown[0]))
    return np.array(lines, dtype=float)


def season_rows(kind: str, rng: np.random.Generator, sizes: list[int]) -> list[tuple[np.ndarray, np.ndarray, float]]:
    """Rows, classes, and the share of the second class in the population: of the whole year, then of each month."""
    direction, width = np.array([1.2, 0.8, 0.5, 0, 0, 0, 0, 0]), 8
    season = np.sin(2 * np.pi * np.arange(MONTHS) / MONTHS)
    moved = rng.normal(size=width) * (0.3 if kind == "mild" else 0.6) * (1 if kind == "weather" else direction > 0)

    def drawn(months: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        rows = rng.normal(size=(len(months), width))
        if kind == "prior":
            chances = 0.4 + 0.3 * season[months]
            y = (rng.random(len(months)) < chances).astype(int)
            return rows + direction * y[:, None], y, chances
        rows += season[months][:, None] * moved
        chances = 1 / (1 + np.exp(0.5 - 1.3 * rows @ direction))
        return rows, (rng.random(len(months)) < chances).astype(int), chances

    of_parts = [rng.integers(MONTHS, size=sizes[0]), *(np.full(m, at) for at, m in enumerate(sizes[1:]))]
    parts = []
    for months in of_parts:
        many = drawn(np.tile(months, 1 + 20_000 // len(months)))[2]
        rows, y, _ = drawn(months)
        parts.append((rows, y, float(many.mean())))
    return parts


if __name__ == "__main__":
    main()
