"""How many rows are read at once of tables of any width."""

from collections.abc import Sequence

CELLS, ROWS = 2**22, 2**16  # values, and rows, of a block at most


def most_rows(columns: Sequence[str]) -> int:
    """The rows of a block.

    Examples
    --------
    >>> most_rows(["text"]), most_rows(range(1000))
    (65536, 4194)
    """
    return max(1, min(ROWS, CELLS // max(1, len(columns))))
