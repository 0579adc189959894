"""The mixture weights of the highest likelihood, max Σ_i log Σ_k p_k L_ik with p on the simplex, for many bags.

The problem is concave. With g_k = mean_i L_ik / (p · L_i), the log-likelihood per row is at most max_k g_k − 1 below
its maximum, which is how the iterations know that they are done. Two classes are one unknown: Newton's method with a
bracket, for all bags at once. Otherwise each bag is solved by the steps of EM, p_k ← p_k g_k, extrapolated (SQUAREM).

A prior adds Σ_k c_k log p_k to the mean log-likelihood of a row, where c_k are imagined rows of each class per real
one. The slope in p_k is then g_k + c_k / p_k, and all of the above holds with 1 + Σ c in the place of 1.

References
----------
Dempster, Laird & Rubin (1977). Maximum likelihood from incomplete data via the EM algorithm. JRSS B 39.
Varadhan & Roland (2008). Simple and globally convergent methods for accelerating the convergence of any EM algorithm.
Scandinavian J. of Statistics 35.
Lindsay, B. (1983). The geometry of mixture likelihoods. Annals of Statistics 11. (the bound on what is missing)
"""

import numpy as np

from foldless.core import Array
from foldless.quantifiers.bags import Bags

REACH = 0.1  # how far below its maximum the log-likelihood of a bag may be
ROUNDS, NEWTON = 2000, 60
MANY = 200  # bags from which on compiled code is worth loading
FLOOR = 1e-12
CHUNK = 4_000_000  # rows of two classes that are solved together


def mixture_weights(likelihood: Array, bags: Bags, start: Array | None = None, prior: Array | None = None) -> Array:
    """Weights (bags, K) from the likelihood (n, K) of each row under each class, up to a factor of the row.

    Rows that no class can explain are left out; a bag of such rows has the ``start``. ``prior`` has the imagined rows
    of each class, per row of a bag.

    Examples
    --------
    >>> likelihood = np.array([[0.9, 0.1], [0.8, 0.3], [0.2, 0.9]])
    >>> mixture_weights(likelihood, Bags.whole(3)).round(3)
    array([[0.753, 0.247]])
    """
    n_classes = likelihood.shape[1]
    start = np.full(n_classes, 1 / n_classes) if start is None else np.maximum(start, FLOOR)
    top = likelihood.max(axis=1)
    known = top > 0
    scaled = likelihood / np.where(known, top, 1.0)[:, None]
    if n_classes == 1:
        return np.ones((len(bags), 1))
    if n_classes == 2:
        return _of_two(scaled, known, bags, start, np.zeros(2) if prior is None else prior)
    start = start / start.sum()
    if len(bags) < MANY or prior is not None:
        return np.array([_squarem(scaled[part], known[part], start, prior) for part in bags.parts()])
    return _climbed(scaled, known, bags, start)


def _climbed(scaled: Array, known: Array, bags: Bags, start: Array) -> Array:
    """Many bags, by compiled code."""
    from foldless.solvers._mixture_steps import climb

    rows, starts = bags.rows, bags.starts
    if not known.all():
        kept = known[rows]
        starts = np.concatenate([[0], np.cumsum(kept)])[starts]
        rows = rows[kept]
    weights = np.tile(start, (len(bags), 1))
    scaled, rows, starts = np.ascontiguousarray(scaled), rows.astype(np.int64), starts.astype(np.int64)
    climb(scaled, rows, starts, weights, REACH, ROUNDS, FLOOR)
    return weights / weights.sum(axis=1, keepdims=True)


def _of_two(scaled: Array, known: Array, bags: Bags, start: Array, prior: Array) -> Array:
    """The root of the slope of each bag, where it has one in (0, 1)."""
    first, difference = np.where(known, scaled[:, 0], 1.0), np.where(known, scaled[:, 1] - scaled[:, 0], 0.0)
    positive = np.empty(len(bags))
    each = max(1, CHUNK // max(1, int(bags.sizes.max(initial=1))))
    for at in range(0, len(bags), each):
        starts = bags.starts[at : at + each + 1]
        rows = bags.rows[starts[0] : starts[-1]]
        positive[at : at + each] = _roots(
            first[rows], difference[rows], starts - starts[0], start[1] / start.sum(), prior
        )
    return np.stack([1 - positive, positive], axis=1)


def _roots(first: Array, difference: Array, starts: Array, start: float, prior: Array) -> Array:
    """Of mean d / (a + p d) + c₁ / p − c₀ / (1 − p), which falls with p; ``starts`` has the place of each bag and the
    end.
    """
    sizes = np.diff(starts)
    low, high = np.zeros(len(sizes)), np.ones(len(sizes))
    point = np.full(len(sizes), start)
    places = starts[:-1]
    todo = np.ones(len(sizes), dtype=bool)
    for _ in range(NEWTON):
        ratio = first + np.repeat(point, sizes) * difference
        np.divide(difference, np.maximum(ratio, FLOOR, out=ratio), out=ratio)
        slope = np.add.reduceat(ratio, places)
        np.multiply(ratio, ratio, out=ratio)
        bend = np.add.reduceat(ratio, places)
        if prior.any():
            up, down = prior[1] / np.maximum(point, FLOOR), prior[0] / np.maximum(1 - point, FLOOR)
            slope += sizes * (up - down)
            bend += sizes * (up**2 / prior[1] if prior[1] else 0.0) + sizes * (down**2 / prior[0] if prior[0] else 0.0)
        low, high = np.where(slope > 0, point, low), np.where(slope < 0, point, high)
        # what is missing per row, were the weights those of the point
        gap = np.maximum(slope * (1 - point), -slope * point) / sizes
        todo = (gap > 1e-9) & (high - low > FLOOR)
        if not todo.any():
            break
        step = point + slope / np.maximum(bend, FLOOR)
        middle = np.where(step >= 1, np.maximum(1 - (1 - low) * 1e-3, (low + high) / 2), (low + high) / 2)
        middle = np.where(step <= 0, np.minimum(high * 1e-3, (low + high) / 2), middle)
        point = np.where(todo, np.where((step > low) & (step < high), step, middle), point)
    return np.where(point < 1e-9, 0.0, np.where(point > 1 - 1e-9, 1.0, point))


def _squarem(scaled: Array, known: Array, start: Array, prior: Array | None = None) -> Array:
    """One bag, by extrapolated steps of EM that never lower the likelihood, or what a prior makes of it."""
    if not known.all():
        scaled = scaled[known]
    if not len(scaled):
        return start
    n = len(scaled)
    gap = min(1e-3, REACH / n)
    imagined = np.zeros(len(start)) if prior is None else prior
    total = 1 + imagined.sum()

    def slopes(p: Array) -> tuple[Array, Array]:
        mixed = np.maximum(scaled @ p, FLOOR)
        return (scaled.T @ (1 / mixed) / n + imagined / np.maximum(p, FLOOR)) / total, mixed

    point = start
    for _ in range(ROUNDS):
        gain, mixed = slopes(point)
        if gain.max() - 1 < gap:
            break
        one = point * gain
        again, mixed = slopes(one)
        if again.max() - 1 < gap:
            point = one
            break
        two = one * again
        first, second = one - point, two - one - (one - point)
        length = np.sqrt((first @ first) / max(float(second @ second), 1e-300))
        moved = np.maximum(point + 2 * length * first + length**2 * second, 0.01 * two)  # a share of 0 would stay 0
        moved /= moved.sum()
        gained = np.log(np.maximum(scaled @ moved, FLOOR) / mixed).sum()
        gained += n * (imagined @ np.log(np.maximum(moved, FLOOR) / np.maximum(one, FLOOR)))
        better = length > 1 and gained >= 0
        point = moved if better else two
    return np.asarray(point / point.sum())
