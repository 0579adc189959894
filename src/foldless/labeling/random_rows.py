"""Rows drawn at random: what every strategy must beat."""

import numpy as np

from foldless.core import Array
from foldless.labeling._pool_view import PoolView


def scores(view: PoolView) -> Array:
    """All rows alike."""
    return np.ones(len(view.read))


def pick(view: PoolView, n: int, rng: np.random.Generator) -> Array:
    """n rows."""
    return rng.choice(len(view.read), n, replace=False)
