"""Copies become groups: what is found among the labeled rows is kept together in every resample and estimate."""

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from foldless.checks._coincidence import copied_texts
from foldless.checks._copies import EQUAL, KEEP_ONE, copies
from foldless.checks._near_texts import near_texts
from foldless.checks._nearness import near_rows
from foldless.checks._tables import as_numbers, as_table
from foldless.core import Array, KeptCopies
from foldless.data._features import take
from foldless.data._sample import Sample
from foldless.results.finding import Finding

NEAR = "{n:,} of {rows:,} labeled rows are nearly equal to another one, and near copies are kept together"
NOT_SEARCHED = "nearly equal rows were not looked for among the {rows:,} labeled rows: there are too many"
MAX_ROWS, MAX_WORDS = 100_000, 2_000_000  # that are searched: about two seconds
UNREADABLE = (TypeError, ValueError, AttributeError, IndexError, OverflowError)  # rows that are anything at all


class Units(NamedTuple):
    """A number for each labeled row, equal for copies; the same for near copies too; and what was not searched."""

    equal: Array
    alike: Array
    notes: list[str]


def with_copies_together(sample: Sample) -> Sample:
    """The sample with copies among its labeled rows in one group, and a finding about them.

    Groups of the user that share a copy are joined. Splitter objects get the groups that the user passed.
    """
    try:
        equal, alike, notes = units(sample)
    except UNREADABLE:
        return sample
    if len(np.unique(alike)) == len(alike) and not notes:
        return sample
    n, numbers = len(alike), np.arange(len(alike)) if sample.numbers is None else sample.numbers
    exact, near = spanning(equal, sample.groups), spanning(alike, sample.groups) & ~spanning(equal, sample.groups)
    for code, sentence, rows in (("FL004", EQUAL, exact), ("FL005", NEAR, near)):
        if rows.any():
            n_named, of = len(np.unique(numbers[rows])), len(np.unique(numbers))
            problem = sentence.format(n=n_named, rows=of)
            notes.append(Finding(code, problem, rows=np.unique(numbers[rows]), remedy=KEEP_ONE))
    groups = joined(alike, sample.groups)
    if not (exact | near).any() or len(np.unique(groups)) < 2 or n < 2:
        return replace(sample, notes=(*sample.notes, *notes))
    return replace(sample, groups=groups, copies=KeptCopies(sample.groups), notes=(*sample.notes, *notes))


def units(sample: Sample) -> Units:
    """Copies and near copies among the labeled rows."""
    contents = sample.row_hashes.of(sample.labeled)
    read = np.arange(len(contents))
    if sample.groups is not None:  # rows of a group may be equal: of each content one row of a group is read
        _, codes = np.unique(sample.groups, return_inverse=True)
        pairs = np.stack([codes.astype(np.uint64), contents])
        read = np.sort(np.unique(pairs, axis=1, return_index=True)[1])
    X = sample.labeled if len(read) == len(contents) else take(sample.labeled, read)
    equal = np.arange(len(contents))
    equal[read] = read[copies(X, contents[read], sample.pool)]
    _, first, at = np.unique(contents, return_index=True, return_inverse=True)
    sets = _near_copies(take(sample.labeled, first))
    if sets is None:
        return Units(equal, equal, [NOT_SEARCHED.format(rows=len(contents))])
    near = spanning(sets, None)
    return Units(equal, np.where(near[at], len(contents) + sets[at], equal), [])


def _near_copies(X: Any) -> Array | None:
    """A number for each of distinct rows, equal for near copies; None where there are too many to look for them."""
    table = as_table(X)
    if isinstance(table, list):
        return _near_texts(table)
    if table.shape[0] > MAX_ROWS:
        return None
    if not hasattr(table, "iloc") and not isinstance(table, np.ndarray):
        return near_rows(table)
    return near_rows(*as_numbers(table))


def _near_texts(texts: list[str]) -> Array | None:
    """Texts that hardly differ, and have enough words not to do so by chance."""
    if len(texts) > MAX_ROWS or sum(text.count(" ") for text in texts) > MAX_WORDS:
        return None
    sets, changed = near_texts(texts)
    if len(np.unique(sets)) == len(sets):
        return sets
    copied = np.isin(sets, copied_texts(sets, texts, changed))
    return np.where(copied, sets, len(texts) + np.arange(len(texts)))


def spanning(units: Array, groups: Array | None) -> Array:
    """A mask of the rows whose unit has several rows; with groups, rows of several groups."""
    _, at = np.unique(units, return_inverse=True)
    names = np.arange(len(units)) if groups is None else np.unique(groups, return_inverse=True)[1]
    pairs = np.unique(np.stack([at, names]), axis=1)
    return np.asarray(np.bincount(pairs[0], minlength=at.max() + 1 if len(at) else 0)[at] > 1)


def joined(units: Array, groups: Array | None) -> Array:
    """Groups, joined where they share a unit; each has the name of one of them."""
    if groups is None:
        return np.asarray(np.unique(units, return_inverse=True)[1])
    _, first, at = np.unique(groups, return_index=True, return_inverse=True)
    _, unit = np.unique(units, return_inverse=True)
    n = len(first)
    edges = sparse.coo_matrix((np.ones(len(at)), (at, n + unit)), shape=(n + unit.max() + 1,) * 2)
    component = connected_components(edges, directed=False)[1][:n]
    _, representative = np.unique(component, return_index=True)
    return np.asarray(groups[first[representative[np.unique(component, return_inverse=True)[1]]]][at])
