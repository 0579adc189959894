"""FL029: parts of the data, by one column or two, where a model is worse than elsewhere.

A segment is a category, a quarter of the numbers, or rows without a value; of two columns, both at once. The errors
inside have a hypergeometric distribution if they fall anywhere alike; the level is corrected for all segments. A model
is less often right near the border of two classes, and knows it: a segment is weak only if it has more errors than the
model's own probabilities allow, too.
"""

from collections.abc import Sequence
from itertools import combinations
from math import comb
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy import stats

from foldless.accuracy._difference import INFLATED
from foldless.accuracy._held_out_accuracy import wilson
from foldless.checks._check import Diagnosis, DoesNotApply, check
from foldless.checks._checked_data import CheckedData
from foldless.checks._wording import listed, of_classes, share, shown, table_of
from foldless.core import Array
from foldless.results.finding import Finding

LEVEL = 0.01
FEWEST = 10  # rows of a segment
QUARTERS, MOST_LEVELS = 4, 20
PAIRED = 8  # columns whose pairs are looked at: those in which errors differ most
MOST = 3  # segments with a finding
NORMAL = 1.96


class _Segment(NamedTuple):
    columns: tuple[Any, ...]
    words: str
    inside: Array


@check("FL029", "parts of the data where a model is weak", kind="tip", fast=False)
def weak_segments(data: CheckedData) -> list[Diagnosis]:
    """Segments with more errors than chance puts there."""
    table_of(data)
    of_classes(data)
    answers = None if data.fits is None else data.fits.answers()
    if answers is None:
        raise DoesNotApply("there was no time for out-of-fold answers")
    wrong, unsure = ~answers.once, 1 - answers.probabilities.max(axis=1)
    if not wrong.any():
        return []
    single = [
        segments for name in data.read if name not in data.ids if (segments := _of_column(data, name, answers.rows))
    ]
    if not single:
        return []
    chances = [_chances(wrong, unsure, segments).min() for segments in single]
    telling = [single[at] for at in np.argsort(chances, kind="stable")[:PAIRED]]
    both = [_both(a, b) for one, other in combinations(telling, 2) for a in one for b in other]
    pairs = [pair for pair in both if pair is not None]
    every = [segment for segments in single for segment in segments] + pairs
    # half of the level for one column, half for two: these are paired by their errors, so that all pairs count
    n_single, n_pairs = len(every) - len(pairs), len(pairs) * comb(len(single), 2) / max(1, comb(len(telling), 2))
    tested = _chances(wrong, unsure, every) * np.repeat([2 * n_single, 2 * n_pairs], [n_single, len(pairs)])
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


def _chances(wrong: Array, unsure: Array, segments: Sequence[_Segment]) -> Array:
    """How probable so many errors inside are, if errors fall anywhere alike, or as the probabilities of a model say."""
    inside = np.array([segment.inside for segment in segments], dtype=float)
    errors, expected, n = inside @ wrong, inside @ unsure, inside.sum(axis=1)
    anywhere = stats.hypergeom.sf(errors - 1, len(wrong), int(wrong.sum()), n)
    spread = np.sqrt(INFLATED * np.maximum(inside @ (unsure * (1 - unsure)), 1.0))
    return np.maximum(anywhere, stats.norm.sf((errors - 0.5 - expected) / spread))


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
        ends = [f"> {edges[at - 1]:.4g}"] * (at > 0) + [f"≤ {edges[min(at, len(edges) - 1)]:.4g}"] * (at < len(edges))
        text = f"{shown(words)} is missing" if at < 0 else f"{shown(words)} {' and '.join(ends)}"
        if FEWEST <= inside.sum() <= len(values) - FEWEST:
            segments.append(_Segment((words if name is None else name,), text, inside))
    return segments


def _both(one: _Segment, other: _Segment) -> _Segment | None:
    """Two segments at once."""
    inside = one.inside & other.inside
    if not FEWEST <= inside.sum() < min(one.inside.sum(), other.inside.sum()):
        return None
    return _Segment((*one.columns, *other.columns), listed([one.words, other.words]), inside)
