"""An interval for a measure of the table of true and predicted classes, such as macro F1, that holds with rare classes.

The shares p of the K × K cells have the posterior Dirichlet(counts + prior); the interval is between quantiles of the
measure of p. A mean over classes hangs on the few rows of the rarest one. A recall of 3 in 3 is uncertain, but a
jackknife or a bootstrap gives it an interval of width 0: both resample rows that are all right.

- The prior of each class weighs 2 / K rows, half of them right, the rest spread over the other classes. With two
  classes it is Jeffreys', ½ in each cell. With K classes a mean over them adds up what each prior shifts, so that each
  counts for less, as in the intervals of Price and Bonett for sums of shares.
- Rows of one group count as one: counts are divided by the ratio of the variances with and without groups, from the
  derivative of the measure by each cell, and by (t / z)² for few groups.
- INFLATED divides them again: coverage oscillates with the shares, because counts are whole numbers; with a tenth more
  variance its low points stay above .93.

A class with fewer than FEWEST rows leaves a measure that weighs classes alike without an interval.

References
----------
Goutte & Gaussier (2005). A probabilistic interpretation of precision, recall and F-score. ECIR.
Price & Bonett (2004). An improved confidence interval for a linear function of binomial proportions. Computational
Statistics & Data Analysis 45.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from foldless.accuracy._distributions import normal_quantile, student_quantile
from foldless.accuracy._held_out_accuracy import Interval
from foldless.core import Array

DRAWS = 2000
INFLATED = 1.1
FEWEST = 3  # of fewer rows an interval of their recall is nearly all of 0 to 1
MAX_SPREAD = 30  # classes up to which prior errors go to every other class; of more, to none: cells grow with K²
CELLS_AT_ONCE = 2_000_000
STEP = 1e-6  # of the rows, to differentiate


class Margins(NamedTuple):
    """Of each class (…, K) its rows that are right, all its rows and those predicted as it, as shares; and all rows.

    ``cells`` (…, cells) are those of single cells, whose classes are ``true`` and ``named``; K is no class.
    """

    right: Array
    actual: Array
    predicted: Array
    rows: Array
    cells: Array
    true: Array
    named: Array

    def f1(self) -> Array:
        return _ratio(2 * self.right, self.actual + self.predicted)

    def recall(self) -> Array:
        return _ratio(self.right, self.actual)

    def precision(self) -> Array:
        return _ratio(self.right, self.predicted)

    def matthews(self) -> Array:
        without = self.rows - self.predicted.sum(axis=-1)  # rows that are predicted as no class are a column too
        named = (self.predicted**2).sum(axis=-1) + without**2
        spread = (self.rows**2 - (self.actual**2).sum(axis=-1)) * (self.rows**2 - named)
        covariance = self.rows * self.right.sum(axis=-1) - (self.actual * self.predicted).sum(axis=-1)
        return _ratio(covariance, np.sqrt(np.maximum(0.0, spread)))


Measure = Callable[[Margins], Array]
MEASURES: dict[str, Measure] = {
    "f1_macro": lambda table: table.f1().mean(axis=-1),
    "f1_micro": lambda table: table.right.sum(axis=-1) / table.rows,
    "f1_weighted": lambda table: (table.f1() * table.actual).sum(axis=-1) / table.rows,
    "balanced_accuracy": lambda table: table.recall().mean(axis=-1),
    "matthews_corrcoef": Margins.matthews,
    "precision_macro": lambda table: table.precision().mean(axis=-1),
    "recall_macro": lambda table: table.recall().mean(axis=-1),
}
BY_ROWS = ("f1_micro", "f1_weighted")  # a class counts as much as it has rows


def of_class(name: str, at: int) -> Measure:
    """F1, precision, recall or Jaccard index of one class."""
    if name == "jaccard":
        return lambda table: _ratio(
            table.right[..., at], table.actual[..., at] + table.predicted[..., at] - table.right[..., at]
        )
    margin: dict[str, Measure] = {"f1": Margins.f1, "precision": Margins.precision, "recall": Margins.recall}
    return lambda table: margin[name](table)[..., at]


def of_costs(costs: Array) -> Measure:
    """The mean cost of a row; ``costs`` (K, K + 1) are by true class and by predicted class, the last of them none."""
    return lambda table: (table.cells * costs[table.true, table.named]).sum(axis=-1) / table.rows


def confusion_interval(
    measure: str | Measure,
    y: Array,
    predicted: Array,
    n_classes: int,
    confidence: float,
    rng: np.random.Generator,
    units: Array | None = None,
    *,
    inflated: float = INFLATED,
    prior: float = 1.0,
) -> tuple[float, float]:
    """The ends of the interval of a measure: a key of ``MEASURES``, or a function of `Margins`.

    A predicted code of −1 is none of the classes. The variance is taken ``inflated`` times as large, and the prior is
    multiplied by ``prior``.

    Examples
    --------
    >>> y, predicted = np.repeat([0, 0, 1, 1], [90, 2, 3, 5]), np.repeat([0, 1, 0, 1], [90, 2, 3, 5])
    >>> lower, upper = confusion_interval("f1_macro", y, predicted, 2, 0.95, np.random.default_rng(0))
    >>> round(lower, 2), round(upper, 2)
    (0.64, 0.93)
    """
    units = np.arange(len(y)) if units is None else units
    of_table = MEASURES[measure] if isinstance(measure, str) else measure
    table = _Table(np.asarray(y, dtype=np.int64), np.asarray(predicted, dtype=np.int64), n_classes)
    weights = table.counts / (inflated * _design_effect(of_table, table, units, confidence))
    weights = weights + prior * table.prior
    values = np.empty(DRAWS)
    step = max(1, CELLS_AT_ONCE // len(weights))
    for start in range(0, DRAWS, step):
        n_draws = min(step, DRAWS - start)
        values[start : start + n_draws] = table.of(of_table, rng.standard_gamma(weights, size=(n_draws, len(weights))))
    lower, upper = np.quantile(values, [(1 - confidence) / 2, (1 + confidence) / 2])
    return float(lower), float(upper)


def with_interval(value: float, ends: tuple[float, float] | None) -> Interval:
    """The measure with its interval, which is widened to it: nothing wrong is seen of some classes, and 1 is likely."""
    if ends is None:
        return Interval(value, np.nan, np.nan)
    return Interval(value, min(value, ends[0]), max(value, ends[1]))


def rare_classes(measure: str, n_rows: Array) -> list[int]:
    """The classes with too few rows, or groups of them, for an interval of a measure."""
    return [] if measure in BY_ROWS else [int(at) for at in np.flatnonzero(np.asarray(n_rows) < FEWEST)]


class _Table:
    """The cells of a table of true and predicted classes, ordered by true class; column K is no class."""

    def __init__(self, y: Array, predicted: Array, n_classes: int):
        side = n_classes + 1
        predicted = np.where((predicted >= 0) & (predicted < n_classes), predicted, n_classes)
        codes, counts = np.unique(y * side + predicted, return_counts=True)
        of_class = np.arange(n_classes)
        everywhere = (of_class[:, None] * side + np.arange(n_classes)).ravel()
        few = 1 < n_classes <= MAX_SPREAD
        cells = np.union1d(
            codes, everywhere if few else np.concatenate([of_class * (side + 1), of_class * side + n_classes])
        )
        self._true, self._named, self.n_classes = cells // side, cells % side, n_classes
        self.of_row = np.searchsorted(cells, y * side + predicted)
        self.counts = np.zeros(len(cells))
        self.counts[np.searchsorted(cells, codes)] = counts
        right = self._true == self._named
        wrong = (self._named < n_classes) & ~right if few else self._named == n_classes
        self.prior = np.where(right, 1 / n_classes, 0.0)
        self.prior[wrong] = 1 / n_classes / (n_classes - 1 if few else 1)
        self._right, self._by_name = np.flatnonzero(right), np.argsort(self._named, kind="stable")
        self._starts = np.searchsorted(self._true, of_class)
        self._name_starts = np.searchsorted(self._named[self._by_name], of_class)

    def of(self, measure: Measure, weights: Array) -> Array:
        """A measure of tables whose cells have these weights (…, cells)."""
        actual = np.add.reduceat(weights, self._starts, axis=-1)
        predicted = np.add.reduceat(weights[..., self._by_name], self._name_starts, axis=-1)
        none = np.flatnonzero(self._named[self._by_name] == self.n_classes)
        if len(none):  # they come last, and are no part of the last class
            predicted[..., -1] -= weights[..., self._by_name[none]].sum(axis=-1)
        rows = weights.sum(axis=-1)
        return measure(Margins(weights[..., self._right], actual, predicted, rows, weights, self._true, self._named))


def _design_effect(measure: Measure, table: _Table, units: Array, confidence: float) -> float:
    """How many times as large groups, and few of them, make the variance."""
    sizes = np.bincount(units)
    sizes = sizes[sizes > 0]
    p = (1 + confidence) / 2
    few = (student_quantile(p, max(1, len(sizes) - 1)) / normal_quantile(p)) ** 2
    if sizes.max() == 1:
        return few
    n, step = len(units), STEP * len(units)
    base = float(table.of(measure, table.counts))
    slopes = np.zeros(len(table.counts))
    for cell in np.flatnonzero(table.counts):
        moved = table.counts.copy()
        moved[cell] += step
        slopes[cell] = (float(table.of(measure, moved)) - base) / step
    of_row = slopes[table.of_row]
    alone = float(of_row @ of_row)
    of_unit = np.bincount(units, of_row)
    ratio = float(of_unit @ of_unit) / alone if alone * n > STEP else float(sizes @ sizes) / n
    return few * max(1.0, ratio)


def _ratio(top: Array, bottom: Array) -> Array:
    return np.asarray(np.divide(top, bottom, out=np.zeros_like(top, dtype=float), where=bottom > 0))
