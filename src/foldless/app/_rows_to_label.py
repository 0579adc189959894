"""Which rows of the pool to label next: at random before anything is known, then where the leaders disagree.

Each row comes with the probability with which it was drawn, so that estimates know what its label stands for: None
where it was drawn at random like the first labels, and 0 where it was chosen.
"""

from collections.abc import Collection
from typing import Any, NamedTuple

import numpy as np

import foldless
from foldless.core import Array

AT_RANDOM = "drawn at random"


class Picked(NamedTuple):
    """A row of the pool, why it is shown, and the probability with which it was drawn."""

    row: int
    why: str
    p: float | None


def at_random(n_pool: int, out: Collection[int], n: int, seed: int, *, first: bool) -> list[Picked]:
    """Rows that are not ``out``, drawn at random; ``first`` says that no label was chosen in another way before."""
    left = np.setdiff1d(np.arange(n_pool), np.fromiter(out, dtype=np.int64, count=len(out)))
    rows = np.random.default_rng([seed, len(out)]).permutation(left)[:n].tolist()
    return [Picked(row, AT_RANDOM, None if first else len(rows) / len(left)) for row in rows]


def by_leaders(search: Any, pool: Array, out: Collection[int], n: int, seed: int, *, valid: bool) -> list[Picked]:
    """Rows that help most to choose and to train; ``pool`` are the rows that the search has as its pool."""
    gone = sum(row in out for row in pool.tolist())  # skipped, or labeled since
    wanted = min(len(pool), round(n * len(pool) / max(1, len(pool) - gone)) if valid else n + gone)
    strategy = "auto" if valid else "diverse"
    suggestion = foldless.suggest(search, wanted, strategy=strategy, keep_valid=valid, random_state=seed + len(out))
    chances = [0.0] * len(suggestion.rows) if suggestion.probabilities is None else suggestion.probabilities.tolist()
    picked = [
        Picked(int(pool[row]), str(why), p)
        for row, why, p in zip(suggestion.rows, suggestion.reasons, chances, strict=True)
    ]
    left = [each for each in picked if each.row not in out]
    return left if valid else left[:n]  # a part of those drawn would have smaller probabilities
