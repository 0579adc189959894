"""Least squares on the simplex, exactly and for many right sides at once: min ‖A p − q‖² with p ≥ 0 and Σ p = 1.

The problem is convex, and p is its solution when for some λ the slope A′(A p − q) + λ is 0 where p > 0 and at least 0
elsewhere. Which shares are 0 is found by block principal pivoting: all shares that break a condition change sides at
once, and one at a time where that does not help. Every right side has its own set, and the small systems of all of
them are solved in one call. Among several solutions the one with the least squares, nearest to equal shares, is taken.

References
----------
Portugal, Júdice & Vicente (1994). A comparison of block pivoting and interior-point algorithms for linear least
squares problems with nonnegative variables. Mathematics of Computation 63.
Bunse, M. (2022). On multi-class extensions of adjusted classify and count. LQ workshop, ECML/PKDD.
"""

from typing import Any

import numpy as np

from foldless.core import Array

TOLERANCE = 1e-10
RIDGE = 1e-11  # of the mean diagonal: decides between equal solutions
ROUNDS, PATIENCE = 200, 3
CHUNK = 4_000_000  # numbers in the systems that are solved together
WEIGHT = 1e4  # of the equation Σ p = 1, where pivoting does not end


def simplex_least_squares(rates: Array, means: Array) -> Array:
    """Shares (B, K) whose mixtures of the columns of ``rates`` are nearest to the rows of ``means`` (B, J).

    ``rates`` are (J, K) for all, or (B, J, K) with one table for each.

    Examples
    --------
    >>> simplex_least_squares(np.array([[0.9, 0.2], [0.1, 0.8]]), np.array([[0.7, 0.3], [0.1, 0.9]])).round(3)
    array([[0.714, 0.286],
           [0.   , 1.   ]])
    """
    n_classes = rates.shape[-1]
    if n_classes == 1:
        return np.ones((len(means), 1))
    if n_classes == 2:
        return _of_two(rates, means)
    turned = rates.swapaxes(-1, -2)
    gram, right = turned @ rates, (turned @ means[:, :, None])[:, :, 0] if rates.ndim == 3 else means @ rates
    ridge = RIDGE * np.trace(gram, axis1=-2, axis2=-1) / n_classes
    gram = gram + ridge[..., None, None] * np.eye(n_classes)
    step = max(1, CHUNK // (n_classes + 1) ** 2)
    parts = [
        _pivoted(gram[at : at + step] if gram.ndim == 3 else gram, right[at : at + step])
        for at in range(0, len(right), step)
    ]
    return np.concatenate(parts) if parts else right


def _of_two(rates: Array, means: Array) -> Array:
    """In closed form: the nearest point on a line, cut to its ends; a half where both ends are one point."""
    difference = rates[..., 1] - rates[..., 0]
    length = (difference * difference).sum(axis=-1)
    along = ((means - rates[..., 0]) * difference).sum(axis=-1)
    share = np.where(length > 1e-18, np.clip(along / np.maximum(length, 1e-300), 0, 1), 0.5)
    return np.stack([1 - share, share], axis=1)


def _pivoted(gram: Array, right: Array) -> Array:
    """Shares for each row of ``right``; the first round has all classes in every set."""
    n, k = right.shape
    inside = np.ones((n, k), dtype=bool)
    shares = _solved_whole(gram, right)
    slack = np.zeros((n, k))
    best, patience = np.full(n, k + 1), np.full(n, PATIENCE)
    todo = np.arange(n)
    for _ in range(ROUNDS):
        wrong = np.where(inside[todo], shares[todo] < -TOLERANCE, slack[todo] < -TOLERANCE)
        count = wrong.sum(axis=1)
        todo, wrong, count = todo[count > 0], wrong[count > 0], count[count > 0]
        if not len(todo):
            break
        better = count < best[todo]
        best[todo] = np.minimum(best[todo], count)
        patience[todo] = np.where(better, PATIENCE, patience[todo] - 1)
        last = k - 1 - np.argmax(wrong[:, ::-1], axis=1)
        alone = np.arange(k) == last[:, None]
        inside[todo] ^= np.where((patience[todo] >= 0)[:, None], wrong, wrong & alone)
        empty = ~inside[todo].any(axis=1)
        inside[todo[empty], right[todo[empty]].argmax(axis=1)] = True
        shares[todo], slack[todo] = _solved(_of(gram, todo), right[todo], inside[todo])
    else:
        for at in todo:
            shares[at] = _by_nnls(_of(gram, at), right[at])
    shares = np.maximum(shares, 0)
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))


def _of(gram: Array, rows: Any) -> Array:
    return gram if gram.ndim == 2 else gram[rows]


def _solved_whole(gram: Array, right: Array) -> Array:
    """Least squares with Σ p = 1 only."""
    k = right.shape[1]
    system = np.ones((*gram.shape[:-2], k + 1, k + 1))
    system[..., :k, :k], system[..., k, k] = gram, 0.0
    target = np.hstack([right, np.ones((len(right), 1))])
    if gram.ndim == 2:
        return np.asarray(np.linalg.solve(system, target.T)[:k].T)
    return np.asarray(np.linalg.solve(system, target[:, :, None])[:, :k, 0])


def _solved(gram: Array, right: Array, inside: Array) -> tuple[Array, Array]:
    """Shares that are 0 outside each set, and the slopes outside, of many systems as large as the largest set."""
    n, k = right.shape
    sizes = inside.sum(axis=1)
    size = int(sizes.max())
    order = np.argsort(~inside, axis=1, kind="stable")[:, :size]
    real = np.arange(size) < sizes[:, None]
    system = np.zeros((n, size + 1, size + 1))
    grams = gram if gram.ndim == 3 else gram[None]
    which = np.arange(n)[:, None, None] if gram.ndim == 3 else 0
    both = real[:, :, None] & real[:, None, :]
    system[:, :size, :size] = grams[which, order[:, :, None], order[:, None, :]] * both
    at = np.arange(size)
    system[:, at, at] += ~real
    system[:, size, :size] = system[:, :size, size] = real
    target = np.ones((n, size + 1, 1))
    target[:, :size, 0] = np.take_along_axis(right, order, axis=1) * real
    solution = np.linalg.solve(system, target)[:, :, 0]
    shares = np.zeros((n, k))
    np.put_along_axis(shares, order, solution[:, :size] * real, axis=1)
    slope = shares @ gram if gram.ndim == 2 else (gram @ shares[:, :, None])[:, :, 0]
    return shares, np.where(inside, 0.0, slope - right + solution[:, size:])


def _by_nnls(gram: Array, right: Array) -> Array:
    """One problem by another algorithm, where pivoting has not ended: H = LL′, so that it is ‖L′p − L⁻¹c‖²."""
    from scipy.optimize import nnls  # a large import, which is seldom needed

    root = np.linalg.cholesky(gram)
    left = np.vstack([root.T, np.full(len(gram), WEIGHT)])
    return np.asarray(nnls(left, np.append(np.linalg.solve(root, right), WEIGHT))[0])
