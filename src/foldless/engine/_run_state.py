"""What a run has and knows so far: the data, the answers, what failed, and what each fit took.

Answers are in memory up to a budget, then in files that the system pages in and out: candidates × pool has no limit. A
file has no name by the time it is used, so that nothing is left behind however the process ends.
"""

import mmap
import os
import tempfile
from abc import abstractmethod
from collections import UserDict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from foldless.core import Array, Ask, Candidate, Fit, Rows
from foldless.data._sample import Sample
from foldless.engine._callbacks import Hooks
from foldless.engine._candidates import Recipe
from foldless.engine._groups import Group
from foldless.engine._journal import Journal
from foldless.engine._keys import Keys
from foldless.engine._progress import Observer
from foldless.engine._stopping import Stop
from foldless.errors import Overtime

BUDGET, FILE = 2**29, 2**28  # bytes of answers in memory, and in each file
ALIGNED = 64  # bytes
LEAST = 2**16  # bytes from which an answer is worth a file


@dataclass
class Seconds:
    """What a fit took to train and to answer."""

    fit: float
    answer: float


@dataclass(eq=False, repr=False)
class RunState:
    """Everything that answering a question reads or changes."""

    data: Sample
    recipes: Sequence[Recipe]
    n_jobs: int | None
    journal: Journal | None
    stop: Stop
    observer: Observer
    hooks: Hooks | None

    def __post_init__(self) -> None:
        self.keys = Keys(self.data, self.recipes)
        self.answers = Answers()
        self.errors: dict[Fit | Ask, Exception] = {}
        self.seconds: dict[Fit, Seconds] = {}
        self.alone: dict[Candidate, float] = {}  # seconds of the longest fit of each, with all that it shares
        self.resumed: set[Fit] = set()
        self.stopped: str | None = None
        self.fits_after = 0  # that are foreseen after those of the criteria, for an estimate

    def end(self, woken: Overtime) -> None:
        """Make no further fit, as the time is up; where it is the time of somebody else, they are to know."""
        self.stopped = self.stop.reason
        if self.stopped is None:
            raise woken

    def error(self, ask: Ask) -> Exception | None:
        """Why a question has no answer: its fit failed, or cannot answer this one; None where it was not reached."""
        return self.errors.get(ask.fit, self.errors.get(ask))

    @abstractmethod
    def prepared(self, piece: Group) -> Group:
        """A piece as it goes to a cluster."""

    def touched(self, piece: Group) -> frozenset[int]:
        """The numbers of the parts of the data that a piece touches; the others need not travel."""
        used: set[Rows | None] = set()
        for order, _ in piece.work:
            used.update((order.fit.rows, order.fit.unlabeled, *(ask.rows for ask in order.asks)))
        return frozenset(at for rows in used if rows is not None for at in self.data.touched(rows))


class Answers(UserDict[Ask, Array]):
    """Answers by question; large ones beyond the budget are read-only arrays in files."""

    def __init__(self, budget: int = BUDGET):
        super().__init__()
        self._left, self._files = budget, _Files()

    def __setitem__(self, ask: Ask, answer: Array) -> None:
        self._left -= answer.nbytes
        self.data[ask] = self._files.put(answer) if self._left < 0 and answer.nbytes >= LEAST else answer


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
