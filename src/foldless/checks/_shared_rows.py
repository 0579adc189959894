"""FL006 and FL007: pool rows and test rows with the content of a labeled row, beyond what chance explains."""

from typing import Any

import numpy as np

from foldless.checks._copies import are_copies
from foldless.checks._tables import some_rows
from foldless.core import Array
from foldless.data._features import concatenate, n_rows, take
from foldless.data._overlap import IMPROBABLE, containment, hashed
from foldless.data._sample import Sample
from foldless.results.finding import Finding

COMPARED = 2000  # shared rows, and rows beside them, by which it is judged what chance explains
ENTRIES = 20_000_000  # of a pool that are hashed: about a second; of a larger one some rows are
IN_POOL = "{n:,} of {rows:,} pool rows have the content of a labeled row"
IN_TEST = "{n:,} of {rows:,} test rows are rows of the training data"
WITHOUT = "{problem}; {metric} without them {value:.3f}, with them {every:.3f}"
TAKE_OUT = "take them out"


def shared(labeled: Any, others: Any) -> Array:
    """A mask of the other rows that are labeled rows; of none where chance explains that contents are equal."""
    rows = hashed(labeled, others)
    mine, theirs = rows.labeled_rounded, rows.pool_rounded
    both = np.isin(theirs, mine)
    if not both.any():
        return both
    if containment(mine, theirs) < IMPROBABLE:
        return both
    at = np.flatnonzero(both)[:COMPARED]
    X = concatenate([labeled, take(others, at)])
    n_pairs = float(len(mine)) * len(theirs)
    copied = are_copies(X, np.concatenate([mine, theirs[at]]), some_rows(others, COMPARED), n_pairs)
    return both & np.isin(theirs, copied)


def in_pool(sample: Sample) -> list[Finding]:
    """FL006: pool rows that are labeled rows."""
    if sample.pool is None or sample.pool is sample.labeled:
        return []
    width = int(np.prod(getattr(sample.pool, "shape", (1, 1))[1:]) or 1)
    read = some_rows(sample.pool, max(1, ENTRIES // width)) if isinstance(sample.pool, np.ndarray) else sample.pool
    at = np.flatnonzero(shared(sample.labeled, read))
    if not len(at):
        return []
    problem = IN_POOL.format(n=len(at), rows=n_rows(read))
    return [Finding("FL006", problem, rows=at if n_rows(read) == n_rows(sample.pool) else (), remedy=TAKE_OUT)]


def in_test(sample: Sample) -> Array | None:
    """A mask of the test rows that are labeled rows; None where none is."""
    if sample.test is None:
        return None
    mask = shared(sample.labeled, sample.test)
    return mask if mask.any() else None


def of_test(mask: Array, metric: str, every: float, without: float | None) -> Finding:
    """FL007: how many test rows are labeled rows, and what a model scores without them."""
    problem = IN_TEST.format(n=int(mask.sum()), rows=len(mask))
    if without is not None:
        problem = WITHOUT.format(problem=problem, metric=metric, value=without, every=every)
    return Finding("FL007", problem, rows=np.flatnonzero(mask), remedy=TAKE_OUT)
