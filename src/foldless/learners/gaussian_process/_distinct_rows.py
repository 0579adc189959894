"""Points are the distinct rows of a matrix, found by their content; views are some of their columns.

The memory that dense kernels of all points need is checked before anything is computed: with n points a fit holds up
to eight n × n matrices at once (kernels of the views, eigenvectors and their products), 64 n² bytes, and its time grows
as n³.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse

from foldless.core import Array
from foldless.errors import BadInput
from foldless.saving._names import saved

MATRICES = 8  # of n x n double numbers, at the peak
MAX_BYTES = 8e9  # bytes


class Cached:
    """A dataclass whose cached properties are not pickled, and can be dropped: they are computed again when needed.

    Its subclasses are the dataclasses, which mypy cannot know of a mix-in.
    """

    def drop_cache(self) -> None:
        for name in self.__dict__.keys() - {field.name for field in fields(self)}:  # type: ignore[arg-type]  # see above
            del self.__dict__[name]

    def __getstate__(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]  # see above


@saved("foldless.saving")
@dataclass(frozen=True, eq=False)
class Points(Cached):
    """Distinct rows; a dense or CSR matrix."""

    X: Any

    def __len__(self) -> int:
        return int(self.X.shape[0])

    def find(self, X: Any) -> Array:
        """The number of the point that each row is, or −1."""
        if sparse.issparse(self.X) != sparse.issparse(X):
            X = sparse.csr_array(X) if sparse.issparse(self.X) else X.toarray()
        return np.array([self._numbers.get(key, -1) for key in _keys(X)], dtype=np.int64)

    @cached_property
    def _numbers(self) -> dict[bytes, int]:
        return {key: at for at, key in enumerate(_keys(self.X))}


@dataclass(frozen=True, eq=False)
class View(Cached):
    """Some columns of points; all views share one X, so that a pickled model holds it once."""

    X: Any
    columns: Array

    @cached_property
    def points(self) -> Any:
        return self.X[:, self.columns]


def distinct(X: Any) -> tuple[Array, Array]:
    """The first of equal rows, and for every row the number of the distinct row that it equals."""
    numbers: dict[bytes, int] = {}
    which = np.array([numbers.setdefault(key, len(numbers)) for key in _keys(X)], dtype=np.int64)
    return np.unique(which, return_index=True)[1], which


def sample(X: Any, size: int) -> Any:
    """A sample that does not depend on the order of the rows: those whose digests come first."""
    if X.shape[0] <= size:
        return X
    return X[sorted(range(X.shape[0]), key=list(_keys(X)).__getitem__)[:size]]


def _keys(X: Any) -> Iterator[bytes]:
    if sparse.issparse(X):
        X = sparse.csr_array(X, copy=True)
        X.sum_duplicates()
        X.eliminate_zeros()
        for start, stop in zip(X.indptr[:-1], X.indptr[1:], strict=True):
            entries = X.indices[start:stop].astype(np.int64).tobytes() + X.data[start:stop].tobytes()
            yield hashlib.blake2b(entries, digest_size=16).digest()
    else:
        for row in np.ascontiguousarray(X) + 0.0:  # −0 becomes 0
            yield hashlib.blake2b(row.tobytes(), digest_size=16).digest()


def check_room(n_points: int, owner: str) -> None:
    """Refuse points whose kernels would need more than 8 GB."""
    needed = MATRICES * 8 * n_points**2
    if needed > MAX_BYTES:
        most = int((MAX_BYTES / (MATRICES * 8)) ** 0.5)
        raise BadInput(
            f"{owner} needs dense kernels of all {n_points:,} distinct rows, about {needed / 1e9:,.0f} GB: "
            f"use a random part of the pool, at most {most:,} rows with the labeled ones"
        )
