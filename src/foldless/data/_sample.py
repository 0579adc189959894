"""One object for the data of a call, which every later step receives as a whole.

Features stay what the user passed (array, sparse matrix, pandas or polars frame, list): they are sliced, never
converted, so a candidate sees the type it would see without foldless.
"""

from bisect import bisect_right
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate
from typing import Any

import numpy as np
import pandas as pd

from foldless.core import Array, Contents, KeptCopies, Opaque, Overlap, Rows, Target
from foldless.data._features import Absent, concatenate, guarded, n_bytes, n_rows, take
from foldless.data._metadata import Draws, Metadata, ScoreParams, cut
from foldless.data._overlap import Hashed, RowHashes, contents, hashed, overlap
from foldless.data._stored_pool import StoredPool


@dataclass(frozen=True, eq=False)
class Sample:
    """What the user passed, checked: labeled rows, pool and test rows under one numbering, and what is known of them.

    ``test_y`` has codes or values like those of the ``target``. ``groups`` are of the labeled rows, ``pool_groups`` of
    the pool. ``metadata`` are parameters of fits and scorers, and how labels were drawn. Of a pool that is ``stored``
    in files, ``pool`` is a random sample. Rows are ``replicated`` where they have sets of labels: one copy per label.
    ``numbers`` are those of the labeled rows in what the user passed, ``joined`` those of rows without a label, which
    come first in the pool. Where labeled rows are ``copies`` of others, ``groups`` keep them together.
    """

    labeled: Any
    target: Target
    pool: Any = None
    test: Any = None
    test_y: Array | None = None
    groups: Array | None = None
    pool_groups: Array | None = None
    metadata: Metadata = field(default_factory=Metadata)
    stored: StoredPool | None = None
    notes: tuple[str, ...] = ()
    replicated: bool = False
    numbers: Array | None = None
    joined: Array = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    copies: KeptCopies | None = None
    row_hashes: RowHashes = field(default_factory=RowHashes, repr=False)

    @property
    def y(self) -> Array:
        """The codes of the labels, or their values."""
        return self.target.y

    @property
    def classes(self) -> Array:
        """The user's labels in the order of their codes."""
        return self.target.classes

    @property
    def fit_params(self) -> Mapping[str, Any]:
        return self.metadata.fit

    @property
    def score_params(self) -> ScoreParams:
        return self.metadata.score

    @property
    def draws(self) -> Draws | None:
        return self.metadata.draws

    @property
    def parts(self) -> list[Any]:
        return [part for part in (self.labeled, self.pool, self.test) if part is not None]

    @property
    def n_rows(self) -> int:
        return sum(map(n_rows, self.parts))

    def __sizeof__(self) -> int:
        """About the bytes of all parts: Dask moves once, and not with every call, what is large."""
        return object.__sizeof__(self) + sum(map(n_bytes, self.parts))

    def rows(self) -> tuple[Rows, Rows, Rows]:
        n, m, t = (0 if part is None else n_rows(part) for part in (self.labeled, self.pool, self.test))
        return Rows(range(n)), Rows(range(n, n + m)), Rows(range(n + m, n + m + t))

    @property
    def stored_rows(self) -> Rows | None:
        """All rows of a pool that stays in its files; they are numbered behind all others."""
        return None if self.stored is None else Rows(range(self.n_rows, self.n_rows + self.stored.n))

    def take(self, rows: Rows) -> Any:
        """The features of some rows, which nobody can change: a whole part is handed over as a read-only view."""
        features = self._taken(rows)
        # rows of a frame that lie apart are a copy already
        fresh = rows.scattered is not None and isinstance(features, pd.DataFrame | pd.Series)
        return features if fresh else guarded(features)

    def _taken(self, rows: Rows) -> Any:
        start = 0
        touched: list[tuple[Any, Array | slice]] = []
        for part in self.parts:
            stop = start + n_rows(part)
            if rows.scattered is None:
                a, b = max(rows.start, start), min(rows.stop, stop)
                if a < b:
                    touched.append((part, slice(a - start, b - start)))
            else:
                inside = (rows.scattered >= start) & (rows.scattered < stop)
                if inside.all():
                    return take(part, rows.scattered - start)
                if inside.any():
                    touched.append((part, rows.scattered[inside] - start))
            start = stop
        if not touched:
            return take(self.labeled, slice(0, 0))
        stacked = concatenate([take(part, which) for part, which in touched])
        if rows.scattered is None or (np.diff(rows.scattered) > 0).all():
            return stacked
        by_part = np.argsort(np.searchsorted(self._ends, rows.scattered, side="right"), kind="stable")
        return take(stacked, np.argsort(by_part, kind="stable"))

    def touched(self, rows: Rows) -> range:
        """The numbers of the parts in which some rows lie, and of those between them."""
        if not len(rows):
            return range(0)
        first, last = (bisect_right(self._ends, row) for row in rows.bounds)
        return range(first, last + 1)

    def only(self, kept: Collection[int]) -> "Sample":
        """The same rows under the same numbers, the features of the other parts left out."""
        names = [name for name in ("labeled", "pool", "test") if getattr(self, name) is not None]
        out: dict[str, Any] = {
            name: Absent(n_rows(getattr(self, name))) for at, name in enumerate(names) if at not in kept
        }
        return replace(self, stored=None, **out) if out or self.stored is not None else self

    def passed_as(self, row: int, *, in_pool: bool) -> tuple[str, int]:
        """Under which argument and number the user passed a row of the labeled ones, or of the pool."""
        if not in_pool:
            return "X", row if self.numbers is None else int(self.numbers[row])
        if self.stored is not None:
            return "the sample of X_unlabeled", row
        n = len(self.joined)
        return ("X", int(self.joined[row])) if row < n else ("X_unlabeled", row - n)

    def one_of_each_copy(self) -> Array:
        """Positions of labeled rows, of those that are copies of each other the first; with groups of the user, all."""
        if self.copies is None or self.copies.passed is not None:
            return np.arange(len(self.y))
        return np.sort(np.unique(np.asarray(self.groups), return_index=True)[1])

    def overlap(self) -> Overlap:
        """What labeled rows and pool have in common by content; computed once, when someone asks."""
        return self._overlap

    @cached_property
    def _overlap(self) -> Overlap:
        return overlap(self.labeled, self.pool, self._hashed)

    def contents(self) -> Contents:
        """Which labeled rows and pool rows have equal content; their hashes are computed once, when someone asks."""
        return contents(self._hashed)

    @cached_property
    def _hashed(self) -> Hashed:
        return hashed(self.labeled, self.pool, self.row_hashes)

    def params_of(self, rows: Rows) -> dict[str, Any]:
        return cut(self.fit_params, rows.indices, len(self.y)) if self.fit_params else {}

    def score_params_of(self, rows: Rows) -> dict[str, dict[str, Any]]:
        return {name: cut(params, rows.indices, len(self.y)) for name, params in self.score_params.items()}

    def targets_of(self, rows: Rows) -> Any:
        """The true labels of labeled rows, as the user passed them; None where nothing was passed."""
        passed = self.target.passed
        if passed is not None:
            return guarded(take(passed, slice(rows.start, rows.stop) if rows.scattered is None else rows.indices))
        return None if isinstance(self.target, Opaque) else self.target.restored(self.y[rows.indices])

    @cached_property
    def _ends(self) -> list[int]:
        return list(accumulate(n_rows(part) for part in self.parts))
