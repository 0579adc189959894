"""Another form of the labeled rows, by which one can tell how much a finding matters."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from foldless.core import Array


@dataclass(frozen=True, eq=False)
class Variant:
    """The labeled rows in another form, of which the estimate is made once more: how much a finding matters.

    Rows and columns to leave out, groups of rows to keep together in folds, or other class codes. ``test_rows`` are
    rows of the test file to leave out. ``units`` are equal for rows that are one observation, which an interval counts
    as one. ``words`` say what was done.
    """

    rows: Array = field(default_factory=lambda: np.empty(0, dtype=int))
    columns: tuple[Any, ...] = ()
    together: Array | None = None
    codes: Array | None = None
    test_rows: Array | None = None
    units: Array | None = None
    words: str = "without them"

    @property
    def key(self) -> tuple[Any, ...]:
        """Equal for equal forms, so that each is fitted once."""
        arrays = (self.rows, self.together, self.codes)
        return (self.columns, *(None if array is None else np.asarray(array).tobytes() for array in arrays))
