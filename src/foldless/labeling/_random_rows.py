"""Rows drawn at random: what every strategy must beat."""

import numpy as np

from foldless.labeling._known_probabilities import Draw
from foldless.labeling._pool_view import PoolView


def draw(view: PoolView, _: int, rng: np.random.Generator) -> Draw:
    """All rows alike, in random order."""
    return Draw(np.ones(len(view.read)), rng.permutation(len(view.read)))
