"""Fits by scikit-learn's SVC, one by one, with results in the form of shared fits.

libsvm computes kernel rows when it needs them and caches the last ones, so it needs no Gram matrix. It is used where
that matrix would take too much memory, or serve too few fits.
"""

import warnings
from concurrent.futures import Executor
from itertools import combinations, product
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import SVC

from foldless.core import Array
from foldless.learners.kernel_svm._kernels import Kernel, Polynomial, PrecomputedKernel, Rbf
from foldless.learners.kernel_svm._one_vs_one import Machines
from foldless.learners.kernel_svm._training_rows import Grid, TrainingRows

CACHE = 200  # megabytes of kernel rows for one fit


def solve_alone(training: TrainingRows, grid: Grid, fits: Array, tol: float, max_iter: int, pool: Executor) -> Machines:
    """Solve some fits of a grid, given by their numbers."""
    solved = Machines.empty(training.starts, grid.weights[fits], len(grid.costs))

    def fit(item: tuple[int, int]) -> None:
        at, cost = item
        weights = grid.weights[fits[at]]
        rows = np.flatnonzero(weights)
        X = training.X[training.rows[rows]]
        if isinstance(grid.kernel, PrecomputedKernel):
            X = X[:, training.rows[rows]]
        model = SVC(C=grid.costs[cost], tol=tol, max_iter=max_iter, cache_size=CACHE, **_named(grid.kernel))
        model.fit(X, training.codes[rows], sample_weight=weights[rows])
        _take(solved, at, cost, model, rows, training.codes, max_iter)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # the number of steps shows it
        list(pool.map(fit, product(range(len(fits)), range(len(grid.costs)))))
    return solved


def _take(solved: Machines, at: int, cost: int, model: SVC, rows: Array, codes: Array, max_iter: int) -> None:
    """Copy a model that was trained on some rows, which may lack classes."""
    support, sign = rows[model.support_], -1 if len(model.classes_) == 2 else 1
    dual = sign * (model.dual_coef_.toarray() if sparse.issparse(model.dual_coef_) else model.dual_coef_)
    numbers = {pair: number for number, pair in enumerate(combinations(range(len(solved.starts) - 1), 2))}
    for pair, (i, j) in enumerate(combinations(range(len(model.classes_)), 2)):
        a, b = int(model.classes_[i]), int(model.classes_[j])
        first, second = codes[support] == a, codes[support] == b
        solved.coef[at, b - 1, cost, support[first]] = dual[j - 1, first]
        solved.coef[at, a, cost, support[second]] = dual[i, second]
        solved.intercepts[at, cost, numbers[a, b]] = sign * model.intercept_[pair]
        steps = int(model.n_iter_[pair])
        solved.steps[at, cost, numbers[a, b]] = -steps if 0 < max_iter <= steps else steps


def _named(kernel: Kernel) -> dict[str, Any]:
    """A kernel as parameters of scikit-learn's SVC."""
    match kernel:
        case Rbf(gamma):
            return {"kernel": "rbf", "gamma": gamma}
        case Polynomial(gamma, degree, coef0):
            return {"kernel": "poly", "gamma": gamma, "degree": degree, "coef0": coef0}
        case PrecomputedKernel():
            return {"kernel": "precomputed"}
    return {"kernel": "linear"}
