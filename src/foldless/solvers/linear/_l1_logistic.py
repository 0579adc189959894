"""Logistic regression with an L1 penalty, from wherever it stood before.

Minimizes F(w) = Σ_i c_i loss(w·x_i) + Σ_j λ_j |w_j|, where the loss of a row with sign y = ±1 is log(1 + exp(−y s)),
and that of a row with sign 0 is s². An intercept is a column of ones whose λ is 0. Features with a weight, and those
whose gradient g exceeds λ most, are solved by Newton's method: the minimum of the quadratic model with its penalty,
then a step that F confirms. It ends when the optimality conditions hold up to tol·λ: |g_j + λ_j sign w_j| where
w_j ≠ 0, |g_j| − λ_j elsewhere, and |g_j| up to tol·min(1, max λ) where λ_j is 0; or where F does not fall any more.
By convexity F is then at most tol Σ λ_j (|w_j| + |w*_j|) ≤ 2 tol·F(0) above its minimum, and what the intercept adds.

References
----------
Yuan, Ho and Lin (2012). An improved GLMNET for L1-regularized logistic regression. JMLR 13.
Jaakkola and Jordan (2000). Bayesian parameter estimation via variational methods. Statistics and Computing 10: the
parabola that is used where a Newton step fails.
"""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from foldless.solvers._lanes import KERNEL
from foldless.solvers.linear._l1_quadratic import minimize
from foldless.solvers.linear._l1_table import descend, direct, restrict, score

INNER = 0.1  # of a violation may be left by what is inside: minima inside a step, steps inside a choice of features
HALVINGS = 40
SUFFICIENT = 1e-4  # of the decrease that the model promises
NEAR = 0.3  # of the worst violation
FEWEST = 16  # features that may join at once


class L1Rows(NamedTuple):
    """The rows of a problem: their numbers in the table, signs, and weights c."""

    numbers: NDArray[np.int64]
    signs: NDArray[np.float64]
    shares: NDArray[np.float64]


class Slopes(NamedTuple):
    """Where the rows stand: scores, and the first and second derivatives of their losses."""

    scores: NDArray[np.float64]
    first: NDArray[np.float64]
    second: NDArray[np.float64]


class Penalty(NamedTuple):
    """λ of every feature, 0 where there is none, and the unit of violations of features that have none."""

    lam: NDArray[np.float64]
    unit: float


class SearchLine(NamedTuple):
    """A way from the weights ``w`` along a direction, how fast the scores change along it, and room for new scores."""

    w: NDArray[np.float64]
    direction: NDArray[np.float64]
    moves: NDArray[np.float64]
    trial: NDArray[np.float64]


@njit(**KERNEL)
def solve(table, rows, penalties, tol, max_steps, w):
    """Turn the weights w into the optimum: the number of Newton steps, negative where they were too few."""
    n = rows.numbers.shape[0]
    slopes = Slopes(np.empty(n), np.empty(n), np.empty(n))
    gradient = np.empty(w.shape[0])
    penalty = Penalty(penalties, min(1.0, penalties.max()))
    score(table, rows.numbers, w, slopes.scores)
    loss = differentiate(slopes.scores, rows, slopes)
    steps = 0
    while True:
        descend(table, rows.numbers, slopes.first, gradient)
        worst = violation(gradient, w, penalty)
        if worst <= tol:
            return steps
        if steps >= max_steps:
            return -steps
        part = restrict(table, rows.numbers, working_set(gradient, w, penalties), w.shape[0])
        taken, loss = solve_part(part, rows, penalty, INNER * worst, max_steps - steps, w, slopes, loss)
        if taken == 0:  # rounding is all that is left
            return steps
        steps += taken


@njit(**KERNEL)
def solve_part(part, rows, penalty, tol, max_steps, w, slopes, loss):
    """Newton steps until these features violate nothing by more than tol: the number of steps, and the loss there."""
    a, n = part.features.shape[0], rows.numbers.shape[0]
    penalty = Penalty(penalty.lam[part.features], penalty.unit)
    line = SearchLine(w[part.features], np.empty(a), np.empty(n), np.empty(n))
    here, target, lam = line.w, line.direction, penalty.lam
    g, H, limits = np.empty(a), np.empty((a, a)), np.empty(a)
    steps, careful = 0, False
    while steps < max_steps:
        model(part, slopes, g, H)
        worst = violation(g, here, penalty)
        if worst <= tol:
            break
        for j in range(a):
            limits[j] = INNER * worst * (lam[j] if lam[j] > 0 else penalty.unit)
            target[j] = here[j]
        minimize(g.copy(), H, lam, limits, target)
        promise = 0.0
        for j in range(a):
            promise += g[j] * (target[j] - here[j]) + lam[j] * (abs(target[j]) - abs(here[j]))
            target[j] -= here[j]
        direct(part, line.direction, line.moves)
        stride, loss = search(line, lam, promise, rows, slopes, loss)
        if stride > 0:
            steps += 1
        elif careful:
            break
        else:
            bend(rows, slopes)
        careful = stride == 0.0
    w[part.features] = here
    return steps, loss


@njit(**KERNEL)
def search(line, lam, promise, rows, slopes, loss):
    """Go along the line as far as F falls: the stride, and the loss there."""
    here, trial = line.w, line.trial
    stride, before = 1.0, loss + norm(here, line.direction, 0.0, lam)
    for _ in range(HALVINGS):
        for i in range(trial.shape[0]):
            trial[i] = slopes.scores[i] + stride * line.moves[i]
        new = differentiate(trial, rows, slopes)
        after = new + norm(here, line.direction, stride, lam)
        if after < before and after <= before + SUFFICIENT * stride * promise:
            for j in range(here.shape[0]):
                here[j] += stride * line.direction[j]
            slopes.scores[:] = trial
            return stride, new
        stride /= 2
    return 0.0, differentiate(slopes.scores, rows, slopes)


@njit(**KERNEL)
def norm(here, direction, stride, lam):
    """The penalty at a point of a line."""
    total = 0.0
    for j in range(here.shape[0]):
        total += lam[j] * abs(here[j] + stride * direction[j])
    return total


@njit(**KERNEL)
def differentiate(scores, rows, slopes):
    """The loss, and its derivatives by the scores."""
    total = 0.0
    for i in range(scores.shape[0]):
        share, sign = rows.shares[i], rows.signs[i]
        if sign == 0.0:
            total += share * scores[i] ** 2
            slopes.first[i] = 2 * share * scores[i]
            slopes.second[i] = 2 * share
        else:
            margin = sign * scores[i]
            small = np.exp(-abs(margin))
            wrong = (small if margin > 0 else 1.0) / (1.0 + small)
            total += share * (np.log1p(small) - min(margin, 0.0))
            slopes.first[i] = -share * sign * wrong
            slopes.second[i] = share * small / (1.0 + small) ** 2
    return total


@njit(**KERNEL)
def bend(rows, slopes):
    """Put the curvature of a parabola above the loss, tanh(s/2) / (2 s), for the second derivative.

    That is zero far out; the minimum of this model is never above where one stands.
    """
    for i in range(slopes.scores.shape[0]):
        size = max(abs(slopes.scores[i]), 1e-3)
        if rows.signs[i] != 0:
            slopes.second[i] = rows.shares[i] * np.tanh(size / 2) / (2 * size)


@njit(**KERNEL)
def violation(gradient, weights, penalty):
    """The largest distance of −g to the subgradients of the penalty, in units of λ."""
    penalties, worst = penalty.lam, 0.0
    for j in range(weights.shape[0]):
        if penalties[j] == 0:
            distance = abs(gradient[j]) / penalty.unit
        elif weights[j] == 0:
            distance = abs(gradient[j]) / penalties[j] - 1.0
        else:
            distance = abs(gradient[j] / penalties[j] + np.sign(weights[j]))
        worst = max(worst, distance)
    return worst


@njit(**KERNEL)
def working_set(gradient, weights, penalties):
    """Features with a weight or without a penalty, and at most as many others that come near the worst violation."""
    worst, kept = 0.0, 0
    for j in range(weights.shape[0]):
        if weights[j] != 0 or penalties[j] == 0:
            kept += 1
        else:
            worst = max(worst, abs(gradient[j]) / penalties[j] - 1.0)
    room = max(kept, FEWEST)
    features = np.empty(kept + room, np.int64)
    n = 0
    for j in range(weights.shape[0]):
        if weights[j] != 0 or penalties[j] == 0:
            features[n] = j
            n += 1
        elif room > 0 and abs(gradient[j]) / penalties[j] - 1.0 > NEAR * worst:
            features[n] = j
            n += 1
            room -= 1
    return features[:n]


@njit(**KERNEL)
def model(part, slopes, g, H):
    """Write gradient and Hessian of the loss at the features of a part."""
    g[:] = 0.0
    H[:] = 0.0
    for i in range(slopes.first.shape[0]):
        for k in range(part.starts[i], part.starts[i + 1]):
            j, x = part.places[k], part.values[k]
            g[j] += slopes.first[i] * x
            bent = slopes.second[i] * x
            for m in range(part.starts[i], k + 1):
                H[j, part.places[m]] += bent * part.values[m]
    for j in range(H.shape[0]):
        for k in range(j):
            H[k, j] = H[j, k]
