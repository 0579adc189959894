"""The hashes of all rows of a pool that stays in its files: eight bytes a row, read block by block and sorted in place.

A sorted array answers what checks ask, how often a content occurs and which occur more than once, without another array
of that size.
"""

import numpy as np

from foldless.core import Array
from foldless.data._overlap import hashes
from foldless.data._stored_pool import StoredPool


def stored_hashes(pool: StoredPool) -> Array:
    """A number for each row of a pool in its files, equal for equal rows; in ascending order."""
    every = np.empty(pool.n, dtype=np.uint64)
    start = 0
    for _, X in pool.blocks():
        block = hashes(X)
        every[start : start + len(block)] = block
        start += len(block)
    every = every[:start]
    every.sort()
    return every


def occurrences(contents: Array, sorted_hashes: Array) -> Array:
    """How often each of some contents is among sorted hashes.

    Examples
    --------
    >>> occurrences(np.array([1, 2], dtype=np.uint64), np.array([2, 2, 3], dtype=np.uint64)).tolist()
    [0, 2]
    """
    upto = np.searchsorted(sorted_hashes, contents, side="right")
    return np.asarray(upto - np.searchsorted(sorted_hashes, contents, side="left"))


def repeated_values(sorted_hashes: Array) -> tuple[Array, int]:
    """The values that occur more than once among sorted hashes, and how many entries have one of them."""
    same = sorted_hashes[1:] == sorted_hashes[:-1]
    first = same.copy()
    first[1:] &= ~same[:-1]
    values = sorted_hashes[:-1][first]
    return values, int(np.count_nonzero(same)) + len(values)
