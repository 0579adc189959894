"""Rows that many fits are trained on, and grids of such fits."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from foldless.core import Array
from foldless.learners.kernel_svm._kernels import Kernel


@dataclass(frozen=True, eq=False)
class TrainingRows:
    """Features, and the rows of them that some fit is trained on, sorted by class.

    Rows of class k are ``rows[starts[k]:starts[k + 1]]``; ``places`` has the place of every row of X among them, or −1.
    ``ascending`` are the same rows sorted by number, which is the order of Gram matrices since labels do not change it;
    ``ranks`` has the place of each of ``rows`` there.
    """

    X: Any
    rows: Array
    classes: Array
    starts: Array
    places: Array
    ascending: Array
    ranks: Array

    @classmethod
    def of(cls, X: Any, sets: Iterable[tuple[Array | None, Array]]) -> "TrainingRows":
        """All rows of some training sets, which agree about their labels; None stands for all rows of X."""
        everything = np.arange(X.shape[0])
        pairs = [(everything if rows is None else rows, y) for rows, y in sets]
        rows, first = np.unique(np.concatenate([rows for rows, _ in pairs]), return_index=True)
        classes, codes = np.unique(np.concatenate([y for _, y in pairs])[first], return_inverse=True)
        order = np.argsort(codes, kind="stable")
        sorted_by_class, starts = rows[order], np.searchsorted(codes[order], np.arange(len(classes) + 1))
        places = np.full(X.shape[0], -1)
        places[sorted_by_class] = np.arange(len(rows))
        return cls(X, sorted_by_class, classes, starts, places, rows, order)

    def spread(self, rows: Array | None, weights: Array) -> Array:
        """The weights of one training set, for all rows; those of rows that occur twice add up."""
        at = self.places if rows is None else self.places[rows]
        return np.bincount(at, weights, minlength=len(self.rows))

    @property
    def codes(self) -> Array:
        """The number of every row's class."""
        return np.repeat(np.arange(len(self.classes)), np.diff(self.starts))


@dataclass(frozen=True, eq=False)
class Grid:
    """Fits with one kernel: a row of weights for each, and the costs at which all are solved."""

    kernel: Kernel
    weights: Array
    costs: Sequence[float]
