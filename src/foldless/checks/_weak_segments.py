"""FL029: parts of the data, by one column or two, where a model is worse than elsewhere.

A segment is a category, a quarter of the numbers, or rows without a value; of two columns, both at once. A model is
less often right near the border of two classes, and knows it: a segment is weak if the model is worse there than its
own probabilities p say, by

    r = Σ p_k² − p_y,

which is 0 on average where probabilities are right, and graded where right or wrong are two values. A category is weak
also if there are more errors than elsewhere and the model is not shown to be better there than always saying the most
frequent class. A segment without more errors than elsewhere is not weak, whatever the probabilities are.

The sum of a segment is compared with that of as many rows drawn at random, by the Pearson III distribution of its first
three moments. The smallest of these chances is compared with the smallest of all segments where rows are permuted, so
that segments that overlap count as few; categories have half of the level, quarters and pairs share the rest.

References
----------
Mielke & Berry (2007). Permutation methods: a distance function approach. Springer.
Westfall & Young (1993). Resampling-based multiple testing. Wiley.
"""

from collections.abc import Sequence
from itertools import combinations
from math import comb
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy import special, stats

from foldless.accuracy._held_out_accuracy import wilson
from foldless.checks._check import Diagnosis, check
from foldless.checks._checked_data import CheckedData
from foldless.checks._wording import held_out, listed, number, of_classes, shown, table_of
from foldless.core import Array
from foldless.results.finding import Finding
from foldless.results.findings import share

LEVEL = 0.05  # of clean files with this tip, as of wrong labels
PERMUTATIONS = 499
FAMILIES = np.array([0.5, 0.25, 0.25])  # of the level: categories have names that people know, and there are few
PAIRS = 2  # the place of pairs among families
FEWEST = 10  # rows of a segment
QUARTERS, MOST_LEVELS = 4, 20
PAIRED = 8  # columns whose pairs are looked at: those in which errors differ most
MOST = 3  # segments with a finding
NORMAL = 1.96
SHOWN = 1.645  # standard errors by which a model must be better than a constant
AT_ONCE = 5_000_000  # numbers of permutations: memory is the reason


class _Segment(NamedTuple):
    columns: tuple[Any, ...]
    words: str
    inside: Array
    category: bool = False  # no quarter of numbers, of which one may hold the border of two classes


class _Losses(NamedTuple):
    """Of each row, by how much the model is worse than it says, how often it is wrong, and the class."""

    surprise: Array
    wrong: Array
    codes: Array


@check("FL029", "parts of the data where a model is weak", kind="tip", fast=False)
def weak_segments(data: CheckedData) -> list[Diagnosis]:
    table_of(data)
    of_classes(data)
    answers = held_out(data)
    p, wrong = answers.probabilities, ~answers.once
    if not wrong.any():
        return []
    surprise = (p**2).sum(axis=1) - p[np.arange(len(p)), answers.codes]
    losses = _Losses(surprise, 1 - answers.right, answers.codes)
    single = [
        segments for name in data.read if name not in data.ids if (segments := _of_column(data, name, answers.rows))
    ]
    if not single:
        return []
    chances = [_chances(losses, segments)[:, 0].min() for segments in single]
    telling = [single[at] for at in np.argsort(chances, kind="stable")[:PAIRED]]
    both = [_both(a, b) for one, other in combinations(telling, 2) for a in one for b in other]
    pairs = [pair for pair in both if pair is not None]
    every = [segment for segments in single for segment in segments] + pairs
    # columns are paired by their errors, so that all pairs count
    untried = comb(len(single), 2) / max(1, comb(len(telling), 2))
    tested, order = _adjusted(losses, every, len(pairs), untried)
    diagnoses: list[Diagnosis] = []
    covered = np.zeros(len(wrong), dtype=bool)
    for at in order[tested[order] <= LEVEL]:
        if len(diagnoses) == MOST:
            break
        segment = every[at]
        errors = segment.inside & wrong
        if not errors.any() or covered[errors].mean() > 0.5:  # mostly errors that were named already
            continue
        covered |= segment.inside
        diagnoses.append(_diagnosis(data, segment, wrong, answers.rows))
    return diagnoses


def _diagnosis(data: CheckedData, segment: _Segment, wrong: Array, rows: Array) -> Diagnosis:
    n, right = int(segment.inside.sum()), float((~wrong[segment.inside]).mean())
    lower, upper = wilson(right, n, NORMAL)
    elsewhere = float((~wrong[~segment.inside]).mean())
    problem = (
        f"accuracy {share(right)} ({share(lower)} to {share(upper)}) where {segment.words} ({n:,} rows), "
        f"{share(elsewhere)} elsewhere"
    )
    numbers = data.numbers(rows[segment.inside])
    finding = Finding("FL029", problem, rows=numbers, columns=segment.columns, remedy="label more rows of this kind")
    return Diagnosis(finding, untold="the finding is the number")


def _adjusted(losses: _Losses, segments: Sequence[_Segment], n_pairs: int, untried: float) -> tuple[Array, Array]:
    """Chances that are corrected for all segments, and the segments in their order.

    The last segments are pairs, each of which stands for ``untried`` many. Permutations tell small chances apart only
    down to one in their number, so that the order is by chances times the number of segments.
    """
    singles = len(segments) - n_pairs
    family = np.array([0 if segment.category else 1 for segment in segments[:singles]] + [PAIRS] * n_pairs)
    present = np.unique(family)
    shares = FAMILIES / FAMILIES[present].sum()
    rng, n = np.random.default_rng(0), len(losses.codes)
    orders = np.array([np.arange(n), *(rng.permutation(n) for _ in range(PERMUTATIONS))])
    adjusted, rank = np.ones(len(segments)), np.ones(len(segments))
    for each in present:
        at = np.flatnonzero(family == each)
        chosen = [segments[int(place)] for place in at]
        observed, smallest = np.ones(len(at)), np.ones(len(orders))
        step = max(1, AT_ONCE // len(at))
        for first in range(0, len(orders), step):
            chances = _chances(losses, chosen, orders[first : first + step])
            smallest[first : first + step] = chances.min(axis=0)
            observed = chances[:, 0] if first == 0 else observed
        as_small = np.searchsorted(np.sort(smallest[1:]), observed * (1 + 1e-9), side="right")
        times = (untried if each == PAIRS else 1) / shares[each]
        adjusted[at], rank[at] = (1 + as_small) / len(orders) * times, observed * len(at) * times
        if losses.surprise.mean() < 0:  # that a model is better elsewhere than it says is no weakness here
            beside_itself = _chances(losses, chosen, expected=0.0)[:, 0]
            adjusted[at] = np.maximum(adjusted[at], beside_itself * len(at) * times)
    return adjusted, np.argsort(rank, kind="stable")


def _chances(
    losses: _Losses, segments: Sequence[_Segment], orders: Array | None = None, expected: float | None = None
) -> Array:
    """How probable losses as large are in as many rows drawn at random, for each segment and order of the rows.

    Of two tests of a category it is the less probable. Surprise is compared with its mean, or with what is expected.
    """
    orders = np.arange(len(losses.codes))[None] if orders is None else orders
    inside = np.array([segment.inside for segment in segments], dtype=float)
    errors = inside @ losses.wrong[orders].T
    more = errors / inside.sum(axis=1, keepdims=True) > losses.wrong.mean()
    surprising = _drawn_sums(inside, losses.surprise, orders, expected)
    categories = np.array([segment.category for segment in segments])
    if categories.any():
        elsewhere = _drawn_sums(inside[categories], losses.wrong, orders)
        unskilled = _no_skill(losses, inside[categories], orders)
        least = np.minimum(surprising[categories], elsewhere)
        surprising[categories] = np.where(unskilled, least, surprising[categories])
    return np.where(more, surprising, 1.0)


def _no_skill(losses: _Losses, inside: Array, orders: Array) -> Array:
    """Whether the model is not shown to be better than always saying the most frequent class of a segment."""
    n = inside.sum(axis=1, keepdims=True)
    right = 1 - inside @ losses.wrong[orders].T / n
    counts = np.array([inside @ (losses.codes == code)[orders].T for code in np.unique(losses.codes)])
    constant = counts.max(axis=0) / n
    error = np.sqrt((right * (1 - right) + constant * (1 - constant)) / n)
    return np.asarray(right - constant <= SHOWN * error)


def _drawn_sums(inside: Array, values: Array, orders: Array, expected: float | None = None) -> Array:
    """How probable sums as large are, if rows are drawn without replacement (Pearson III)."""
    n, size = len(values), inside.sum(axis=1)
    centered = values - (values.mean() if expected is None else expected)
    spread = float(values.std())
    if not spread > 0:
        return np.ones((len(inside), len(orders)))
    z = (inside @ centered[orders].T) / (spread * np.sqrt(size * (n - size) / (n - 1)))[:, None]
    skew = float(stats.skew(values))
    of_sums = skew * (n - 2 * size) * np.sqrt(n - 1) / ((n - 2) * np.sqrt(size * (n - size)))
    shape = 4 / np.maximum(of_sums, 0.01)[:, None] ** 2  # of a gamma distribution; with less skew it is normal
    return np.asarray(special.gammaincc(shape, np.maximum(shape + np.sqrt(shape) * z, 0)))


def _of_column(data: CheckedData, name: Any, rows: Array) -> list[_Segment]:
    if data.kinds[name] in ("numeric", "date"):
        return _of_numbers(data, name, data.numeric[name][rows])
    if data.kinds[name] == "text":
        return _of_numbers(data, f"length of {name}", data.numeric[f"length of {name}"][rows], name)
    if data.kinds[name] not in ("categorical", "boolean"):
        return []
    codes, levels = pd.factorize(table_of(data)[name].iloc[rows], use_na_sentinel=False)
    counts = np.bincount(codes, minlength=len(levels))
    common = np.argsort(-counts, kind="stable")[:MOST_LEVELS]
    values = ["missing" if pd.isna(level) else repr(level) for level in levels]
    return [
        _Segment((name,), f"{shown(name)} is {values[at]}", codes == at, category=True)
        for at in common
        if FEWEST <= counts[at] <= len(codes) - FEWEST
    ]


def _of_numbers(data: CheckedData, words: Any, values: Array, name: Any = None) -> list[_Segment]:
    known = np.isfinite(values)
    if known.sum() < 2 * FEWEST:
        return []
    edges = np.unique(np.quantile(values[known], np.arange(1, QUARTERS) / QUARTERS))
    bins = np.where(known, np.searchsorted(edges, values, side="left"), -1)
    segments = []
    for at in range(-1, len(edges) + 1):
        inside = bins == at
        ends = [f"> {number(data, words, edges[at - 1])}"] if at > 0 else []
        ends += [f"≤ {number(data, words, edges[at])}"] if at < len(edges) else []
        text = f"{shown(words)} is missing" if at < 0 else f"{shown(words)} {' and '.join(ends)}"
        if FEWEST <= inside.sum() <= len(values) - FEWEST:
            segments.append(_Segment((words if name is None else name,), text, inside, category=at < 0))
    return segments


def _both(one: _Segment, other: _Segment) -> _Segment | None:
    inside = one.inside & other.inside
    if not FEWEST <= inside.sum() < min(one.inside.sum(), other.inside.sum()):
        return None
    return _Segment(
        (*one.columns, *other.columns), listed([one.words, other.words]), inside, one.category and other.category
    )
