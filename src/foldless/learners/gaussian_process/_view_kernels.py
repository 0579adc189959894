"""Kernels on the columns of one view: between its points, and with new rows.

What a kernel learns (a center, a width, a graph) it learns from its points, without labels. Points are distinct rows.

Kernels of a latent function are computed from one or two of them, and do not depend on labels either: one kernel serves
all label vectors.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from numbers import Integral
from typing import Any, NamedTuple, Protocol

import numpy as np
from scipy import sparse
from sklearn.gaussian_process.kernels import Kernel
from sklearn.metrics.pairwise import euclidean_distances, linear_kernel, rbf_kernel
from sklearn.utils.validation import check_scalar

from foldless.core import Array
from foldless.errors import BadInput
from foldless.learners._inputs import check_positive, dense
from foldless.learners._views import two_columns
from foldless.learners.gaussian_process._distinct_rows import Cached, View, sample
from foldless.learners.gaussian_process._graph import GraphKernel
from foldless.saving._names import saved

NAMES = ("rbf", "linear", "centered_linear", "graph")
MANY = 3000  # points, above which the median distance is that of a sample
SAMPLE = 1000


class ViewKernel(Protocol):
    """Kernel values between all points, of some rows with the points, and of some rows with themselves."""

    @property
    def values(self) -> Array: ...
    def cross(self, X: Any) -> Array: ...
    def diagonal(self, X: Any) -> Array: ...


@saved("foldless.saving")
@dataclass(frozen=True, eq=False)
class LinearView(View):
    """(x − c)·(z − c); the center c is zero, or the mean of the points."""

    center: Array

    @cached_property
    def values(self) -> Array:
        return _centered(self.points, self.points, self.center)

    def cross(self, X: Any) -> Array:
        return _centered(X[:, self.columns], self.points, self.center)

    def diagonal(self, X: Any) -> Array:
        X = X[:, self.columns]
        if not sparse.issparse(X):
            return np.square(X - self.center).sum(axis=1)
        products = np.asarray(X @ self.center).ravel()
        return np.asarray(X.multiply(X).sum(axis=1)).ravel() - 2 * products + self.center @ self.center


@saved("foldless.saving")
@dataclass(frozen=True, eq=False)
class RbfView(View):
    """exp(−γ‖x − z‖²)."""

    gamma: float

    @cached_property
    def values(self) -> Array:
        return rbf_kernel(self.points, gamma=self.gamma)

    def cross(self, X: Any) -> Array:
        return rbf_kernel(X[:, self.columns], self.points, gamma=self.gamma)

    def diagonal(self, X: Any) -> Array:
        return np.ones(X.shape[0])


@saved("foldless.saving")
@dataclass(frozen=True, eq=False)
class CalledView(View):
    """A function k(A, B) of two matrices, such as the kernels of ``sklearn.gaussian_process``, which are dense."""

    function: Callable[[Any, Any], Array]

    @cached_property
    def values(self) -> Array:
        values = self._values(self.points, self.points)
        return (values + values.T) / 2

    def cross(self, X: Any) -> Array:
        return self._values(X[:, self.columns], self.points)

    def diagonal(self, X: Any) -> Array:
        X = X[:, self.columns]
        return np.array([self._values(X[[at]], X[[at]])[0, 0] for at in range(X.shape[0])])

    def _values(self, A: Any, B: Any) -> Array:
        if isinstance(self.function, Kernel):
            A, B = dense(A), dense(B)
        try:
            values = np.asarray(self.function(A, B), dtype=float)
        except (TypeError, ValueError) as error:
            if not sparse.issparse(A):
                raise
            raise BadInput(
                f"kernel {self.function!r} does not take sparse matrices ({error}): pass X.toarray()"
            ) from error
        if values.shape != (A.shape[0], B.shape[0]) or not np.isfinite(values).all():
            raise BadInput(
                f"kernel {self.function!r} must give finite values of shape {(A.shape[0], B.shape[0])}, "
                f"got shape {values.shape}"
            )
        return values


def view_kernels(X: Any, views: Sequence[Array], kernel: Any, gamma: Any, n_neighbors: int) -> list[ViewKernel]:
    """The kernel of each view on the points X; kernel and γ are given for all views, or for each."""
    check_scalar(n_neighbors, "n_neighbors", Integral, min_val=1)
    kernels, gammas = _per_view(kernel, len(views), "kernel"), _per_view(gamma, len(views), "gamma")
    return [_new(k, X, view, g, int(n_neighbors)) for k, g, view in zip(kernels, gammas, views, strict=True)]


def two_view_kernels(learner: Any, X: Any, names: Any) -> list[Any]:
    views = two_columns(learner.views, X.shape[1], names, learner)
    return view_kernels(X, views, learner.kernel, learner.gamma, learner.n_neighbors)


def _new(kernel: Any, X: Any, columns: Array, gamma: Any, n_neighbors: int) -> ViewKernel:
    if callable(kernel):
        return CalledView(X, columns, kernel)
    match kernel:
        case "linear":
            return LinearView(X, columns, np.zeros(len(columns)))
        case "centered_linear":
            return LinearView(X, columns, np.asarray(X[:, columns].mean(axis=0)).ravel())
        case "graph":
            return GraphKernel(X, columns, n_neighbors)
        case "rbf":
            return RbfView(X, columns, _gamma(X[:, columns], gamma))
    raise BadInput(f"kernel must be one of {', '.join(map(repr, NAMES))} or a function k(A, B), got {kernel!r}")


def _per_view(value: Any, n_views: int, name: str) -> list[Any]:
    if isinstance(value, Sequence) and not isinstance(value, str):
        if len(value) != n_views:
            raise BadInput(f"{name} must be one value for all views or one for each of the {n_views}, got {value!r}")
        return list(value)
    return [value] * n_views


def _gamma(points: Any, gamma: Any) -> float:
    """The given γ; None is 1 / m² with the median distance m of two points, or 1 where that is 0.

    With many points the median is that of a sample.
    """
    if gamma is not None:
        check_positive(gamma, "gamma")
        return float(gamma)
    points = sample(points, SAMPLE) if points.shape[0] > MANY else points
    distances = euclidean_distances(points)[np.triu_indices(points.shape[0], 1)]
    median = float(np.median(distances)) if distances.size else 0.0
    return 1 / median**2 if median > 0 else 1.0


def _centered(X: Any, Z: Any, center: Array) -> Array:
    if not sparse.issparse(X) and not sparse.issparse(Z):
        return linear_kernel(X - center, Z - center)
    products = linear_kernel(X, Z, dense_output=True)
    return products - np.asarray(X @ center).ravel()[:, None] - np.asarray(Z @ center).ravel() + center @ center


class NewRows(NamedTuple):
    """Kernel values of new rows, each added alone: with the labeled points, and with itself.

    Where a new row changes the kernel of the labeled points, that becomes K − less less'.
    """

    cross: Array
    diagonal: Array
    less: Array | None = None


class LatentKernel(Protocol):
    """Kernel values between all points, and of new rows with the labeled points."""

    def gram(self) -> Array: ...
    def at_new_rows(self, X: Any, labeled: Array) -> NewRows: ...
    def drop_cache(self) -> None: ...


@saved("foldless.saving")
@dataclass(frozen=True, eq=False)
class PlainKernel(Cached):
    """The kernel of one view as it is."""

    kernel: ViewKernel

    def gram(self) -> Array:
        return self.kernel.values

    def at_new_rows(self, X: Any, labeled: Array) -> NewRows:
        return NewRows(self.kernel.cross(X)[:, labeled], self.kernel.diagonal(X))
