"""Which rows of the pool to label next: at random before anything is known, then where the leaders disagree."""

from collections.abc import Collection
from typing import Any

import numpy as np

import foldless
from foldless.core import Array

AT_RANDOM = "drawn at random"


def rows_at_random(n_pool: int, out: Collection[int], n: int, seed: int) -> tuple[list[int], list[str]]:
    """Rows of the pool that are not out, drawn at random, and why they are shown."""
    left = np.setdiff1d(np.arange(n_pool), np.fromiter(out, dtype=np.int64, count=len(out)))
    rows = np.random.default_rng([seed, len(out)]).permutation(left)[:n].tolist()
    return rows, [AT_RANDOM] * len(rows)


def rows_to_label(search: Any, pool: Array, out: Collection[int], n: int, seed: int) -> tuple[list[int], list[str]]:
    """Rows that help most to choose and to train, and why; ``pool`` are the rows that the search has as its pool."""
    found = foldless.suggest(search, min(len(pool), n + len(out)), random_state=seed)
    chosen = [(int(pool[row]), str(why)) for row, why in zip(found.rows, found.reasons, strict=True)]
    kept = [(row, why) for row, why in chosen if row not in out][:n]
    return [row for row, _ in kept], [why for _, why in kept]
