"""Rows with two views for tests of multi-view learners, among them those of the paper on sampled data sets."""

from typing import Any

import numpy as np
from benchmarks.papers.quanz2012 import sets

VIEWS = [[0, 1], [2, 3]]


def synth(seed: int) -> Any:
    """404 rows of Quanz and Huan (2012), the four labeled ones first: features, all labels, labels with −1."""
    X, y, n_labeled = sets.synth(seed)
    return X, y, np.where(np.arange(len(y)) < n_labeled, y, -1)


def blobs(n: int, n_labeled: int, n_classes: int = 2, seed: int = 0, columns: int = 4) -> Any:
    """Classes around different centers: features, all labels, labels with −1; the first rows have one of each class."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % n_classes
    X = rng.normal(size=(n, columns)) + rng.normal(scale=3, size=(n_classes, columns))[y]
    return X, y, np.where(np.arange(n) < n_labeled, y, -1)
