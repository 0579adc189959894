"""A pool that stays in its files: how many rows it has, blocks of their features, and a random sample of them.

What needs a sum over the pool reads it block by block. What needs single rows reads the sample: s of m rows, drawn
without replacement, so that a share of the sample differs from that of the pool by chance only,

    1.96 · √(¼ / s · (m − s) / (m − 1))   at most, in 19 of 20 samples.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from functools import cached_property
from math import sqrt
from typing import Any, NamedTuple

import numpy as np

from foldless.errors import BadInput

SAMPLE = 100_000  # rows that are drawn of a pool that stays in its files
CELLS, ROWS = 2**22, 2**16  # values, and rows, of a block at most
NOTE = (
    "the pool of {rows:,} rows stays on disk: sums and shares use all rows, and steps that need single rows use a "
    "random sample of {sample:,} (seed {seed}), in which a share is within {error:.4f} of that of all rows with "
    "confidence 0.95"
)
COUNTED = (
    "the pool of {rows:,} rows stays on disk, and shares are estimated from a random sample of {sample:,} rows (seed "
    "{seed}): the intervals are those of the sample"
)
DRAWN = ("sample", "sampled_rows")
Form = Callable[[Any], Any]
"""Makes features, in the container of the labeled rows, of a table."""


class Block(NamedTuple):
    """Some rows of a pool as a table, the file or part that they are from, and how many of its rows come before."""

    place: str
    table: Any
    before: int = 0


def most_rows(columns: Sequence[str]) -> int:
    """The rows of a block.

    Examples
    --------
    >>> most_rows(["text"]), most_rows(range(1000))
    (65536, 4194)
    """
    return max(1, min(ROWS, CELLS // max(1, len(columns))))


class BlockSource(ABC):
    """Where the rows of a pool are: ``sizes`` has the rows of each unit, which can be read by itself."""

    name: str
    sizes: tuple[int, ...]
    notes: tuple[str, ...]

    @abstractmethod
    def blocks(self, units: Sequence[int], columns: Sequence[str]) -> Iterator[Block]:
        """The rows of some units in their order, in tables of bounded size."""

    def each(self, work: Callable[[Iterator[Block]], Any], columns: Sequence[str]) -> Iterator[Any] | None:  # noqa: ARG002
        """What the work gives for parts of all rows, where the source itself spreads it; else None."""
        return None

    def joined(self, tables: list[Any]) -> Any:
        import pyarrow  # which pools in memory do not need

        return pyarrow.concat_tables(tables)

    @abstractmethod
    def digest(self) -> bytes:
        """A hash that other rows would not have."""


class StoredPool:
    """The rows of a source, in the form of the labeled rows."""

    joining = tuple(f"{are} left out, as the pool stays on disk" for are in ("is", "are"))  # rows without a label

    def __init__(self, source: BlockSource, form: Form, columns: Sequence[str], size: int = SAMPLE, seed: int = 0):
        self.source, self.form, self.columns, self.seed = source, form, tuple(columns), seed
        self.n = sum(source.sizes)
        self.n_sampled = min(size, self.n)

    @property
    def shape(self) -> tuple[int]:
        return (self.n,)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name not in DRAWN}  # workers read blocks only

    def blocks(self, units: Sequence[int] | None = None) -> Iterator[tuple[str, Any]]:
        """The features of all rows, or of those of some units, and where they are from."""
        every = range(len(self.source.sizes)) if units is None else units
        return self.formed(self.source.blocks(every, self.columns))

    def formed(self, blocks: Iterator[Block]) -> Iterator[tuple[str, Any]]:
        """Blocks as features; what is wrong with one is told with its place."""
        for place, table, before in blocks:
            if len(table):
                with _naming(f"rows counted from row {before + 1:,} of {place}"):
                    X = self.form(table)
                yield place, X

    @cached_property
    def sample(self) -> Any:
        """The features of the sampled rows, in the order of the pool."""
        joined = self.source.joined(list(self._drawn()))
        with _naming("rows counted in the sample") if self.n_sampled < self.n else nullcontext():
            return self.form(joined)

    @cached_property
    def sampled_rows(self) -> Any:
        """The positions of the sampled rows in the pool, in order."""
        rng = np.random.default_rng([self.seed, self.n, self.n_sampled])
        return np.sort(rng.choice(self.n, self.n_sampled, replace=False, shuffle=False))

    def _drawn(self) -> Iterator[Any]:
        rows, ends = self.sampled_rows, np.cumsum(self.source.sizes)
        held = np.diff(np.searchsorted(rows, ends), prepend=0) > 0
        units = np.flatnonzero(held)
        skipped = np.cumsum(np.where(held, 0, self.source.sizes))  # rows of units that are not read, up to each unit
        start, left = 0, rows - skipped[np.searchsorted(ends, rows, side="right")]
        for _, table, _ in self.source.blocks(units.tolist(), self.columns):
            inside = np.searchsorted(left, start + len(table))
            yield table.take(left[:inside] - start)
            left, start = left[inside:], start + len(table)

    def with_rows(self, X: Any) -> "StoredPool":  # noqa: ARG002 (a pool in memory takes them)
        """The same pool: labeled rows without a label do not join what is in files."""
        return self

    @property
    def error(self) -> float:
        """How far a share of the sample is from that of the pool at most, with confidence 0.95."""
        return 1.96 * sqrt(0.25 / self.n_sampled * (self.n - self.n_sampled) / max(1, self.n - 1))

    @property
    def note(self) -> str:
        return NOTE.format(rows=self.n, sample=self.n_sampled, seed=self.seed, error=self.error)

    @property
    def note_of_counts(self) -> str:
        """The same where only the sample is counted."""
        return COUNTED.format(rows=self.n, sample=self.n_sampled, seed=self.seed)


@contextmanager
def _naming(where: str) -> Iterator[None]:
    try:
        yield
    except BadInput as error:
        raise BadInput(
            f"{error.problem} ({where})", value=error.value, place=error.place, remedy=error.remedies
        ) from error
