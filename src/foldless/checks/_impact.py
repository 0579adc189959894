"""How much a finding matters: the difference of two estimates that share rows, with its interval.

The estimates are means of z over n rows and of z′ over n′ rows; a unit of rows that belong together moves their
difference by d = Σ (z′ − m′) / n′ − Σ (z − m) / n, and the variance is Σ d², 1.5 times as large because folds share
training rows.
"""

import numpy as np
from scipy import stats

from foldless.accuracy._difference import INFLATED
from foldless.checks._checked_data import HeldOutAnswers
from foldless.core import Array
from foldless.results.findings import Impact

CONFIDENCE = 0.95


def impact_of(
    before: HeldOutAnswers, after: HeldOutAnswers, words: str, units: Array | None = None, quantity: str = "accuracy"
) -> Impact:
    """The estimate before and after, and the interval of the change.

    ``units`` of all labeled rows, equal for copies, take the place of those of the answers.

    Examples
    --------
    >>> rows = np.arange(100)
    >>> def held(right): return HeldOutAnswers(rows, rows * 0, right, right > 0, np.ones((100, 1)), rows)
    >>> impact = impact_of(held(np.ones(100)), held((rows > 20).astype(float)), "without it")
    >>> round(impact.difference, 2), impact.beyond_noise
    (-0.21, True)
    """
    size = int(max(before.rows.max(), after.rows.max())) + 1
    moved = np.zeros(size)
    np.add.at(moved, after.rows, (after.right - after.right.mean()) / len(after.rows))
    np.add.at(moved, before.rows, -(before.right - before.right.mean()) / len(before.rows))
    if units is None:
        units = np.zeros(size, dtype=int)
        units[before.rows] = before.units
        units[after.rows] = after.units  # groups that the other form keeps together are what is independent
    model = before.model if before.model == after.model else f"{before.model} before and {after.model} after"
    estimates = float(before.right.mean()), float(after.right.mean())
    lower, upper = _interval(moved, units[:size], estimates, INFLATED, len(before.rows))
    return Impact(*estimates, lower, upper, words, model, len(before.rows), quantity)


def impact_on_test(right: Array, left_out: Array, words: str, model: str, quantity: str = "accuracy") -> Impact:
    """The same of test rows, of which some are left out."""
    kept = np.ones(len(right), dtype=bool)
    kept[left_out] = False
    estimates = before, after = float(right.mean()), float(right[kept].mean())
    moved = np.where(kept, (right - after) / kept.sum(), 0.0) - (right - before) / len(right)
    lower, upper = _interval(moved, np.arange(len(right)), estimates, 1.0, len(right))
    return Impact(*estimates, lower, upper, words, model, len(right), quantity)


def _interval(
    moved: Array, unit: Array, estimates: tuple[float, float], inflated: float, rows: int
) -> tuple[float, float]:
    """The interval of the change between two estimates, from how far each row moves their difference."""
    codes = np.unique(unit, return_inverse=True)[1]
    sums = np.bincount(codes, moved)
    n_units = len(sums)
    least = 1 / rows**2  # one row more or less: equal answers are not certain
    variance = inflated * max(float(sums @ sums) * n_units / max(1, n_units - 1), least)
    reach = float(stats.t.ppf((1 + CONFIDENCE) / 2, max(1, n_units - 1)) * np.sqrt(variance))
    change = estimates[1] - estimates[0]
    return change - reach, change + reach
