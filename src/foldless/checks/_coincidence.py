"""Are equal rows copies of one draw, or separate draws that happen to be equal? Functions of arrays.

In a table of a few categories equal rows are expected; in a table of measurements they are not. Three estimates say how
many pairs of n rows chance makes equal, and the largest counts. With c_j the probability that two rows agree in column
j, T = n (n − 1) / 2, and q_j the pairs that differ in column j only:

    T Π c_j                      columns are independent
    max_j q_j c_j / (1 − c_j)    column j is independent of the others, however these depend on each other
    T (N / T)^(1 / a)            N pairs are not equal and agree in columns that have a share a of Σ −log c_j: where
                                 columns depend on each other, as indicators of one category do, rows that are equal by
                                 chance have many near neighbors, and copies have none

Equal rows are copies where more contents repeat than a Poisson number with this mean exceeds once in 1,000 tables. To
agree in a category is no sign of a copy. Of numbers, c_j counts pairs that agree in column j and not in all columns,
because copies agree in every one; it is at least that of numbers on a grid with the smallest gap between values. A
column that follows from another, as a country from its city, adds nothing. A row that has the most frequent value in
every column, and repeats more than √n times, does so by nature, and is not counted.

Sparse rows are bags of words: a content repeats by chance with a probability of about the product of the shares of
rows that have its words. Of texts, the order of the words tells (`foldless.checks._word_order`). The square root of
the probability is taken, since words come together. Where many repeat, all up to a probability are copies of which
chance explains at most half, and as many once in 1,000 files.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy import sparse, stats

from foldless.checks._tables import factorized
from foldless.checks._word_order import written_again
from foldless.core import Array
from foldless.data._columns import moments

RARE = 1e-3  # of tables without copies in which equal rows may be taken for copies
RARE_BAG = 0.05  # rows that chance makes equal to one bag: the square root is cautious already
COLUMNS, PAIRED_ROWS = 200, 300  # columns that are read, and rows whose pairs are compared: the cost stays small
WORDS = 3  # words of a text, on average; less is a category
DIGITS = 6  # a single column of numbers that are round by these says nothing about copies
ALIKE = 0.85  # of the weight: with it, tables of three or more categories as indicators have near neighbors
SEEN = 10  # pairs that agree in a column, from which on one can say what follows from it
FEW_COLUMNS = 20  # among more, near neighbors tell that columns follow from each other
SPREADS = 2 * np.sqrt(np.pi)  # two normal draws on a grid of gap g and deviation s agree with probability g / (2 √π s)


class ColumnCodes(NamedTuple):
    """Values as codes (n, d), and for each column the least probability that two rows agree; 1 for categories."""

    codes: Array
    least: Array
    round: bool = False


def by_columns(table: Any) -> ColumnCodes:
    """The columns of a frame or of a matrix of numbers; of many columns some."""
    width = table.shape[1]
    chosen = np.arange(width) if width <= COLUMNS else np.linspace(0, width - 1, COLUMNS).astype(int)
    frame = isinstance(table, pd.DataFrame)
    read = [_coded(table.iloc[:, at] if frame else pd.Series(table[:, at])) for at in chosen]
    codes = np.array([codes for codes, _ in read]).T.reshape(table.shape[0], len(read))
    is_round = width == 1 and read[0][1] < 1 and _round(np.asarray(table, dtype=float).ravel())
    return ColumnCodes(codes, np.array([least for _, least in read]), is_round)


def copied_contents(contents: Array, columns: ColumnCodes, n_pairs: float | None = None) -> Array:
    """Which contents of rows, equal numbers for equal rows, belong to copies; none where chance explains all of them.

    ``columns`` may have more rows than there are ``contents``: others, by which to judge. ``n_pairs`` of rows were
    compared, if not all with each other.

    Examples
    --------
    >>> X = np.random.default_rng(0).normal(size=(20, 2)).round(6)
    >>> twice = np.concatenate([np.arange(20), [3, 8]])
    >>> copied_contents(twice, by_columns(X[twice]))
    array([3, 8])
    >>> coins = np.random.default_rng(0).integers(2, size=(20, 3))
    >>> len(copied_contents(coins @ [1, 2, 4], by_columns(coins)))
    0
    """
    names, first, counts = np.unique(contents, return_index=True, return_counts=True)
    several = (counts > 1) & ~(_modal(columns.codes)[first] & (counts > np.sqrt(len(contents))))
    n_pairs = len(contents) * (len(contents) - 1) / 2 if n_pairs is None else n_pairs
    if not several.any() or columns.round or not columns.codes.shape[1]:
        return np.asarray(names[:0])
    if stats.poisson.sf(several.sum() - 1, n_pairs * _equal_by_chance(columns)) >= RARE:
        return np.asarray(names[:0])
    return np.asarray(names[several])


def copied_bags(contents: Array, words: Any) -> Array:
    """The same of rows that are bags of words, from a sparse matrix of words."""
    names, first, counts = np.unique(contents, return_index=True, return_counts=True)
    words = sparse.csr_matrix(words)[first]
    there = sparse.csr_matrix((np.ones(words.nnz), words.indices, words.indptr), shape=words.shape)
    shares = np.maximum(1, np.asarray(there.sum(axis=0)).ravel()) / len(names)
    log_chance = there @ np.log(np.minimum(shares, 1 - 1e-9))
    return np.asarray(names[_beyond_chance(len(contents) * np.exp(log_chance / 2), counts)])


def copied_texts(
    contents: Array,
    texts: list[str],
    changed: Array | None = None,
    beside: Sequence[str] = (),
    n_pairs: float | None = None,
) -> Array:
    """The same of texts, by the order of their words; one word of those in ``changed`` may be another one.

    Texts ``beside`` these tell how probable words are; ``n_pairs`` of texts were compared, if not all with each other.
    """
    names, first, counts = np.unique(contents, return_index=True, return_counts=True)
    again = written_again([texts[at] for at in first], None if changed is None else changed[first], beside)
    n = len(contents) if n_pairs is None else np.sqrt(2 * n_pairs)
    return np.asarray(names[_beyond_chance(n * np.sqrt(again.probability) * again.ways, counts)])


def _beyond_chance(expected: Array, counts: Array) -> Array:
    """Which contents repeat although few other rows are ``expected`` to be equal to them by chance."""
    order = np.argsort(expected, kind="stable")
    in_all, repeated = np.cumsum(expected[order]), np.cumsum(counts[order] > 1)
    told = (in_all <= repeated / 2) & (stats.poisson.sf(repeated - 1, in_all) < RARE)
    most = expected[order][told].max(initial=0)
    return np.asarray((counts > 1) & ((expected < RARE_BAG) | (expected <= most)))


def _equal_by_chance(columns: ColumnCodes) -> float:
    """The share of pairs that chance makes equal: the largest of three estimates."""
    codes, n = columns.codes, len(columns.codes)
    n_pairs = n * (n - 1) / 2
    # a random number for each value of each column: sums of them, with or without a column, tell rows apart
    rng = np.random.default_rng(0)
    hashed = [rng.integers(2**63, size=column.max() + 1, dtype=np.uint64)[column] for column in codes.T]
    whole = np.array(hashed).sum(axis=0, dtype=np.uint64)
    equal = _pairs(np.asarray(whole))
    agree = np.array([_pairs(codes[:, at]) for at in range(codes.shape[1])])
    chance = np.minimum(agree, np.maximum(agree - equal, columns.least * n_pairs)) / n_pairs
    chance = np.clip(np.where(_follows(columns, agree), 1.0, chance), 1e-12, 1 - 1e-12)
    apart = np.array([_pairs(whole - of_column) for of_column in hashed]) - equal
    neighbors = float((apart * chance / (1 - chance)).max()) / n_pairs
    return max(float(np.prod(chance)), neighbors, _alike(codes, -np.log(chance)) ** (1 / ALIKE))


def _follows(columns: ColumnCodes, agree: Array) -> Array:
    """Which columns follow from another one whose values repeat by nature; one stays of those equal to each other."""
    codes, (n, width) = columns.codes, columns.codes.shape
    follows = np.zeros(width, dtype=bool)
    natural = (columns.least * n * (n - 1) / 2 >= agree / 2) & (agree >= SEEN)
    for at in np.flatnonzero(natural) if width <= FEW_COLUMNS else []:
        for other in range(width):
            if other != at and not follows[at] and not follows[other]:
                both = codes[:, at] * (codes[:, other].max() + 1) + codes[:, other]
                follows[other] = _pairs(both) == agree[at]
    return follows


def _alike(codes: Array, weights: Array) -> float:
    """The share of pairs that are not equal and agree in columns that have most of the weight."""
    distinct = np.unique(codes, axis=0)
    if len(distinct) < 2:
        return 1.0
    rows = distinct[np.linspace(0, len(distinct) - 1, min(len(distinct), PAIRED_ROWS)).astype(int)]
    agreement = np.zeros((len(rows), len(rows)))
    for column, weight in zip(rows.T, weights, strict=True):
        agreement += weight * (column[:, None] == column)
    return float((agreement[np.triu_indices(len(rows), 1)] >= ALIKE * weights.sum()).mean())


def _pairs(values: Array) -> float:
    """How many pairs are equal."""
    _, counts = np.unique(values, return_counts=True)
    return float((counts * (counts - 1.0)).sum() / 2)


def _modal(codes: Array) -> Array:
    """A mask of the rows that have the most frequent value in every column."""
    if not codes.shape[1]:
        return np.ones(len(codes), dtype=bool)
    return np.logical_and.reduce([column == np.bincount(column).argmax() for column in codes.T])


def _coded(column: "pd.Series[Any]") -> tuple[Array, float]:
    """The codes of the values of a column, and the least probability that two rows agree."""
    kind = getattr(column.dtype, "kind", "O")
    if kind in "iufM":
        values = _seconds(column) if kind == "M" else column.to_numpy(dtype=float, na_value=np.nan)
        distinct, codes = np.unique(values, return_inverse=True)
        known = distinct[np.isfinite(distinct)]
        if len(known) < 3:
            return codes, 1.0
        return codes, float(min(1.0, np.diff(known).min() / (SPREADS * np.nanstd(values[np.isfinite(values)]))))
    codes, names = factorized(column)
    long = pd.Series(names).astype(str).str.count(r"\s").mean() + 1 >= WORDS
    return codes, 0.0 if long else 1.0


def _seconds(column: "pd.Series[Any]") -> Array:
    """Dates, with a time of day or without, as numbers; NaN where one is missing."""
    stamps = moments(column).to_numpy(dtype="datetime64[us]")
    return np.where(np.isnat(stamps), np.nan, stamps.astype("int64") / 1e6)


def _round(values: Array) -> bool:
    """Whether numbers have few digits."""
    known = values[np.isfinite(values) & (values != 0)]
    scale = 10.0 ** (DIGITS - 1 - np.floor(np.log10(np.abs(known))))
    return bool((np.abs(known * scale - np.rint(known * scale)) < 1e-6).all())
