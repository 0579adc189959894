"""Criteria without an engine: a task of labels, and answers from a function."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from foldless.core import Array, Ask, Candidate, Choice, Classes, Criterion, PoolRows, Rows, Task


@pytest.fixture
def make_task() -> Callable[..., Task]:
    """A task for labels ``y`` (any values) with ``n_pool`` unlabeled rows and one candidate for each ``params``.

    ``of_pool`` is what else is known of the pool, such as ``contents``.
    """

    def make(
        y: Any, *, n_pool=0, params=({},), responses=("labels",), semi_supervised=False, seed=0, groups=None, of_pool=()
    ):
        classes, codes = np.unique(np.asarray(y), return_inverse=True)
        n = len(codes)
        candidates = tuple(
            Candidate(at, f"candidate {at}", point, frozenset(responses), semi_supervised)
            for at, point in enumerate(params)
        )
        pool = PoolRows(Rows(range(n, n + n_pool)), **dict(of_pool))
        groups = None if groups is None else np.asarray(groups)
        return Task(Classes(codes, classes), Rows(range(n)), pool, candidates, len(candidates), seed, groups)

    return make


@pytest.fixture
def asked() -> list[Ask]:
    """Every question that `answered` has answered."""
    return []


@pytest.fixture
def answered(asked: list[Ask]) -> Callable[[Criterion, Task, Callable[[Ask], Array]], list[Choice]]:
    """Drive a criterion by hand: each question is answered by a function, then reduced as a worker would."""

    def drive(criterion: Criterion, task: Task, answer: Callable[[Ask], Array]) -> list[Choice]:
        evaluation = criterion.evaluate(task)
        try:
            asks = next(evaluation)
            while True:
                asked.extend(asks)
                replies = [np.asarray(answer(ask)) for ask in asks]
                reduced = [r if a.reduce is None else a.reduce(r) for a, r in zip(asks, replies, strict=True)]
                asks = evaluation.send(reduced)
        except StopIteration as end:
            return end.value

    return drive
