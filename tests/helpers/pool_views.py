"""What strategies of labeling see of a small pool, without a search."""

from types import SimpleNamespace

import numpy as np

PLACES = np.array([[0.0, 0.0], [10.0, 0.0], [0.0, 10.0], [10.0, 10.0]])


def view_of(unsure, labels):
    """A pool of 100 rows at each of four places, of which the first has these labels."""
    rng = np.random.default_rng(0)
    pool = np.repeat(PLACES, 100, axis=0) + rng.normal(size=(400, 2)) / 4
    labeled = np.zeros((labels, 2)) + rng.normal(size=(labels, 2)) / 4
    votes, full = np.zeros((2, 400), dtype=int), np.array([True, False])
    return SimpleNamespace(
        unsure=np.asarray(unsure, dtype=float), features=(labeled, pool), votes=votes, full=full,
        weights=np.array([0.5, 0.5]), regression=False,
    )  # fmt: skip
