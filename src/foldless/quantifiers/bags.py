"""Bags: samples of rows, given by row numbers, whose class shares are wanted; thousands are counted at once.

All bags together are one array of row numbers with the place where each bag starts, so that counts and means of every
bag are one pass over the rows, whatever the sizes of the bags.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from foldless.core import Array
from foldless.errors import BadInput

BLOCK = 30_000  # rows


@dataclass(frozen=True, eq=False)
class Bags:
    """Row numbers of all bags one after the other; bag b is ``rows[starts[b]:starts[b + 1]]``."""

    rows: Array
    starts: Array
    n_rows: int

    @classmethod
    def of(cls, bags: Any, n_rows: int) -> "Bags":
        """Bags of row numbers below ``n_rows``: an array (bags, size), or one array for each bag.

        Examples
        --------
        >>> Bags.of([[0, 1], [2, 2, 0]], n_rows=3).sizes
        array([2, 3])
        """
        if isinstance(bags, Bags):
            rows, starts = bags.rows, bags.starts
        elif isinstance(bags, np.ndarray) and bags.ndim == 2:
            rows, starts = bags.ravel(), np.arange(len(bags) + 1) * bags.shape[1]
        else:
            each = [np.asarray(bag).ravel() for bag in bags]
            rows = np.concatenate(each) if each else np.empty(0, dtype=np.int64)
            starts = np.concatenate([[0], np.cumsum([len(bag) for bag in each], dtype=np.int64)])
        if len(starts) > 1 and not np.diff(starts).all():
            raise BadInput("there are no rows to estimate shares from: every bag needs at least one row")
        if len(rows) and (rows.dtype.kind not in "iu" or rows.min() < 0 or rows.max() >= n_rows):
            raise BadInput(f"bags hold row numbers from 0 to {n_rows - 1}, got {rows[:3].tolist()} ...")
        return cls(rows, starts, n_rows)

    @classmethod
    def whole(cls, n_rows: int) -> "Bags":
        """One bag of all rows."""
        return cls.of(np.arange(n_rows)[None, :], n_rows)

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def sizes(self) -> Array:
        """How many rows each bag has."""
        return np.diff(self.starts)

    def repeated(self, times: int) -> "Bags":
        """The same bags where every row i has ``times`` answers, at i, i + n, i + 2n and so on."""
        if times == 1:
            return self
        rows = (self.rows[:, None] + self.n_rows * np.arange(times)).ravel()
        return Bags(rows, self.starts * times, self.n_rows * times)

    def counted(self, codes: Array, n_codes: int) -> Array:
        """The share of each code from 0 to ``n_codes`` − 1 in every bag, (bags, codes); a code below 0 is left out.

        Examples
        --------
        >>> Bags.of([[0, 1], [2, 2, 0, 1]], n_rows=3).counted(np.array([0, 1, 1]), 2)
        array([[0.5 , 0.5 ],
               [0.25, 0.75]])
        """
        codes = np.asarray(codes, dtype=np.int64)
        left_out = len(codes) > 0 and bool(codes.min() < 0)
        counts = np.empty((len(self), n_codes))
        for first, last in self._blocks():
            starts = self.starts[first : last + 1]
            cells = codes.take(self.rows[starts[0] : starts[-1]])
            outside = cells < 0 if left_out else None
            if last - first > 1:
                cells += np.repeat(np.arange(0, (last - first) * n_codes, n_codes), np.diff(starts))
            if outside is not None:
                cells = cells[~outside]
            of_bags = np.bincount(cells, minlength=(last - first) * n_codes)
            counts[first:last] = of_bags.reshape(last - first, n_codes)
        return counts / self.sizes[:, None]

    def _blocks(self) -> Iterable[tuple[int, int]]:
        """Bags that are counted together: about as many rows as the cache holds."""
        first = 0
        while first < len(self):
            last = int(np.searchsorted(self.starts, self.starts[first] + BLOCK, side="right")) - 1
            last = min(max(last, first + 1), len(self))
            yield first, last
            first = last

    def means(self, values: Array) -> Array:
        """The mean of values (n, J) over the rows of every bag, (bags, J)."""
        ones = np.ones(len(self.rows))
        table = sparse.csr_array((ones, self.rows, self.starts), shape=(len(self), self.n_rows))
        return np.asarray(table @ values) / self.sizes[:, None]

    def parts(self) -> Iterable[Array]:
        """The row numbers of each bag."""
        return (self.rows[a:b] for a, b in zip(self.starts[:-1], self.starts[1:], strict=True))
