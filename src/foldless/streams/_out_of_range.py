"""Columns of numbers that leave the range of the first rows: row numbers, clocks, ids.

If rows are exchangeable, a value lies outside the smallest and largest of n first ones with a probability of at most
2/(n+1), whatever its distribution. A column that does so in every second row says when a row came, not what it is, and
a model that follows it goes wrong.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from foldless.core import Array
from foldless.errors import DropColumns, Note

OFTEN = 0.25  # of the rows behind the first ones


class Ranges:
    """Counts for each column of numbers the later rows that are outside the range of the first."""

    def __init__(self, names: Sequence[str], low: Array, high: Array, outside: Array | None = None, rows: int = 0):
        self.names, self.low, self.high, self.rows = list(names), low, high, rows
        self.outside = np.zeros(len(names), dtype=np.int64) if outside is None else outside

    @classmethod
    def of(cls, frame: pd.DataFrame, names: Sequence[str]) -> "Ranges":
        """The ranges of the first rows; where no value is, none is outside."""
        values = frame[list(names)]
        low, high = values.min().fillna(-np.inf), values.max().fillna(np.inf)
        return cls(names, low.to_numpy(dtype=float), high.to_numpy(dtype=float))

    @classmethod
    def kept(cls, saved: Mapping[str, Any]) -> "Ranges":
        arrays = {key: np.array(saved[key]) for key in ("low", "high", "outside")}
        return cls(saved["names"], **arrays, rows=saved["rows"])

    def plain(self) -> dict[str, Any]:
        arrays = {"low": self.low.tolist(), "high": self.high.tolist(), "outside": self.outside.tolist()}
        return {"names": self.names, **arrays, "rows": self.rows}

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
