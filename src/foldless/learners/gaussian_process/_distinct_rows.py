"""Points: the distinct rows of a matrix, which are found again by their content, and views of them."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse

from foldless.core import Array
from foldless.saving.names import saved


class Forgetful:
    """A dataclass of which only the fields travel; cached properties are computed again where they are needed.

    Its subclasses are the dataclasses, which mypy cannot know of a class that is mixed in.
    """

    def forget(self) -> None:
        """Give back the memory of what was computed."""
        for name in self.__dict__.keys() - {field.name for field in fields(self)}:  # type: ignore[arg-type]  # see above
            del self.__dict__[name]

    def __getstate__(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]  # see above


@saved("foldless.saving")
@dataclass(frozen=True, eq=False)
class Points(Forgetful):
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
class View(Forgetful):
    """Some columns of points; all views of one X hold it together, so that a model travels with one copy."""

    X: Any
    columns: Array

    @cached_property
    def points(self) -> Any:
        return self.X[:, self.columns]


def distinct(X: Any) -> tuple[Array, Array]:
    """The first row with each content, and for every row which of these it equals."""
    numbers: dict[bytes, int] = {}
    which = np.array([numbers.setdefault(key, len(numbers)) for key in _keys(X)], dtype=np.int64)
    return np.unique(which, return_index=True)[1], which


def sample(X: Any, size: int) -> Any:
    """Rows as good as random, which do not depend on the order of all: those whose digests come first."""
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
