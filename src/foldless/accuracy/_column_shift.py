"""Labels against pool column by column: what differs, in which column, with a p-value for all columns together.

Numbers are replaced by their ranks, and Legendre polynomials of the ranks are averaged: the first follows the location,
the second the spread, the third the skewness (Neyman's smooth test). Products of the ranks of two columns follow their
correlation. Categories, words and missing values are indicators. So everything is a mean over the labeled rows, whose
expectation and variance under permutations of who is labeled are known: z has mean 0 and variance 1 whatever the column
is. The largest |z| of all columns is compared with those of permutations (Westfall and Young), which corrects for the
number of columns however they depend on each other, and the sum of all z² beyond MANY sees many small differences.
Permutations are exact, also where values repeat. Indicators of which fewer than EXPECTED are to be expected among the
labels are left out: their z has heavy tails, and one of them would hide all others.

References
----------
Westfall & Young (1993). Resampling-based multiple testing. Wiley.
Janic-Wróblewska & Ledwina (2000). Data driven rank test for two-sample problem. Scandinavian Journal of Statistics 27.
Besag & Clifford (1991). Sequential Monte Carlo p-values. Biometrika 78.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from foldless.accuracy._distributions import average_ranks
from foldless.core import Array
from foldless.core._plain import date_of
from foldless.data._compared_columns import ComparedColumn, ComparedColumns
from foldless.results.shift import ShiftedColumn

FIRST_PERMUTATIONS, MAX_PERMUTATIONS = 99, 1999
TOO_MANY = 4  # of the first permutations as far as the data: no more are drawn
EXPECTED = 2.0
MANY = 4.0  # what z² must exceed to count in the sum: that of a p-value of .05
PAIRED = 20  # columns of numbers whose pairs are compared, at most
NAMED = 0.05  # corrected p-value up to which a column is named beside those that ring
MOST_NAMED, BINS = 6, 6
AT_ONCE = 4_000_000  # numbers


class Compared(NamedTuple):
    """What a score is of: the column, or two of them, and what is compared of it."""

    columns: tuple[int, ...]
    what: str
    level: int = -1


@dataclass(frozen=True, eq=False)
class ColumnTest:
    """The p-value of the largest difference, that of many small ones, and the columns that differ most.

    ``read`` of ``total`` columns were compared.
    """

    largest_p: float
    many_p: float
    columns: tuple[ShiftedColumn, ...]
    read: int
    total: int


def column_test(columns: ComparedColumns, n: int, rng: np.random.Generator) -> ColumnTest | None:
    """Test the first n rows of all columns against the others; None where no column varies.

    Examples
    --------
    >>> from foldless.data._compared_columns import compared_columns
    >>> rng = np.random.default_rng(0)
    >>> both = [rng.normal(size=(100, 3)), rng.normal(size=(300, 3)) + [0, 0, 1]]
    >>> test = column_test(compared_columns(both, rng), 100, rng)
    >>> test.largest_p, [column.name for column in test.columns]
    (0.0005, [2])
    """
    scores = _Scores.of(columns.read, n)
    if not len(scores.compared):
        return None
    size = len(scores)
    member = (np.arange(size) < n).astype(float)
    z = scores.z(member[:, None])[:, 0]
    largest, many = float(np.abs(z).max()), _many(z)
    farthest: list[Array] = []

    def as_far(times: int) -> tuple[int, int]:
        far = many_far = 0
        step = max(1, AT_ONCE // max(size, len(z)))
        for at in range(0, times, step):
            orders = np.tile(member, (min(step, times - at), 1))
            drawn = scores.z(rng.permuted(orders, axis=1, out=orders).T)
            highest = np.abs(drawn).max(axis=0)
            farthest.append(highest)
            far += int((highest >= largest - 1e-9).sum())
            many_far += int((_many(drawn) >= many - 1e-9).sum())
        return far, many_far

    far, many_far = as_far(FIRST_PERMUTATIONS)
    drawn = FIRST_PERMUTATIONS
    if min(far, many_far) < TOO_MANY:  # one that is far from alarm at first is so at last
        more = as_far(MAX_PERMUTATIONS - FIRST_PERMUTATIONS)
        far, many_far, drawn = far + more[0], many_far + more[1], MAX_PERMUTATIONS
    every = np.sort(np.concatenate(farthest))
    corrected = (1 + len(every) - np.searchsorted(every, np.abs(z) - 1e-9)) / (1 + len(every))  # for all the scores
    named = _named(columns.read, scores.compared, z, corrected, n)
    return ColumnTest((1 + far) / (1 + drawn), (1 + many_far) / (1 + drawn), named, columns.n_read, columns.total)


def column_scores(columns: ComparedColumns, n: int) -> tuple[Array, list[Any]]:
    """Scores (J, rows) of all columns, of mean 0, and the name of the column, or of the pair, that each is of."""
    scores = _Scores.of(columns.read, n)
    names = [_name([columns.read[at] for at in one.columns], one) for one in scores.compared]
    if not scores.thin.shape[0]:
        return scores.dense, names
    thin = scores.thin.toarray()
    return np.concatenate([scores.dense, thin - thin.mean(axis=1, keepdims=True)]), names


def _many(z: Array) -> Any:
    return np.maximum(z * z - MANY, 0).sum(axis=0)


@dataclass(frozen=True, eq=False)
class _Scores:
    """Standardized scores, some as a dense and some as a sparse matrix, and what each is of."""

    dense: Array  # (J, n), of mean 0
    thin: Any  # (L, n), sparse, of indicators
    compared: Sequence[Compared]

    def __len__(self) -> int:
        return int(self.dense.shape[1])

    @classmethod
    def of(cls, columns: Sequence[ComparedColumn], n: int) -> "_Scores":
        size = int(columns[0].values.shape[0]) if columns else 0
        least = EXPECTED * size / max(1, min(n, size - n))
        dense, compared = _of_numbers(columns, least)
        thin, thin_compared = [], list[Compared]()
        for at, column in enumerate(columns):
            if column.kind == "category":
                counts = np.bincount(column.values, minlength=len(column.levels))
                kept = np.flatnonzero((least <= counts) & (counts <= size - least))
                dense.append((column.values == kept[:, None]).astype(float))
                compared += [Compared((at,), "share", int(level)) for level in kept]
            elif column.kind == "words":
                counts = np.asarray(column.values.sum(axis=0)).ravel()
                kept = np.flatnonzero((least <= counts) & (counts <= size - least))
                thin.append(column.values[:, kept].T)
                thin_compared += [Compared((at,), "share", int(level)) for level in kept]
        matrix = np.concatenate([np.empty((0, size)), *dense])
        matrix -= matrix.mean(axis=1, keepdims=True)
        varies = np.einsum("ij,ij->i", matrix, matrix) > 1e-9 * size
        compared = [one for one, kept in zip(compared, varies, strict=True) if kept]
        indicators = sparse.vstack(thin, format="csr") if thin else sparse.csr_array((0, size))
        return cls(matrix if varies.all() else matrix[varies], indicators, [*compared, *thin_compared])

    def z(self, members: Array) -> Array:
        """The standardized difference (J + L, B) of each score between members (n, B) and others."""
        size, n = len(members), int(members[:, 0].sum())
        factor = n * (size - n) / (size * (size - 1))
        spread = np.sqrt(factor * np.einsum("ij,ij->i", self.dense, self.dense))
        parts = [(self.dense @ members) / spread[:, None]]
        if self.thin.shape[0]:
            counts = np.asarray(self.thin.sum(axis=1)).ravel()
            spread = np.sqrt(factor * counts * (1 - counts / size))
            parts.append((np.asarray(self.thin @ members) - (n / size) * counts[:, None]) / spread[:, None])
        return np.concatenate(parts)


def _of_numbers(columns: Sequence[ComparedColumn], least: float) -> tuple[list[Array], list[Compared]]:
    """Polynomials of the ranks of each column of numbers, missing values, and products of two columns."""
    numbers = [at for at, column in enumerate(columns) if column.kind == "number"]
    if not numbers:
        return [], []
    values = np.stack([columns[at].values for at in numbers])
    known = np.isfinite(values)
    v = _ranked(values, known)
    dense, compared = [], list[Compared]()
    for what, scores in (("location", v), ("spread", 1.5 * v**2 - 0.5), ("skewness", (2.5 * v**2 - 1.5) * v)):
        if not known.all():  # a missing value has the mean of the others
            mean = (scores * known).sum(axis=1, keepdims=True) / np.maximum(1, known.sum(axis=1, keepdims=True))
            scores = np.where(known, scores - mean, 0.0)
        dense.append(scores)
        compared += [Compared((at,), what) for at in numbers]
    lacking = (~known).sum(axis=1)
    kept = np.flatnonzero((least <= lacking) & (lacking <= values.shape[1] - least))
    dense.append((~known[kept]).astype(float))
    compared += [Compared((numbers[at],), "missing") for at in kept]
    if len(numbers) <= PAIRED:
        second, first = np.tril_indices(len(numbers), -1)
        dense.append(v[first] * v[second])
        compared += [Compared((numbers[i], numbers[j]), "correlation") for i, j in zip(first, second, strict=True)]
    return dense, compared


def _ranked(values: Array, known: Array) -> Array:
    """Ranks of the known values of each row, from −1 to 1; 0 where a value is missing."""
    ranks = 2 * (average_ranks(values.T).T - 0.5) / values.shape[1] - 1
    for at in np.flatnonzero(~known.all(axis=1)):
        ranks[at] = 0.0
        if known[at].any():
            ranks[at, known[at]] = 2 * (average_ranks(values[at, known[at]]) - 0.5) / known[at].sum() - 1
    return np.asarray(ranks)


def _named(
    columns: Sequence[ComparedColumn], compared: Sequence[Compared], z: Array, corrected: Array, n: int
) -> tuple[ShiftedColumn, ...]:
    """The columns that differ most, each by what differs most in it."""
    seen: dict[tuple[tuple[int, ...], int], ShiftedColumn] = {}
    explained: set[int] = set()
    for at in np.argsort(-np.abs(z), kind="stable"):
        if corrected[at] > NAMED or len(seen) == MOST_NAMED:
            break
        one = compared[at]
        words = columns[one.columns[0]].kind == "words"
        key = (one.columns, one.level if words else -1)
        # what a moved column does to its correlations says nothing more
        if key in seen or (not words and set(one.columns) & explained):
            continue
        seen[key] = _described([columns[i] for i in one.columns], one, float(corrected[at]), n)
        explained |= set() if words else set(one.columns)
    dates = tuple(str(column.name).removesuffix("days") for column in seen.values() if column.unit)
    # nor do the months and hours of dates that moved
    return tuple(column for column in seen.values() if column.unit or not str(column.name).startswith(dates))


def _name(columns: Sequence[ComparedColumn], one: Compared) -> Any:
    """What a user calls a column, a word of it, or two columns."""
    first = columns[0]
    if len(columns) == 2:
        return f"{first.name} with {columns[1].name}"
    if first.kind == "words":
        return f"{first.name}{' ' if first.name == 'feature' else ': '}{first.levels[one.level]}"
    return first.name


def _described(columns: Sequence[ComparedColumn], one: Compared, p: float, n: int) -> ShiftedColumn:
    """What differs in a column, in numbers, and how its values are spread over bins in labels and pool."""
    first = columns[0]
    name = _name(columns, one)
    if one.what == "correlation":
        known = np.isfinite(first.values) & np.isfinite(columns[1].values)
        mine, theirs = (_correlation(first.values[part], columns[1].values[part]) for part in _parts(known, n))
        return ShiftedColumn(name, "rank correlation", mine, theirs, p)
    if one.what == "share":
        has = (
            first.values == one.level if first.kind == "category" else first.values[:, [one.level]].toarray()[:, 0] > 0
        )
        level = first.levels[one.level]
        shares = float(has[:n].mean()), float(has[n:].mean())
        if first.kind == "words":
            return ShiftedColumn(name, "share of rows with it", *shares, p, ("share of rows",), shares[:1], shares[1:])
        bins, of_labels, of_pool = _level_shares(first, n)
        return ShiftedColumn(name, f"share of {level!r}", *shares, p, bins, of_labels, of_pool)
    missing = ~np.isfinite(first.values)
    bins, in_labels, in_pool = _binned(first.values, n, date_of if first.dates else "{:.4g}".format)
    if one.what == "missing":
        return ShiftedColumn(name, "share of missing values", float(missing[:n].mean()), float(missing[n:].mean()), p,
                             bins, in_labels, in_pool)  # fmt: skip
    labels, pool = (first.values[part] for part in _parts(~missing, n))
    measure, of = _MEASURES[one.what]
    unit = {"location": "date", "spread": "days"}.get(one.what, "") if first.dates else ""
    return ShiftedColumn(name, measure, of(labels), of(pool), p, bins, in_labels, in_pool, unit)


def _location(values: Array) -> float:
    return float(np.mean(values)) if len(np.unique(values)) <= 2 else float(np.median(values))


def _spread(values: Array) -> float:
    low, high = np.quantile(values, [0.1, 0.9])
    return float(high - low)


def _skewness(values: Array) -> float:
    low, middle, high = np.quantile(values, [0.1, 0.5, 0.9])
    return float((high + low - 2 * middle) / (high - low)) if high > low else 0.0


_MEASURES = {
    "location": ("median", _location),
    "spread": ("range of the middle 80 %", _spread),
    "skewness": ("skewness of the quantiles", _skewness),
}


def _parts(known: Array, n: int) -> tuple[Array, Array]:
    rows = np.flatnonzero(known)
    return rows[rows < n], rows[rows >= n]


def _correlation(a: Array, b: Array) -> float:
    if len(a) < 2 or not np.ptp(a) or not np.ptp(b):
        return 0.0
    return float(np.corrcoef(average_ranks(a), average_ranks(b))[0, 1])


def _binned(
    values: Array, n: int, shown: Callable[[float], str]
) -> tuple[tuple[str, ...], tuple[float, ...], tuple[float, ...]]:
    """Shares of labels and pool in bins of about as many rows; missing values have a bin of their own, the last."""
    known = values[np.isfinite(values)]
    distinct = np.unique(known)
    edges = distinct if len(distinct) <= BINS else np.unique(np.quantile(known, np.arange(1, BINS) / BINS))
    if len(distinct) <= BINS:
        names, codes = [shown(value) for value in distinct], np.searchsorted(distinct, values)
    else:
        names = [f"below {shown(edges[0])}", *(f"{shown(a)} to {shown(b)}" for a, b in pairwise(edges)),
                 f"from {shown(edges[-1])}"]  # fmt: skip
        codes = np.searchsorted(edges, values, side="right")
    codes = np.where(np.isfinite(values), codes, len(names))
    if len(known) < len(values):
        names.append("missing")
    mine, theirs = (np.bincount(part, minlength=len(names)) / len(part) for part in (codes[:n], codes[n:]))
    return tuple(names), tuple(mine.tolist()), tuple(theirs.tolist())


def _level_shares(column: ComparedColumn, n: int) -> tuple[tuple[str, ...], tuple[float, ...], tuple[float, ...]]:
    """Shares of the levels that differ most."""
    mine, theirs = (
        np.bincount(part, minlength=len(column.levels)) / len(part) for part in (column.values[:n], column.values[n:])
    )
    most = np.sort(np.argsort(-np.abs(mine - theirs), kind="stable")[:BINS])
    return tuple(str(column.levels[at]) for at in most), tuple(mine[most].tolist()), tuple(theirs[most].tolist())
