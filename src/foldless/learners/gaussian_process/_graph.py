"""The graph of nearest neighbors and its Laplacian L = D − A: f'Lf = ½ Σ a_ij (f_i − f_j)² is small for smooth f.

Edges have weight 1 and hold in both directions where one of the two is among the nearest neighbors of the other.

References
----------
Belkin, Niyogi and Sindhwani (2006). Manifold regularization. JMLR 7.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse
from scipy.linalg import cho_factor, cho_solve, eigh
from scipy.sparse.csgraph import laplacian
from sklearn.neighbors import NearestNeighbors, kneighbors_graph

from foldless.core import Array
from foldless.learners.gaussian_process._distinct_rows import Cached, View
from foldless.saving._names import saved

RIDGE = 1e-6  # makes L invertible, which has a null vector for every component


def graph_laplacian(points: Any, n_neighbors: int) -> Any:
    """L of the points, sparse; with fewer other points than neighbors, all of them are."""
    n = points.shape[0]
    edges = kneighbors_graph(points, min(n_neighbors, n - 1)) if n > 1 else sparse.csr_matrix((1, 1))
    return laplacian(edges.maximum(edges.T))


@saved("foldless.saving")
@dataclass(frozen=True, eq=False)
class GraphKernel(View):
    """(L + 1e-6 I)⁻¹ on the points. A new row is connected to its nearest points and does not change the graph.

    Its f is the mean of theirs, with variance 1/k for k of them, as for a point of the graph with k edges.
    """

    n_neighbors: int

    @cached_property
    def values(self) -> Array:
        L = graph_laplacian(self.points, self.n_neighbors).toarray()
        values = cho_solve(cho_factor(L + RIDGE * np.eye(len(L))), np.eye(len(L)))
        return (values + values.T) / 2

    def cross(self, X: Any) -> Array:
        return np.asarray(self._neighbors(X) @ self.values)

    def diagonal(self, X: Any) -> Array:
        neighbors = self._neighbors(X)
        explained = np.asarray(neighbors.multiply(neighbors @ self.values).sum(axis=1)).ravel()
        return explained + 1 / np.diff(neighbors.indptr)

    def _neighbors(self, X: Any) -> Any:
        near = NearestNeighbors(n_neighbors=min(self.n_neighbors, self.points.shape[0])).fit(self.points)
        edges = near.kneighbors_graph(X[:, self.columns])
        return edges / edges.sum(axis=1)[0]


@saved("foldless.saving")
@dataclass(frozen=True, eq=False)
class LaplacianPower(Cached):
    """The root of the penalty f'Mf with M = L^degree: S with SS = M."""

    points: Any
    n_neighbors: int
    degree: int

    @cached_property
    def values(self) -> Array:
        L = graph_laplacian(self.points, self.n_neighbors).toarray()
        powers, vectors = eigh(L, driver="evd")  # of many components, so many eigenvalues are the same
        nothing = len(L) * np.finfo(float).eps * powers.max()  # rounding: a component's constant costs 0, not 1e-16
        return (vectors * np.where(powers > nothing, powers, 0) ** (self.degree / 2)) @ vectors.T
