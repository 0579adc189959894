"""Random rows: all of the pool alike, in random order."""

from types import SimpleNamespace

import numpy as np
from scipy.stats import binom

from foldless.labeling._known_probabilities import inclusion, systematic
from foldless.labeling._random_rows import draw

VIEW = SimpleNamespace(read=np.arange(30))


def test_all_rows_are_alike():
    scores, order = draw(VIEW, 6, np.random.default_rng(0))
    assert inclusion(scores, 6).tolist() == [0.2] * 30
    assert sorted(order.tolist()) == list(range(30))


def test_neighbors_are_drawn_together_as_often_as_any_two_rows():
    """The order is random: by systematic sampling in the order of the pool they never would be."""
    rng, draws, together = np.random.default_rng(1), 2000, 0
    for _ in range(draws):
        scores, order = draw(VIEW, 6, rng)
        together += {0, 1} <= set(systematic(inclusion(scores, 6), order, rng).tolist())
    chance = 0.2 * 5 / 29
    assert min(binom.cdf(together, draws, chance), binom.sf(together - 1, draws, chance)) > 1e-6
