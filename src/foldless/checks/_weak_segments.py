"""FL029: parts of the data, by one column or two, where a model is worse than elsewhere.

A segment is a category, a quarter of the numbers, or rows without a value; of two columns, both at once. A model is
less often right near the border of two classes, and knows it: a segment is weak if the model is worse there than its
own probabilities p say, by

    r = Σ p_k² − p_y,

which is 0 on average where probabilities are right, and graded where right or wrong are two values. A category is weak
also if there are more errors than elsewhere and always saying its most frequent class is as good. The sum of a segment
is compared with that of as many rows drawn at random, by the Pearson III distribution of its first three moments; the
level is corrected for all segments, of which categories, quarters and pairs have a third each.

References
----------
Mielke & Berry (2007). Permutation methods: a distance function approach. Springer.
"""

from collections.abc import Sequence
from itertools import combinations
from math import comb
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy import stats

from foldless.accuracy._held_out_accuracy import wilson
from foldless.checks._check import Diagnosis, DoesNotApply, check
from foldless.checks._checked_data import CheckedData
from foldless.checks._wording import listed, of_classes, share, shown, table_of
from foldless.core import Array
from foldless.results.finding import Finding

LEVEL = 0.02
FEWEST = 10  # rows of a segment
QUARTERS, MOST_LEVELS = 4, 20
PAIRED = 8  # columns whose pairs are looked at: those in which errors differ most
MOST = 3  # segments with a finding
NORMAL = 1.96


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
    """Segments with more errors than chance puts there."""
    table_of(data)
    of_classes(data)
    answers = None if data.fits is None else data.fits.answers()
    if answers is None:
        raise DoesNotApply("there was no time for out-of-fold answers")
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
    chances = [_chances(losses, segments).min() for segments in single]
    telling = [single[at] for at in np.argsort(chances, kind="stable")[:PAIRED]]
    both = [_both(a, b) for one, other in combinations(telling, 2) for a in one for b in other]
    pairs = [pair for pair in both if pair is not None]
    every = [segment for segments in single for segment in segments] + pairs
    # categories, quarters of numbers and pairs share the level: there are few categories, and people know their names
    family = np.array([0 if segment.category else 1 for segment in every[: len(every) - len(pairs)]] + [2] * len(pairs))
    sizes = np.bincount(family, minlength=3).astype(float)
    sizes[2] *= comb(len(single), 2) / max(1, comb(len(telling), 2))  # paired by their errors, so that all pairs count
    tested = _chances(losses, every) * sizes[family] * np.count_nonzero(sizes)
    diagnoses: list[Diagnosis] = []
    covered = np.zeros(len(wrong), dtype=bool)
    for at in np.argsort(tested, kind="stable"):
        if tested[at] >= LEVEL or len(diagnoses) == MOST:
            break
        segment = every[at]
        if covered[segment.inside & wrong].mean() > 0.5:  # mostly errors that were named already
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


def _chances(losses: _Losses, segments: Sequence[_Segment]) -> Array:
    """How probable losses as large are in as many rows drawn at random; of two tests of a category, twice the less."""
    inside = np.array([segment.inside for segment in segments], dtype=float)
    surprising = _drawn_sums(inside, losses.surprise)
    no_skill = np.array([segment.category and _no_skill(losses, segment.inside) for segment in segments])
    elsewhere = np.where(no_skill, _drawn_sums(inside, losses.wrong), 1.0)
    categories = np.array([segment.category for segment in segments])
    return np.asarray(np.minimum(surprising, elsewhere) * np.where(categories, 2, 1))


def _no_skill(losses: _Losses, inside: Array) -> bool:
    """Whether always saying the most frequent class of a segment is right as often as the model."""
    constant = np.bincount(losses.codes[inside]).max() / inside.sum()
    return bool(1 - losses.wrong[inside].mean() <= constant)


def _drawn_sums(inside: Array, values: Array) -> Array:
    """How probable sums as large are, if rows are drawn without replacement (Pearson III)."""
    n, size = len(values), inside.sum(axis=1)
    centered = values - values.mean()
    spread = float(centered.std())
    if not spread > 0:
        return np.ones(len(inside))
    z = (inside @ centered) / (spread * np.sqrt(size * (n - size) / (n - 1)))
    skew = float((centered**3).mean()) / spread**3
    of_sums = skew * (n - 2 * size) * np.sqrt(n - 1) / ((n - 2) * np.sqrt(size * (n - size)))
    return np.asarray(stats.pearson3.sf(z, np.maximum(of_sums, 0.0)))


def _of_column(data: CheckedData, name: Any, rows: Array) -> list[_Segment]:
    """The segments of one column."""
    assert data.labeled is not None
    if data.kinds[name] in ("numeric", "date"):
        return _of_numbers(name, data.numeric[name][rows])
    if data.kinds[name] == "text":
        return _of_numbers(f"length of {name}", data.numeric[f"length of {name}"][rows], name)
    if data.kinds[name] not in ("categorical", "boolean"):
        return []
    codes, levels = pd.factorize(data.labeled[name].iloc[rows], use_na_sentinel=False)
    counts = np.bincount(codes, minlength=len(levels))
    common = np.argsort(-counts, kind="stable")[:MOST_LEVELS]
    return [
        _Segment(
            (name,),
            f"{shown(name)} is {levels[at]!r}" if not pd.isna(levels[at]) else f"{shown(name)} is missing",
            codes == at,
            category=True,
        )
        for at in common
        if FEWEST <= counts[at] <= len(codes) - FEWEST
    ]


def _of_numbers(words: Any, values: Array, name: Any = None) -> list[_Segment]:
    known = np.isfinite(values)
    if known.sum() < 2 * FEWEST:
        return []
    edges = np.unique(np.quantile(values[known], np.arange(1, QUARTERS) / QUARTERS))
    bins = np.where(known, np.searchsorted(edges, values, side="left"), -1)
    segments = []
    for at in range(-1, len(edges) + 1):
        inside = bins == at
        ends = [f"> {edges[at - 1]:.4g}"] if at > 0 else []
        ends += [f"≤ {edges[at]:.4g}"] if at < len(edges) else []
        text = f"{shown(words)} is missing" if at < 0 else f"{shown(words)} {' and '.join(ends)}"
        if FEWEST <= inside.sum() <= len(values) - FEWEST:
            segments.append(_Segment((words if name is None else name,), text, inside, category=at < 0))
    return segments


def _both(one: _Segment, other: _Segment) -> _Segment | None:
    """Two segments at once."""
    inside = one.inside & other.inside
    if not FEWEST <= inside.sum() < min(one.inside.sum(), other.inside.sum()):
        return None
    return _Segment(
        (*one.columns, *other.columns), listed([one.words, other.words]), inside, one.category and other.category
    )
