"""Labeled rows and pool while they are sorted: rows without a label leave the one and join the other."""

from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from foldless.core import Array
from foldless.data._features import as_features, check_alike, concatenate, like, n_rows, take
from foldless.data._metadata import Metadata
from foldless.data._single_precision import checked_features
from foldless.data._stored_pool import StoredPool
from foldless.data.pool import Pool
from foldless.errors import BadInput, counted


class RowsForTests(NamedTuple):
    """Test rows, the codes or values of their labels, and notes."""

    X: Any = None
    y: Array | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class PoolInMemory:
    """Features of the pool, all of which can be read at any time, as `StoredPool` has them of a sample."""

    sample: Any

    joining = "joins the pool", "join the pool"

    def with_rows(self, X: Any) -> "PoolInMemory":
        """The pool with labeled rows that have no label, which come first."""
        return PoolInMemory(concatenate([X, self.sample]))


OpenPool = PoolInMemory | StoredPool


@dataclass(frozen=True, eq=False)
class Parts:
    """Features, labels, metadata and groups of the labeled rows, and the pool with its groups.

    ``numbers`` are those of the labeled rows in what the user passed, ``joined`` those of rows that joined the pool,
    where they come first.
    """

    X: Any
    y: Array
    metadata: Metadata
    groups: Array | None = None
    pool: OpenPool | None = None
    pool_groups: Array | None = None
    notes: tuple[str, ...] = ()
    numbers: Array | None = None
    joined: Array = field(default_factory=lambda: np.empty(0, dtype=np.int64))

    @property
    def n_pool(self) -> int:
        """The rows of the pool that can be read singly."""
        return 0 if self.pool is None else n_rows(self.pool.sample)

    def at(self, rows: Array, y: Array) -> "Parts":
        """The same pool with some of the labeled rows and their labels."""
        groups = None if self.groups is None else self.groups[rows]
        metadata = self.metadata.at(rows, n_rows(self.X))
        numbers = None if self.numbers is None else self.numbers[rows]
        return replace(self, X=take(self.X, rows), y=y, metadata=metadata, groups=groups, numbers=numbers)

    def joined_by(self, others: "Parts", rows: Array, why: str | None = None) -> "Parts":
        """The same labeled rows, where rows of others join the pool; ``why`` is for a note."""
        pool = PoolInMemory(take(others.X, rows)) if self.pool is None else self.pool.with_rows(take(others.X, rows))
        one, more = pool.joining
        why = why and counted(len(rows), f"row {why} {one}", f"rows {why} {more}")
        notes = (*self.notes, why) if why else self.notes
        groups = self.pool_groups
        if pool is not self.pool and others.groups is not None:
            if not self.n_pool:
                groups = others.groups[rows]
            elif groups is not None:
                groups = np.concatenate([others.groups[rows], groups])
        joined = self.joined
        if pool is not self.pool and others.numbers is not None:
            joined = np.concatenate([others.numbers[rows], joined])
        return replace(self, pool=pool, pool_groups=groups, notes=notes, joined=joined)


def checked_groups(groups: Any, n: int) -> Array | None:
    if groups is not None and len(groups := np.asarray(groups)) != n:
        raise BadInput(f"groups has {len(groups)} entries for {n} rows of X: they must be of equal length")
    return groups


def checked_pool(X: Any, groups: Array | None, pool: Any) -> tuple[OpenPool | None, Array | None]:
    """The pool and its groups, where it has rows like those of X."""
    pool_groups = pool.groups if isinstance(pool, Pool) else None
    rows = pool.X if isinstance(pool, Pool) else pool
    if rows is None:
        return None, None
    stored = isinstance(rows, StoredPool)  # whose numbers are read block by block
    features = as_features(rows.sample, "X_unlabeled") if stored else checked_features(rows, "X_unlabeled")
    pool_groups = _checked_pool_groups(features, pool_groups, groups)
    features = like(X, features)
    check_alike(X, features, "X_unlabeled")
    if not n_rows(features):
        return None, pool_groups
    return (rows if stored else PoolInMemory(features)), pool_groups


def checked_test(X: Any, X_test: Any, y_test: Any) -> Any:
    """The test rows, where they are like those of X; None where there are none."""
    if (X_test is None) != (y_test is None):
        raise BadInput(f"a test set needs both X_test and y_test, got only {'y_test' if X_test is None else 'X_test'}")
    if X_test is None:
        return None
    test = checked_features(X_test, "X_test")
    check_alike(X, test, "X_test")
    return test


def _checked_pool_groups(pool: Any, groups: Any, of_labeled: Array | None) -> Array | None:
    if groups is None:
        return None
    if of_labeled is None:
        raise BadInput("the pool has groups and the labeled rows have none: pass groups= for both, or for neither")
    if len(groups := np.asarray(groups)) != n_rows(pool):
        raise BadInput(
            f"the groups of the pool have {len(groups)} entries for {n_rows(pool)} rows: they must be of equal length"
        )
    return np.asarray(groups)
