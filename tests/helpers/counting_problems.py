"""Small streams with a rare class, what a learner should do with them row by row, and the best that weights can do."""

import math

import numpy as np
from scipy.optimize import minimize

from foldless.measures import Nested, NestedConcave


class Unchecked(Nested):
    """A measure whose gradients may be wrong: a twin that a test must reject."""

    def __post_init__(self):
        pass


def drawn(n, d, share=0.2, shift=1.0, zeros=0.0, seed=0):
    """Rows and labels 0 and 1; the features of the second class are shifted, less and less."""
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < share).astype(int)
    X = rng.normal(size=(n, d)) + shift * y[:, None] / (1 + np.arange(d))
    X[rng.random((n, d)) < zeros] = 0
    return X, y


def reward_of(name, margin):
    """The reward of a margin, and its slope."""
    if name == "hinge":
        return min(1.0, margin), float(margin < 1)
    return 1 - math.log1p(math.exp(-margin)), 1 / (1 + math.exp(margin))


def by_the_book(X, y, measure, model, level=None):
    """NEMSIS as the paper writes it, with corrected duals, in double precision: last and mean iterate, r and q."""
    rows = np.hstack([X, np.full((len(X), 1), float(model.fit_intercept))])
    w, total, positives = np.zeros(rows.shape[1]), np.zeros(rows.shape[1]), 0
    r, seen = np.array([0.5, 0.5]), [0, 0]
    p, e = (0.5 if model.shares is None else model.shares), measure.smooth(1)

    def parts(r, p, e):
        if isinstance(measure, NestedConcave):
            return measure.inner(*r, p, e)
        return (measure.valuation(*r, p, level, 0.5 / e if e else None),) * 2

    def pulls(zetas, q, p, e):
        if not isinstance(measure, NestedConcave):
            return np.array(zetas[0][1:])
        _, by_x, by_y = measure.outer(*q, p, e)
        return by_x * np.array(zetas[0][1:]) + by_y * np.array(zetas[1][1:])

    zetas = parts(r, p, e)
    q = np.array([zeta[0] for zeta in zetas])
    pull = pulls(zetas, q, p, e)
    for t, (x, label) in enumerate(zip(rows, y, strict=True), 1):
        k, sign = (0, 1) if label else (1, -1)
        positives += label
        p = (positives + 0.5) / (t + 1) if model.shares is None else model.shares
        weight = 1 / (p if label else 1 - p)
        margin = sign * (w @ x)
        value, slope = reward_of(model.reward, margin)
        if margin < model.cap:
            w = w + model.eta0 / math.sqrt(t) * pull[k] * weight * slope * sign * x
            w = w * min(1, model.radius / max(np.linalg.norm(w), 1e-300))
        total += w
        value = float(margin > 0) if model.non_surrogate else max(value, model.low)
        new = np.zeros(2)
        new[k] = value * weight
        q = q + (np.array([z + np.dot(g, new - r) for z, *g in zetas]) - q) / (t + 1)
        if model.rates == "by_class":
            seen[k] += 1
            r[k] += (value - r[k]) / (seen[k] + 1)
        else:
            r = r + (new - r) / (t + 1)
        target = 0.5 if model.class_weight == "balanced" else p
        e = 0.5 / t if measure.smoothing is None and not isinstance(measure, Nested) else measure.smooth(None)
        zetas = parts(r, target, e)
        pull = pulls(zetas, q, target, e)
    return w, total / len(X), r, q


def surrogate(measure, X, y, w, reward="hinge"):
    """The measure of mean rewards, on rows with a constant feature."""
    margins = np.where(y == 1, 1, -1) * (X @ w[:-1] + w[-1])
    rewards = np.minimum(margins, 1) if reward == "hinge" else 1 - np.logaddexp(0, -margins)
    return float(measure.value(rewards[y == 1].mean(), rewards[y == 0].mean(), y.mean(), len(y)))


def best_surrogate(measure, X, y, start):
    """The best that weights can do, by a search that knows no gradients, begun again until it gains nothing."""
    best = -surrogate(measure, X, y, start)
    while True:
        found = minimize(
            lambda w: -surrogate(measure, X, y, w), start, method="Nelder-Mead",
            options={"maxiter": 20_000, "maxfev": 20_000, "xatol": 1e-7, "fatol": 1e-10, "adaptive": True},
        )  # fmt: skip
        if best - found.fun < 1e-7:
            return -min(best, found.fun), found.x
        best, start = found.fun, found.x


def weights_of(model):
    return np.append(model.coef_[0], model.intercept_[0])
