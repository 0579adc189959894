"""Row numbers that are keys: rows with the same numbers in the same order are equal, in every process.

What is trained, shared and journaled is looked up by rows, so they carry a hash of their content.
"""

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def digest(*parts: bytes | str) -> bytes:
    """A short content hash; parts keep their borders."""
    state = hashlib.blake2b(digest_size=16)
    for part in parts:
        raw = part.encode() if isinstance(part, str) else part
        state.update(len(raw).to_bytes(8, "little"))
        state.update(raw)
    return state.digest()


def short(content: bytes) -> int:
    """A content hash as a number for Python's tables, the same in every process; fits are looked up very often."""
    return int.from_bytes(content[:7], "little")


@dataclass(frozen=True, eq=False, init=False)
class Rows:
    """Row numbers in their order; consecutive ones cost nothing to keep, to send and to hash."""

    start: int
    stop: int
    scattered: Array | None
    digest: bytes
    _hash: int

    def __init__(self, indices: Array | range):
        if isinstance(indices, range) and indices.step == 1:
            start, stop, scattered = (indices.start, indices.stop, None) if indices else (0, 0, None)
        else:
            rows = np.ascontiguousarray(indices, dtype=np.int64)
            start, stop = (int(rows[0]), int(rows[0]) + len(rows)) if len(rows) else (0, 0)
            scattered = None if np.array_equal(rows, np.arange(start, stop)) else rows
        content = b"" if scattered is None else scattered.tobytes()
        for name, value in (("start", start), ("stop", stop), ("scattered", scattered)):
            object.__setattr__(self, name, value)
        object.__setattr__(self, "digest", digest(f"{start}:{stop}", content))
        object.__setattr__(self, "_hash", short(self.digest))

    @property
    def indices(self) -> Array:
        return np.arange(self.start, self.stop) if self.scattered is None else self.scattered

    @cached_property
    def bounds(self) -> tuple[int, int]:
        """The smallest and the largest row number, where there are rows."""
        if self.scattered is None:
            return self.start, self.stop - 1
        return int(self.scattered.min()), int(self.scattered.max())

    def at(self, positions: Array) -> "Rows":
        """The rows that stand at these positions."""
        return Rows(self.indices[positions])

    def __getstate__(self) -> dict[str, Any]:
        """What travels to workers with every fit: a bit for each row where they ascend, else small numbers."""
        return {**self.__dict__, "scattered": None if self.scattered is None else _packed(self.scattered)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        scattered = state["scattered"]
        self.__dict__.update(state, scattered=_unpacked(*scattered) if isinstance(scattered, tuple) else scattered)

    def __len__(self) -> int:
        return self.stop - self.start

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rows) and self.digest == other.digest

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return f"Rows({self.start}:{self.stop})" if self.scattered is None else f"Rows({len(self)} scattered)"


def _packed(rows: Array) -> tuple[int, Array]:
    """Row numbers as the first of them and a bit for each that follows, or as 0 and the numbers themselves."""
    first, last = int(rows.min()), int(rows.max())
    if last - first < 8 * rows.nbytes and (rows[1:] > rows[:-1]).all():
        present = np.zeros(last - first + 1, dtype=bool)
        present[rows - first] = True
        return first + 1, np.packbits(present)
    return 0, rows.astype(np.min_scalar_type(last)) if first >= 0 else rows


def _unpacked(after: int, packed: Array) -> Array:
    return np.flatnonzero(np.unpackbits(packed)).astype(np.int64) + (after - 1) if after else packed.astype(np.int64)
