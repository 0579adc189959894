"""Kernels for support vector machines, between some rows and the anchors that a machine keeps.

All are functions of a base that does not depend on the width of the kernel, so one base serves many widths: squared
distances for ``Rbf``, products for the others. ``Rbf`` is exp(−γ‖x − z‖²) − 1: coefficients sum to zero, so scores do
not change, and where γ is small the digits that tell rows apart are kept.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from foldless.core import Array
from foldless.errors import BadInput
from foldless.learners._inputs import dense

BLOCK = 2 * 2**20  # bytes of a block of kernel values in double precision, which the cache holds


@dataclass(frozen=True)
class Linear:
    """x·z."""

    def anchors(self, X: Any, rows: Array) -> Any:
        return X[rows]

    def base(self, X: Any, anchors: Any) -> Array:
        return dense(X @ anchors.T)

    def of(self, base: Array) -> Array:
        return base


@dataclass(frozen=True)
class Polynomial(Linear):
    """(γ x·z + c)^degree."""

    gamma: float
    degree: int
    coef0: float

    def of(self, base: Array) -> Array:
        return (self.gamma * base + self.coef0) ** self.degree


@dataclass(frozen=True)
class Rbf(Linear):
    """exp(−γ‖x − z‖²) − 1."""

    gamma: float

    def base(self, X: Any, anchors: Any) -> Array:
        distances = -2 * dense(X @ anchors.T)
        distances += _squares(X)[:, None]
        distances += _squares(anchors)
        return np.maximum(distances, 0, out=distances)

    def of(self, base: Array) -> Array:
        values = np.multiply(base, -self.gamma, dtype=np.float64)
        np.exp(values, out=values)
        values -= 1
        return values


@dataclass(frozen=True)
class PrecomputedKernel(Linear):
    """Given: an anchor is the number of a column."""

    def anchors(self, _: Any, rows: Array) -> Any:
        return rows

    def base(self, X: Any, anchors: Any) -> Array:
        return dense(X[:, anchors])


Kernel = Linear | Polynomial | Rbf | PrecomputedKernel
Map = Callable[[Callable[[Any], Any], Iterable[Any]], Iterable[Any]]


def in_blocks(n: int, width: int) -> list[slice]:
    """Cut n rows so that a block of so many columns stays small."""
    height = max(1, BLOCK // (8 * max(width, 1)))
    return [slice(start, min(start + height, n)) for start in range(0, n, height)]


def base_of(kernel: Kernel, X: Any, rows: Array, out: NDArray[np.float32], each: Map = map) -> None:
    """Write the base between all pairs of some rows into a matrix that may be larger."""
    anchors, n = kernel.anchors(X, rows), len(rows)

    def fill(block: slice) -> None:
        with np.errstate(over="ignore"):  # the Gram matrix is checked for it
            out[block, :n] = kernel.base(X[rows[block]], anchors)

    list(each(fill, in_blocks(n, n)))


def gram_of(kernel: Kernel, base: NDArray[np.float32], out: NDArray[np.float32], n: int, each: Map = map) -> None:
    """Write the Gram matrix that the base of n rows gives, perhaps in its place."""

    def fill(block: slice) -> None:
        with np.errstate(over="ignore", invalid="ignore"):  # checked below
            out[block, :n] = kernel.of(base[block, :n])
        if not np.isfinite(out[block, :n]).all():
            raise BadInput("kernel values must be below 1e38 for single precision: scale the features, or lower degree")

    list(each(fill, in_blocks(n, n)))


def scale(X: Any) -> float:
    """The γ that scikit-learn calls "scale": 1 / (features · variance), or 1 where nothing varies."""
    values = X.data if sparse.issparse(X) else X
    size = X.shape[0] * X.shape[1]
    variance = float(X.multiply(X).sum() / size - (values.sum() / size) ** 2) if sparse.issparse(X) else float(X.var())
    return 1 / (X.shape[1] * variance) if variance != 0 else 1.0


def _squares(X: Any) -> Array:
    if sparse.issparse(X):
        return np.asarray(X.multiply(X).sum(axis=1)).ravel()
    return np.einsum("ij,ij->i", X, X)
