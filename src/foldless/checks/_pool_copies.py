"""FL006: pool rows that have the content of a labeled row, beyond what chance explains.

A pool that stays in its files is read block by block, and only the hashes of its rows are kept in memory.
"""

import numpy as np

from foldless.checks._check import Diagnosis, DoesNotApply, check
from foldless.checks._checked_data import CheckedData
from foldless.checks._shared_rows import IN_POOL, TAKE_OUT, among, in_pool
from foldless.checks._stored_hashes import occurrences
from foldless.checks._tables import some_rows
from foldless.core import Array
from foldless.data._features import concatenate, take
from foldless.data._overlap import hashes
from foldless.data._sample import Sample
from foldless.results.finding import Finding

NO_POOL = "there is no pool"
UNTOLD = "rows of the pool have no labels to measure by"
BESIDE = 2000  # pool rows by which it is judged what chance explains


@check("FL006", "pool rows that are labeled rows", kind="tip")
def pool_copies(data: CheckedData) -> list[Diagnosis]:
    if data.sample.pool is None:
        raise DoesNotApply(NO_POOL)
    in_memory = data.sample.stored is None or data.fast
    findings = in_pool(data.sample) if in_memory else _in_stored(data.sample, data.sorted_pool_hashes)
    return [Diagnosis(finding, untold=UNTOLD) for finding in findings]


def _in_stored(sample: Sample, every: Array) -> list[Finding]:
    """The same of a pool in files, by the sorted hashes of every row."""
    labeled = sample.row_hashes.of(sample.labeled)
    both = np.flatnonzero(occurrences(labeled, every))
    if not len(both):
        return []
    copied = _judged(sample, labeled, both)
    n = int(occurrences(np.unique(copied), every).sum())
    return [Finding("FL006", IN_POOL.format(n=n, rows=len(every)), remedy=TAKE_OUT)] if n else []


def _judged(sample: Sample, labeled: Array, both: Array) -> Array:
    """The contents of shared rows that chance does not explain."""
    beside = some_rows(sample.pool, BESIDE)
    rows = concatenate([beside, take(sample.labeled, both)])
    contents = np.concatenate([hashes(beside), labeled[both]])
    return np.asarray(contents[among(labeled, contents, rows)])
