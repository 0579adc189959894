"""Columns of numbers that leave the range of the first rows: row numbers, clocks, ids.

If rows are exchangeable, a value lies outside the smallest and largest of n first ones with a probability of at most
2/(n+1), whatever its distribution. A column that does so in every second row says when a row came, not what it is, and
a model that follows it goes wrong.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from foldless.core import Array
from foldless.errors import DropColumns, Note

ARRAYS = ("low", "high", "outside")
OFTEN = 0.25  # of the rows behind the first ones


@dataclass(eq=False)
class Ranges:
    """Counts for each column of numbers the later rows that are outside the range of the first."""

    names: list[str]
    low: Array
    high: Array
    outside: Array
    rows: int = 0

    @classmethod
    def of(cls, frame: pd.DataFrame, names: Sequence[str]) -> "Ranges":
        """The ranges of the first rows; where no value is, none is outside."""
        values = frame[list(names)]
        low, high = values.min().fillna(-np.inf), values.max().fillna(np.inf)
        outside = np.zeros(len(names), dtype=np.int64)
        return cls(list(names), low.to_numpy(dtype=float), high.to_numpy(dtype=float), outside)

    @classmethod
    def kept(cls, saved: Mapping[str, Any]) -> "Ranges":
        parts: dict[str, Any] = {key: np.array(part) if key in ARRAYS else part for key, part in saved.items()}
        return cls(**parts)

    def plain(self) -> dict[str, Any]:
        return {key: part.tolist() if key in ARRAYS else part for key, part in vars(self).items()}

    def add(self, frame: pd.DataFrame) -> None:
        values = frame[self.names].to_numpy()
        self.outside = self.outside + np.count_nonzero((values < self.low) | (values > self.high), axis=0)
        self.rows += len(frame)

    def notes(self) -> list[str]:
        """One sentence for all columns that are often outside."""
        shares = self.outside / max(self.rows, 1)
        often = tuple(name for name, share in zip(self.names, shares, strict=True) if share > OFTEN)
        if not often:
            return []
        least, names = shares[shares > OFTEN].min(), ", ".join(map(repr, often))
        are, share, when = f"column {names} is", f"{least:.0%}", "if it is a row number or a time, "
        if len(often) > 1:
            are, share, when = f"columns {names} are", f"{share} or more", "if they are row numbers or times, "
        problem = (
            f"{are} outside the range of the first rows in {share} of the later rows, where models cannot extrapolate"
        )
        return [Note(problem, remedy=DropColumns(often, when))]
