"""The hashes of all rows of a pool, also of one that stays in its files: eight bytes a row, read block by block."""

from typing import Any

import numpy as np

from foldless.core import Array
from foldless.data._overlap import hashes
from foldless.data._sample import Sample
from foldless.data._stored_pool import StoredPool


def pool_hashes(sample: Sample) -> Array:
    """A number for each row of the pool, equal for equal rows."""
    if sample.stored is None:
        return sample.row_hashes.of(sample.pool)
    return stored_hashes(sample.stored)


def stored_hashes(pool: StoredPool) -> Array:
    """The same of a pool in its files."""
    every = np.empty(pool.n, dtype=np.uint64)
    start = 0
    for _, X in pool.blocks():
        block = hashes(X)
        every[start : start + len(block)] = block
        start += len(block)
    return every[:start]


def repeated_values(contents: Array) -> tuple[Array, int]:
    """The values that occur more than once, and how many entries have one of them; the array is sorted in place."""
    contents.sort()
    same = contents[1:] == contents[:-1]
    values: Any = np.unique(contents[1:][same])
    return values, int(same.sum()) + len(values)
