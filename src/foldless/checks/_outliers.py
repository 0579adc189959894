"""FL014: values far outside of all others, by the gaps in the tail of a column.

If the tail is like that of any Pareto distribution, the normalized gaps i · log(x₍ᵢ₎ / x₍ᵢ₊₁₎) of the distances from
the median, largest first, are independent and exponential (Rényi). A gap among the first that is too large for the mean
of those behind it has values above it that are outliers. A lighter tail, such as that of a normal distribution, has
smaller gaps at its end, so that the level holds.

References
----------
Rényi (1953). On the theory of order statistics. Acta Mathematica Hungarica 4.
"""

import numpy as np

from foldless.checks._check import Diagnosis, DoesNotApply, check
from foldless.checks._checked_data import CheckedData, Variant
from foldless.checks._wording import number, shown
from foldless.core import Array
from foldless.results.finding import Finding

LEVEL = 0.005
TAIL = 0.2  # of the rows, at most, whose gaps are compared
FEWEST = 30  # rows
MOST_FAR, FEW = 0.02, 3  # of the rows, or three of few rows: more are no outliers


@check("FL014", "values far outside of all others", kind="tip")
def outliers(data: CheckedData) -> list[Diagnosis]:
    """Rows with a number, a date or a length of a text beyond the tail of its column."""
    columns = {name: values for name, values in data.numeric.items() if name not in data.ids}
    if not columns:
        raise DoesNotApply("there is no column of numbers, dates or texts")
    if data.n < FEWEST:
        raise DoesNotApply(f"there are fewer than {FEWEST} labels")
    level = LEVEL / (2 * len(columns))
    by_column = {name: rows for name, values in columns.items() if len(rows := _far(values, level))}
    if not by_column:
        return []
    name, rows = max(by_column.items(), key=lambda entry: len(entry[1]))
    every = np.unique(np.concatenate(list(by_column.values())))
    rest = np.delete(columns[name], rows)
    value, low, high = (
        number(data, name, float(one)) for one in (columns[name][rows[0]], np.nanmin(rest), np.nanmax(rest))
    )
    n_others = len(by_column) - 1
    others = f" and {n_others} more column{'s' * (n_others > 1)}" if n_others else ""
    what = "value lies" if len(every) == 1 else "rows have values"
    problem = (
        f"{len(every):,} {what} far outside of the others (column {shown(name)}{others}: {value}, where "
        f"others are from {low} to {high})"
    )
    remedy = "look whether they are typing errors"
    finding = Finding("FL014", problem, rows=data.numbers(every), columns=list(by_column), remedy=remedy)
    return [Diagnosis(finding, Variant(rows=every))]


def _far(values: Array, level: float) -> Array:
    """The rows of values that are outliers on either side."""
    at = np.flatnonzero(np.isfinite(values))
    if len(at) < FEWEST or len(np.unique(values[at])) < FEWEST // 3:
        return np.empty(0, dtype=int)
    from_median = values[at] - np.median(values[at])
    return np.concatenate([at[far] for sign in (1, -1) if len(far := _beyond(sign * from_median, level))] or [at[:0]])


def _beyond(distances: Array, level: float) -> Array:
    """Positions of the distances above a gap that is too large."""
    distances = _spread_ties(distances)
    order = np.argsort(-distances, kind="stable")
    tail = order[distances[order] > 0][: max(10, int(TAIL * len(distances)))]
    n_first = max(FEW, int(MOST_FAR * len(distances)))
    if len(tail) < n_first + 8:
        return order[:0]
    logs = np.log(distances[tail])
    gaps = np.arange(1, len(tail)) * (logs[:-1] - logs[1:])
    behind = gaps[n_first:]
    total = float(behind.sum())
    if total <= 0:
        return order[:0]
    # an exponential gap beside the sum of k others: P = (1 + gap / sum)^−k
    large = np.flatnonzero((1 + gaps[:n_first] / total) ** -len(behind) * n_first < level)
    return tail[: large[0] + 1] if len(large) else order[:0]


def _spread_ties(distances: Array) -> Array:
    """Equal distances evenly over the step to which values were rounded: gaps of ties are no gaps of a tail.

    Examples
    --------
    >>> _spread_ties(np.array([1.0, 2.0, 2.0, 5.0]))
    array([1.  , 1.75, 2.25, 5.  ])
    """
    levels, at, counts = np.unique(distances, return_inverse=True, return_counts=True)
    if len(levels) == len(distances) or len(levels) < 2:
        return distances
    order = np.argsort(at, kind="stable")
    rank = np.empty(len(distances))
    rank[order] = np.arange(len(distances)) - np.repeat(np.cumsum(counts) - counts, counts)
    return np.asarray(distances + np.diff(levels).min() * ((rank + 0.5) / counts[at] - 0.5))
