"""FL006 and FL007: pool rows and test rows with the content of a labeled row, beyond what chance explains."""

from typing import Any

import numpy as np

from foldless.checks._copies import are_copies
from foldless.checks._tables import some_rows
from foldless.core import Array
from foldless.data._features import concatenate, n_rows, take
from foldless.data._overlap import IMPROBABLE, RowHashes, containment, hashed
from foldless.data._sample import Sample
from foldless.results.finding import Finding

COMPARED = 2000  # shared rows, and rows beside them, by which it is judged what chance explains
ENTRIES = 20_000_000  # of a pool that are hashed: about a second; of a larger one some rows are
IN_POOL = "{n:,} of {rows:,} pool rows have the content of a labeled row"
TAKE_OUT = "take them out"


def shared(labeled: Any, others: Any, known: RowHashes) -> Array:
    """A mask of the other rows that are labeled rows; of none where chance explains that contents are equal."""
    rows = hashed(labeled, others, known)
    return among(rows.labeled_rounded, rows.pool_rounded, others)


def among(seen: Array, contents: Array, X: Any) -> Array:
    """The same, where of the labeled rows only the contents are known that were ``seen``."""
    both = np.isin(contents, seen)
    if not both.any() or containment(seen, contents) < IMPROBABLE:
        return both
    at = np.flatnonzero(both)[:COMPARED]
    twice = concatenate([X, take(X, at)]) if n_rows(X) <= COMPARED else take(X, np.concatenate([at, at]))
    of_twice = np.concatenate([contents, contents[at]] if n_rows(X) <= COMPARED else [contents[at]] * 2)
    _, first = np.unique(of_twice, return_index=True)  # equal rows of X itself are no sign of shared rows
    kept = np.sort(np.concatenate([first, len(of_twice) - len(at) + np.unique(contents[at], return_index=True)[1]]))
    beside = some_rows(X, COMPARED) if n_rows(X) > COMPARED else None
    copied = are_copies(take(twice, kept), of_twice[kept], beside, float(len(seen)) * len(contents))
    return both & np.isin(contents, copied)


def in_pool(sample: Sample) -> list[Finding]:
    """FL006: pool rows that are labeled rows."""
    if sample.pool is None or sample.pool is sample.labeled:
        return []
    width = int(np.prod(getattr(sample.pool, "shape", (1, 1))[1:]) or 1)
    read = some_rows(sample.pool, max(1, ENTRIES // width)) if isinstance(sample.pool, np.ndarray) else sample.pool
    known = sample.row_hashes if read is sample.pool else RowHashes()  # which would hold a copy of the rows read
    at = np.flatnonzero(shared(sample.labeled, read, known))
    if not len(at):
        return []
    problem = IN_POOL.format(n=len(at), rows=n_rows(read))
    return [Finding("FL006", problem, rows=at if n_rows(read) == n_rows(sample.pool) else (), remedy=TAKE_OUT)]


def in_test(sample: Sample) -> Array | None:
    """A mask of the test rows that are labeled rows; None where none is."""
    if sample.test is None:
        return None
    mask = shared(sample.labeled, sample.test, sample.row_hashes)
    return mask if mask.any() else None


def of_test(mask: Array, metric: str = "", every: float = np.nan, without: float | None = None) -> Finding:
    """FL007: how many test rows are labeled rows, and what a model scores without them, if that is known."""
    problem = f"{int(mask.sum()):,} of {len(mask):,} test rows are rows of the training data"
    if without is not None:
        problem = f"{problem}; {metric} without them {without:.3f}, with them {every:.3f}"
    return Finding("FL007", problem, rows=np.flatnonzero(mask), remedy=TAKE_OUT)
