"""Distances between candidates on the pool, from their answers or, of a pool in files, from sums over its blocks.

Block by block each candidate is compared with those before it. Of values squares are added up, those of the distance
from a constant too, and the root is taken in the end.
"""

from collections.abc import Generator
from dataclasses import dataclass

import numpy as np

from foldless.core import Array, Ask, Classes, Response, Task
from foldless.judging._distances import between, check_answers
from foldless.judging._pool_sums import about_pool


@dataclass(frozen=True, eq=False)
class OnPool:
    """What candidates answer about the rows of a pool."""

    answers: list[Array]

    def between(self, j: int, k: int) -> float:
        """The distance of two candidates, j before k."""
        return between(self.answers[j], self.answers[k])

    def from_mean(self, k: int, mean: float) -> float:
        """The distance of the values of a candidate from the mean of y."""
        return between(self.answers[k], np.full(len(self.answers[k]), mean))

    def span(self, k: int) -> float:
        """The largest minus the smallest value of a candidate."""
        return float(np.ptp(self.answers[k]))


@dataclass(frozen=True, eq=False)
class OnStoredPool(OnPool):
    """The same of a pool in files, from what `Apart` makes of the answers."""

    apart: "Apart"

    def between(self, j: int, k: int) -> float:
        return self._distance(k, j)

    def from_mean(self, k: int, mean: float) -> float:  # noqa: ARG002 (`Apart` has it)
        return self._distance(k, k)

    def span(self, k: int) -> float:
        return float(self.answers[k][-1] - self.answers[k][-2])

    def _distance(self, k: int, at: int) -> float:
        distance = float(self.answers[k][at])
        return distance if self.apart.mean is None else float(np.sqrt(distance))


@dataclass(frozen=True)
class Apart:
    """The distances of a fit's answers from those of other fits.

    Of values, for which the ``mean`` of y is given, the squares of them and of the distance from the mean, then the
    smallest and the largest value.
    """

    mean: float | None = None

    def __call__(self, answer: Array, *others: Array) -> Array:
        if self.mean is None:
            return np.array([between(answer, other) for other in others])
        squares = [between(answer, other) ** 2 for other in (*others, np.full(len(answer), self.mean))]
        return np.array([*squares, answer.min(), answer.max()])

    def merge(self, a: Array, n: int, b: Array, m: int) -> Array:
        """What n and m rows have given, as all of them give it."""
        both = np.asarray((n * a + m * b) / (n + m))
        if self.mean is not None:
            both[-2:] = min(a[-2], b[-2]), max(a[-1], b[-1])
        return both


def on_labels_and_pool(task: Task, answers: Response) -> Generator[list[Ask], list[Array], tuple[list[Array], OnPool]]:
    """Ask every candidate about the labeled rows and about the pool: labels, probabilities, or values."""
    answers = check_answers(task, answers)
    fits = [task.full(c) for c in task.candidates]
    apart = Apart(None if isinstance(task.target, Classes) else float(task.y.mean()))
    received = yield [
        *(Ask(fit, task.labeled, answers) for fit in fits),
        *(about_pool(task, fit, apart, answers, *fits[:k]) for k, fit in enumerate(fits)),
    ]
    on_labels, on_pool = received[: len(fits)], received[len(fits) :]
    return on_labels, OnPool(on_pool) if task.pool.stored is None else OnStoredPool(on_pool, apart)
