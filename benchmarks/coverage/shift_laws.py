"""Rows of 20 features, three of which tell the classes, and shifts of known size, for the tests of labels against pool.

It needs NumPy only, so that tests of other packages read the same rows in an environment of their own.
"""

from typing import Any

import numpy as np

WIDTH = 20
SIZES = ((30, 300), (100, 1000), (300, 1000))
SHIFTS = {
    "mean of one feature, .5": {"mean": 0.5, "features": 1},
    "mean of all features, .2": {"mean": 0.2, "features": WIDTH},
    "spread of one feature, 1.5": {"scale": 1.5, "features": 1},
    "correlation of two, .5": {"correlation": 0.5},
    "class shares, .5 to .8": {"prior": 0.8},
    "concept: classes exchanged": {},
}
FIRST_SEED = 20_000


def pair(n: int, m: int, seed: int, size: dict[str, float]) -> tuple[np.ndarray, np.ndarray, np.ndarray, Any]:
    """Labeled rows with their classes, a pool with this shift, and the generator that drew them."""
    rng = np.random.default_rng([seed, n, 77])
    X, y = rows(rng, n)
    return X, y, rows(rng, m, **size)[0], rng


def rows(
    rng: np.random.Generator, n: int, *, mean: float = 0, scale: float = 1, features: int = 1, correlation: float = 0,
    prior: float = 0.5,
) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
    """Rows whose second class has this share, and whose first features are moved and scaled."""
    y = (rng.random(n) < prior).astype(int)
    X = rng.normal(size=(n, WIDTH))
    X[:, 1] = correlation * X[:, 0] + np.sqrt(1 - correlation**2) * X[:, 1]
    X[:, :features] = X[:, :features] * scale + mean
    X[:, -3:] += y[:, None]
    return X, y
