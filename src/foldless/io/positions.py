"""Rows of a file as they were read, and the place behind them."""

from dataclasses import asdict, dataclass, field
from typing import Any

import pyarrow as pa

from foldless.core import Array
from foldless.io.faults import Fault


@dataclass(frozen=True)
class Place:
    """Where the next row begins: the number of the part, of the rows before it, of the lines and bytes before it.

    ``digest`` is that of these bytes, for text files.
    """

    part: int = 0
    row: int = 0
    line: int = 0
    offset: int = 0
    digest: str = ""

    def plain(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, eq=False)
class Batch:
    """Rows of one part with their numbers, the faults found on the way, and the place behind them.

    ``lines`` is None where rows have no lines. ``odd`` are the cells that are not of the type of their column, which
    are null in the table: for each column the positions in the table and what stands there.
    """

    source: str
    table: pa.Table
    rows: Array
    lines: Array | None
    faults: list[Fault]
    place: Place
    odd: dict[str, dict[int, str]] = field(default_factory=dict)

    def fault(self, at: int, kind: Any, what: str) -> Fault:
        """A fault of the row at a position of the table."""
        line = None if self.lines is None else int(self.lines[at])
        return Fault(kind, self.source, int(self.rows[at]), line, what)
