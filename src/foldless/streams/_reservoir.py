"""Held-out rows: a uniform sample of the stream, of a fixed size, that nothing is learned from.

They show at the end what the model is worth, and carry what adjusted counts and the alarm need. One row in ten is drawn
until the sample is full; from then on the n-th that is drawn replaces one of the sample with probability size/n
(reservoir sampling), and else is learned from like the others.

References
----------
Vitter, J. S. (1985). Random sampling with a reservoir. ACM Transactions on Mathematical Software 11, Algorithm R.
"""

from typing import Any

import numpy as np

from foldless.core import Array
from foldless.data._features import concatenate, take

SHARE = 0.1
HELD = 0x48454C44  # sets these draws apart from those of others with the same seed


class ReservoirRows:
    """The held-out rows so far; draws depend on the seed and the number of rows before, and on nothing else."""

    def __init__(self, size: int, seed: int, X: Any = None, codes: Array | None = None, drawn: int = 0):
        self.size, self.seed, self.drawn = size, seed, drawn
        self.X, self.codes = X, np.empty(0, dtype=np.int64) if codes is None else codes

    def __len__(self) -> int:
        return len(self.codes)

    def draw(self, X: Any, codes: Array, before: int) -> Array:
        """Set some of these rows aside; which of them are left to be learned from."""
        learned = np.ones(len(codes), dtype=bool)
        if not self.size:
            return learned
        rng = np.random.default_rng([HELD, self.seed, before, 1])  # the 1, because zeros at the end are no entropy
        chance, place = rng.random((2, len(codes)))
        drawn = np.flatnonzero(chance < SHARE)
        turn = self.drawn + 1 + np.arange(len(drawn))
        slots = np.where(turn <= self.size, turn - 1, np.floor(place[drawn] * turn)).astype(np.int64)
        self.drawn += len(drawn)
        taken = slots < self.size
        drawn, slots = drawn[taken], slots[taken]
        if len(drawn):
            self._keep(take(X, drawn), codes[drawn], slots)
        learned[drawn] = False
        return learned

    def _keep(self, X: Any, codes: Array, slots: Array) -> None:
        n = len(self.codes)
        at = np.arange(max(n, int(slots.max()) + 1))
        at[slots] = n + np.arange(len(slots))  # the last one drawn for a slot has it
        self.X = take(X if self.X is None else concatenate([self.X, X]), at)
        self.codes = np.concatenate([self.codes, codes])[at]
