"""Rows with two views for tests of multi-view learners, among them those of the paper on sampled data sets."""

import importlib.util
from pathlib import Path
from typing import Any

import numpy as np

SETS = Path(__file__).parents[2] / "benchmarks" / "papers" / "quanz2012_sets.py"
VIEWS = [[0, 1], [2, 3]]


def synth(seed: int) -> Any:
    """404 rows of Quanz and Huan (2012), the four labeled ones first: features, all labels, labels with −1."""
    spec = importlib.util.spec_from_file_location("quanz2012_sets", SETS)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    X, y, n_labeled = module.synth(seed)
    return X, y, np.where(np.arange(len(y)) < n_labeled, y, -1)


def blobs(n: int, n_labeled: int, n_classes: int = 2, seed: int = 0, columns: int = 4) -> Any:
    """Classes around different centers: features, all labels, labels with −1; the first rows have one of each class."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % n_classes
    X = rng.normal(size=(n, columns)) + rng.normal(scale=3, size=(n_classes, columns))[y]
    return X, y, np.where(np.arange(n) < n_labeled, y, -1)
