"""What criteria need of a whole pool is often a mean over its rows: Σ_i r(f(x_i)) / m, which blocks of rows add up to.

A pool in memory is asked for its plain answers, which other criteria share, and the criterion reduces them. A pool that
stays in its file is asked with the reduction, block by block, and only the mean over all rows comes back.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from foldless.core.ask import Ask, Fit, Reduce, Response
from foldless.core.rows import Array
from foldless.core.task import Task


def about_pool(task: Task, fit: Fit, reduce: Reduce, response: Response = "labels", *beside: Fit) -> Ask:
    """A question about every row of the pool, of whose answer only the reduction is needed."""
    if task.pool.stored is None:
        return Ask(fit, task.unlabeled, response)
    return Ask(fit, task.pool.stored, response, reduce, beside=beside)


@dataclass(frozen=True)
class PredictedShares:
    """The share of rows that each class is predicted for; rows without a class (code −1) count for none.

    Examples
    --------
    >>> PredictedShares(3)(np.array([0, 0, 2, -1]))
    array([0.5 , 0.  , 0.25])
    """

    n_classes: int

    def __call__(self, labels: Array) -> Array:
        counts = np.bincount(labels.astype(np.intp) + 1, minlength=self.n_classes + 1)
        return counts[1:] / len(labels)


def predicted_of_pool(task: Task, fit: Fit) -> Ask:
    """What a fit says of the pool, or of the labeled rows where there is none.

    Of a pool that stays in its files, the shares of the classes.
    """
    if task.pool.stored is not None and task.response != "values":
        return about_pool(task, fit, PredictedShares(task.n_classes))
    return Ask(fit, task.unlabeled if len(task.unlabeled) else task.labeled, task.response)


class Mean:
    """A mean over rows as blocks of them come in, or what the reduction itself makes of two parts.

    Examples
    --------
    >>> mean = Mean()
    >>> mean.add(np.array([0.0, 1.0]), 1)
    >>> mean.add(np.array([1.0, 0.0]), 3)
    >>> mean.value
    array([0.75, 0.25])
    """

    def __init__(self, reduce: Any = None):
        self._merge = getattr(reduce, "merge", None)
        self._sum: Array | None = None
        self.rows = 0

    def add(self, part: Array, rows: int) -> None:
        """Take in the reduction of so many rows."""
        if self._sum is None:
            self._sum = np.array(part) if self._merge else np.multiply(part, rows, dtype=np.float64)
        elif self._merge:
            self._sum = self._merge(self._sum, self.rows, part, rows)
        else:
            self._sum += np.multiply(part, rows, dtype=np.float64)
        self.rows += rows

    def join(self, other: "Mean") -> None:
        """Take in the rows of another mean of the same reduction."""
        assert other._sum is not None
        if self._merge:
            self.add(other._sum, other.rows)
        else:
            self._sum = other._sum if self._sum is None else self._sum + other._sum
            self.rows += other.rows

    @property
    def value(self) -> Array:
        assert self._sum is not None
        return self._sum if self._merge else self._sum / self.rows
