"""Gaussian process classification by Laplace's method, for many small training sets inside one kernel matrix.

The latent f ~ N(0, K) is met with the logistic likelihood: ψ(f) = Σ log σ(y f) − ½ f'K⁻¹f has its mode f̂, and

    log Z ≈ ψ(f̂) − ½ log |B|,   B = I + W^½ K W^½,   W = π (1 − π),   π = σ(f̂);
    f(u) has mean K[u, L] (t − π) and variance K[u, u] − ‖C⁻¹ W^½ K[L, u]‖² with B = C C'.

A label that is given m times has m times the gradient t − π and m times the W. The probability σ(f) averaged over f(u)
is close to σ(z), z = mean / √(1 + π·variance / 8), and z is the answer. The mode is found by Newton's method in θ with
f = V'θ and K = V'V (Cholesky with pivots, so K may be singular). There the prior is ½ ‖θ‖² whatever the scale of K:
from 1e-10 to 1e12 nothing cancels. Steps are halved until ψ agrees.

References
----------
Rasmussen and Williams (2006). Gaussian processes for machine learning. Algorithms 3.1 and 3.2.
MacKay (1992). The evidence framework applied to classification networks. Neural Computation 4.
"""

import math
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from foldless.errors import BadInput

Floats = NDArray[np.float64]
KERNEL = {"cache": True, "nogil": True, "fastmath": {"reassoc", "contract"}, "boundscheck": False}
STEPS, HALVINGS = 200, 40
SETTLED = 1e-7  # a step that moves f less than this, relative to its size, was the last: Newton's error is its square
ROUNDING = 1e-12
EPS = 2.3e-16


class Problems(NamedTuple):
    """Training sets one behind the other, and the rows that each is asked about.

    The labeled rows of problem p are at ``starts[p]:starts[p + 1]``: their numbers in the kernel, whether they are of
    the class, and how often each is given. Rows asked about are at ``asked_starts[p]:asked_starts[p + 1]``.
    """

    rows: NDArray[np.int64]
    targets: NDArray[np.bool_]
    times: Floats
    starts: NDArray[np.int64]
    asked: NDArray[np.int64]
    asked_starts: NDArray[np.int64]


class Solved(NamedTuple):
    """Evidence of every problem, and the answers z on the rows asked about."""

    evidence: Floats
    scores: Floats


class Mode(NamedTuple):
    """What answers need of a training set that was solved: m (t − π) at the mode, W^½, and C with B = C C'."""

    gradient: Floats
    root: Floats
    C: Floats


def mode_of(K: Floats, target: NDArray[np.bool_], times: Floats) -> Mode:
    """Solve one training set whose kernel values are K."""
    n = len(target)
    if K.shape != (n, n) or times.shape != (n,):
        raise BadInput(f"a kernel of shape {K.shape} and counts of shape {times.shape} do not match {n} labels")
    _, mode = _mode(np.ascontiguousarray(K), target, times)
    if not all(np.isfinite(part).all() for part in mode):
        raise BadInput("the kernel is too large for a finite mode: scale the features, or choose smaller parameters")
    return mode


def solve_apart(mode: Mode, cross: Floats, diagonal: Floats) -> Floats:
    """The answers z on rows outside of the kernel matrix, whose values with the training rows are rows of ``cross``."""
    n, m = len(mode.gradient), len(diagonal)
    if cross.shape != (m, n):
        raise BadInput(f"kernel values of shape {cross.shape} do not match {m} rows and {n} labels")
    scores = np.empty(m)
    _answer(cross.T.copy(), diagonal.copy(), mode, scores)
    return scores


@njit(**KERNEL)
def solve(K, problems, first, last, out):
    """Solve the problems from first up to last inside one kernel matrix, and write their evidence and answers."""
    for p in range(first, last):
        labeled = slice(problems.starts[p], problems.starts[p + 1])
        asked = slice(problems.asked_starts[p], problems.asked_starts[p + 1])
        labeled_rows, questions = problems.rows[labeled], problems.asked[asked]
        n, m = len(labeled_rows), len(questions)
        inside, values, variance = np.empty((n, n)), np.empty((n, m)), np.empty(m)
        for i in range(n):
            row = K[labeled_rows[i]]
            for j in range(n):
                inside[i, j] = row[labeled_rows[j]]
            for u in range(m):
                values[i, u] = row[questions[u]]
        for u in range(m):
            variance[u] = K[questions[u], questions[u]]
        out.evidence[p], mode = _mode(inside, problems.targets[labeled], problems.times[labeled])
        _answer(values, variance, mode, out.scores[asked])


@njit(**KERNEL)
def _mode(K, target, times):
    """The evidence and the mode of a training set."""
    V = _root(K)
    r, n = V.shape
    theta, trial, step = np.zeros(r), np.empty(r), np.empty(r)
    f, moved, gradient, W = np.zeros(n), np.empty(n), np.empty(n), np.empty(n)
    H = np.empty((r, r))
    value = _value(theta, f, target, times)
    for _ in range(STEPS):
        _slopes(f, target, times, gradient, W)
        for k in range(r):
            step[k] = _dot(V[k], gradient) - theta[k]
        _hessian(V, W, H)
        _solve_factored(H, step)
        length = 1.0
        for _ in range(HALVINGS):
            trial[:] = theta + length * step
            _combine(V, trial, moved)
            after = _value(trial, moved, target, times)
            if after >= value - ROUNDING * (1.0 + abs(value)):
                break
            length *= 0.5
        far = np.abs(moved - f).max()
        theta[:], f[:], value = trial, moved, after
        if far <= SETTLED * np.abs(f).max():
            break
    _slopes(f, target, times, gradient, W)
    _hessian(V, W, H)  # |I + VWV'| = |B|, and loses nothing where rows are alike
    for k in range(r):
        value -= math.log(H[k, k])
    root = np.sqrt(W)
    C = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            C[i, j] = root[i] * K[i, j] * root[j]
        C[i, i] += 1.0
    _cholesky(C)
    return value, Mode(gradient, root, C)


@njit(**KERNEL)
def _hessian(V, W, H):
    """The Cholesky factor of I + VWV'."""
    for k in range(len(V)):
        weighted = V[k] * W
        for j in range(k + 1):
            H[k, j] = _dot(weighted, V[j])
        H[k, k] += 1.0
    _cholesky(H)


@njit(**KERNEL)
def _answer(values, variance, mode, scores):
    """z of every column of ``values`` = K[L, u]; both ``values`` and ``variance`` = K[u, u] are used up."""
    gradient, root, C = mode.gradient, mode.root, mode.C
    n, m = values.shape
    scores[:] = 0.0
    for i in range(n):
        row = values[i]
        for u in range(m):
            scores[u] += gradient[i] * row[u]
            row[u] *= root[i]
        for j in range(i):
            factor, before = C[i, j], values[j]
            for u in range(m):
                row[u] -= factor * before[u]
        inverse = 1.0 / C[i, i]
        for u in range(m):
            row[u] *= inverse
            variance[u] -= row[u] * row[u]
    for u in range(m):
        scores[u] /= math.sqrt(1.0 + math.pi / 8.0 * max(variance[u], 0.0))


@njit(**KERNEL)
def _root(K):
    """V of shape (rank, n) with K = V'V up to rounding: the largest pivot first, until none is left."""
    n = len(K)
    left = np.empty(n)
    for i in range(n):
        left[i] = max(K[i, i], 0.0)
    nothing = n * EPS * left.max()
    V = np.zeros((n, n))
    for k in range(n):
        pivot = left.argmax()
        if left[pivot] <= nothing:
            return V[:k]
        row = V[k]
        row[:] = K[pivot]
        for j in range(k):
            factor, before = V[j, pivot], V[j]
            for i in range(n):
                row[i] -= factor * before[i]
        scale = math.sqrt(left[pivot])
        for i in range(n):
            row[i] /= scale
            left[i] = max(left[i] - row[i] * row[i], 0.0)
        left[pivot] = 0.0
    return V


@njit(**KERNEL)
def _slopes(f, target, times, gradient, W):
    """m (t − π) and m π (1 − π), each to full relative precision."""
    for i in range(len(f)):
        small = math.exp(-abs(f[i]))
        agrees = (f[i] > 0) == target[i]
        miss = times[i] * ((small if agrees else 1.0) / (1.0 + small))
        gradient[i] = miss if target[i] else -miss
        W[i] = times[i] * (small / (1.0 + small) ** 2)


@njit(**KERNEL)
def _value(theta, f, target, times):
    value = -0.5 * _dot(theta, theta)
    for i in range(len(f)):
        margin = f[i] if target[i] else -f[i]
        value += times[i] * (min(margin, 0.0) - math.log1p(math.exp(-abs(margin))))
    return value


@njit(**KERNEL)
def _combine(V, theta, f):
    f[:] = 0.0
    for k in range(len(theta)):
        weight, row = theta[k], V[k]
        for i in range(len(f)):
            f[i] += weight * row[i]


@njit(**KERNEL)
def _dot(a, b):
    total = 0.0
    for i in range(len(a)):
        total += a[i] * b[i]
    return total


@njit(**KERNEL)
def _cholesky(A):
    """The lower factor in place of the lower triangle; all eigenvalues are 1 or more."""
    for i in range(len(A)):
        for j in range(i):
            A[i, j] = (A[i, j] - _dot(A[i, :j], A[j, :j])) / A[j, j]
        A[i, i] = math.sqrt(max(A[i, i] - _dot(A[i, :i], A[i, :i]), 1.0))


@njit(**KERNEL)
def _solve_factored(C, b):
    for i in range(len(b)):
        b[i] = (b[i] - _dot(C[i, :i], b[:i])) / C[i, i]
    for i in range(len(b) - 1, -1, -1):
        b[i] /= C[i, i]
        for j in range(i):
            b[j] -= C[i, j] * b[i]
