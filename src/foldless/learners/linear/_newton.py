"""Newton's method on the primal, for many rows and few features.

f(w) = ½‖w‖² + Σ c_i ℓ(y_i s_i) has the gradient w + Σ c_i ℓ' y_i x_i and the Hessian I + Σ c_i ℓ″ x_i x_iᵀ. Where
rows are many and similar, coordinate descent takes more passes the larger C is; Newton's method takes a dozen steps for
every C, each a product of matrices in double precision with a line search.

References
----------
Keerthi & DeCoste (2005). A modified finite Newton method for fast solution of large scale linear SVMs. JMLR 6.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.lapack import dposv
from scipy.special import expit

from foldless.solvers.linear._csr_rows import Csr

Array = NDArray[np.float64]
SMALL = 64 * 2**20  # bytes up to which rows are held in double precision
ROWS = 4096  # at a time, so that intermediate results stay in the cache
FLAT = 0.1  # slope at the end of a step, as a share of that at its beginning
HALVINGS = 20
FINEST = 1e-6  # tol below which f itself is lost in rounding: a step that gains less was the last
JITTER = 1e-15  # per feature, on a diagonal of ones: what rounding may take where features depend on each other


class DenseRows:
    """Rows as a matrix, with the constant feature of the intercept as its last column."""

    def __init__(self, rows: Csr, n_features: int, scaling: float):
        shape = rows.n, n_features + 1
        self.X = np.zeros(shape, np.float64 if 8 * shape[0] * shape[1] <= SMALL else np.float32)
        whole = len(rows.values) == rows.n * n_features > 0
        if whole and (rows.columns[:n_features] == np.arange(n_features)).all():
            self.X[:, :-1] = rows.values.reshape(rows.n, n_features)
        else:
            self.X[np.repeat(np.arange(rows.n), np.diff(rows.starts)), rows.columns] = rows.values
        self.X[:, -1] = scaling

    def chunks(self) -> Iterator[tuple[slice, Array]]:
        for start in range(0, len(self.X), ROWS):
            at = slice(start, start + ROWS)
            yield at, self.X[at].astype(np.float64, copy=False)

    def scores(self, w: Array) -> Array:
        return np.concatenate([X @ w for _, X in self.chunks()])

    def derivatives(self, w: Array, pull: Array, bend: Array) -> tuple[Array, Array]:
        """w + Xᵀ pull, and I + Xᵀ diag(bend) X."""
        gradient, hessian = w.copy(), np.eye(len(w))
        for at, X in self.chunks():
            gradient += X.T @ pull[at]
            bent = np.flatnonzero(bend[at])
            if 2 * len(bent) < len(X):  # most rows are beyond the margin
                half = X[bent] * np.sqrt(bend[at][bent])[:, None]
            else:
                half = X * np.sqrt(bend[at])[:, None]
            hessian += half.T @ half
        return gradient, hessian


def squared_hinge(margins: Array) -> tuple[Array, Array, Array]:
    """max(0, 1 − m)² and its first two derivatives."""
    slack = np.maximum(1 - margins, 0)
    return slack**2, -2 * slack, np.where(slack > 0, 2.0, 0.0)


def logistic(margins: Array) -> tuple[Array, Array, Array]:
    """log(1 + exp(−m)) and its first two derivatives."""
    p = expit(-margins)
    return np.logaddexp(0, -margins), -p, p * (1 - p)


LOSSES: dict[str, Callable[[Array], tuple[Array, Array, Array]]] = {
    "squared_hinge": squared_hinge,
    "logistic": logistic,
}


def minimize(
    dense: DenseRows, signs: Array, costs: Array, loss: str, w: Array, tol: float, max_iter: int
) -> tuple[Array, int]:
    """Improve w until f is within tol² of its minimum, relatively: w and the steps, negative if too few."""
    function = LOSSES[loss]
    margins = signs * dense.scores(w)
    values, slopes, bends = function(margins)
    before: Any = np.inf
    for done in range(1, max_iter + 1):
        f = w @ w / 2 + costs @ values
        gradient, hessian = dense.derivatives(w, costs * signs * slopes, costs * bends)
        step = -_solve(hessian, gradient)
        fall = -(gradient @ step)
        change = signs * dense.scores(step)
        low, high, t = 0.0, np.inf, 1.0
        for _ in range(HALVINGS):
            values, slopes, bends = function(margins + t * change)
            slope = (w + t * step) @ step + (costs * slopes) @ change
            if abs(slope) <= FLAT * fall:
                break
            low, high = (low, t) if slope > 0 else (t, high)
            t = 2 * t if high == np.inf else (low + high) / 2
        w, margins = w + t * step, margins + t * change
        if fall <= 2 * max(tol, FINEST) ** 2 * f or before - f <= FINEST**2 * f:
            return w, done
        before = f
    return w, -max_iter


def _solve(hessian: Array, gradient: Array) -> Any:
    scale = 1 / np.sqrt(hessian.diagonal())
    jitter = JITTER * len(scale) * np.eye(len(scale))
    # LAPACK itself: what SciPy checks on the way takes longer than a small system does
    _, solution, info = dposv(hessian * scale * scale[:, None] + jitter, scale * gradient)
    if info:
        raise np.linalg.LinAlgError("the Hessian is not positive definite")
    return scale * solution
