"""FL030: pool rows that appear more than once, beyond what chance explains: shares and sums count them twice."""

import numpy as np

from foldless.checks._check import Diagnosis, DoesNotApply, check
from foldless.checks._checked_data import CheckedData
from foldless.checks._copies import are_copies
from foldless.checks._pool_copies import NO_POOL, UNTOLD
from foldless.checks._stored_hashes import repeated_values
from foldless.checks._tables import some_rows
from foldless.data._features import n_rows, take
from foldless.data._overlap import hashes
from foldless.results.finding import Finding

COMPARED = 2000  # repeated rows, and rows beside them, by which it is judged what chance explains
MAX_FAST = 200_000  # rows of a pool that the fast form reads


@check("FL030", "pool rows that appear more than once", kind="tip")
def pool_repeats(data: CheckedData) -> list[Diagnosis]:
    sample = data.sample
    if sample.pool is None:
        raise DoesNotApply(NO_POOL)
    if data.fast and (sample.stored is not None or n_rows(sample.pool) > MAX_FAST):
        raise DoesNotApply("the fast form does not read a pool of this size")
    n_pool = len(data.sorted_pool_hashes)
    here = sample.row_hashes.of(sample.pool) if sample.stored is None else hashes(sample.pool)
    values, n = repeated_values(data.sorted_pool_hashes)
    at = np.flatnonzero(np.isin(here, values))[:COMPARED]
    if not len(at):
        return []
    twice = np.concatenate([at, at])
    beside = some_rows(sample.pool, COMPARED)
    if not len(are_copies(take(sample.pool, twice), here[twice], beside, n_pool * (n_pool - 1) / 2)):
        return []
    problem = f"{n:,} of {n_pool:,} pool rows appear more than once"
    rows = np.flatnonzero(np.isin(here, values)) if sample.stored is None else ()
    return [Diagnosis(Finding("FL030", problem, rows=rows, remedy="keep one of each"), untold=UNTOLD)]
