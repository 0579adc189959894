"""Answers in memory up to a budget, then in files that the system pages in and out: candidates × pool has no limit.

A file has no name by the time it is used, so that nothing is left behind however the process ends.
"""

import mmap
import os
import tempfile
from collections.abc import Iterator, MutableMapping

import numpy as np

from foldless.core import Array, Ask

BUDGET, FILE = 2**29, 2**28  # bytes of answers in memory, and in each file
ALIGNED = 64  # bytes
LEAST = 2**16  # bytes from which an answer is worth a file


class Answers(MutableMapping[Ask, Array]):
    """Answers by question; large ones beyond the budget are read-only arrays in files."""

    def __init__(self, budget: int = BUDGET):
        self._held: dict[Ask, Array] = {}
        self._left, self._files = budget, _Files()

    def __getitem__(self, ask: Ask) -> Array:
        return self._held[ask]

    def __setitem__(self, ask: Ask, answer: Array) -> None:
        self._left -= answer.nbytes
        self._held[ask] = self._files.put(answer) if self._left < 0 and answer.nbytes >= LEAST else answer

    def __delitem__(self, ask: Ask) -> None:
        del self._held[ask]

    def __contains__(self, ask: object) -> bool:
        return ask in self._held

    def __iter__(self) -> Iterator[Ask]:
        return iter(self._held)

    def __len__(self) -> int:
        return len(self._held)


class _Files:
    """Room in files of some size, each mapped into memory as a whole: every mapping costs a file descriptor."""

    def __init__(self) -> None:
        self._mapped: mmap.mmap | None = None
        self._used = 0

    def put(self, answer: Array) -> Array:
        """The same array in a file; where no file can be written it stays in memory."""
        if answer.dtype.hasobject:
            return answer
        try:
            if self._mapped is None or self._used + answer.nbytes > len(self._mapped):
                with tempfile.TemporaryFile() as file:  # the mapping keeps what it needs of it
                    size = max(FILE, answer.nbytes)
                    file.truncate(size)
                    if hasattr(os, "posix_fallocate"):  # a disk that is full says so here, and not in the mapping
                        os.posix_fallocate(file.fileno(), 0, size)
                    self._mapped, self._used = mmap.mmap(file.fileno(), size), 0
        except OSError:
            return answer
        kept = np.frombuffer(self._mapped, answer.dtype, answer.size, self._used).reshape(answer.shape)
        kept[...] = answer
        kept.flags.writeable = False
        self._used += -(-answer.nbytes // ALIGNED) * ALIGNED
        return kept
