"""Classes split over the workers of joblib: each solves some blocks of them, and sends its best labels and weights.

`joblib.parallel_config` chooses the workers: with ``parallel_config(backend="loky", n_jobs=4)`` around a fit, or around
a search with ``n_jobs=1``, problems of many classes are split. A block of classes is solved as it is in one process, so
that the numbers are the same.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import joblib
import numpy as np
from joblib.parallel import get_active_backend

from foldless.core import Array
from foldless.learners.linear._paths import BestOfBlocks, blocks_of
from foldless.learners.linear._problem import ClassBlock, LinearProblem
from foldless.solvers.linear._csr_rows import Csr

MANY = 512  # classes from which on they are split
PIECES = 4  # for each worker: some blocks take ten times as long as others
THREADS = ("ThreadingBackend", "SequentialBackend")


class ClassPart(NamedTuple):
    """What a worker found for its classes: best scores and labels of each question, weights at each C, and passes."""

    best: list[BestOfBlocks]
    weights: list[tuple[dict[int, Any], Array]]
    passes: list[int]


def pieces_of(n_columns: int) -> list[list[ClassBlock]]:
    """Blocks of classes for each call of a worker; none where this process solves all of them in threads."""
    if n_columns < MANY or type(get_active_backend()[0]).__name__ in THREADS:
        return []
    n = joblib.effective_n_jobs(None)
    blocks = blocks_of(n_columns)
    return [blocks[at :: n * PIECES] for at in range(n * PIECES) if blocks[at :: n * PIECES]] if n > 1 else []


def writable(
    problem: LinearProblem, questions: Sequence[tuple[Csr, Any]]
) -> tuple[dict[str, Any], list[tuple[Csr, Any]]]:
    """Copies of arrays that joblib maps read-only, for which kernels would be compiled again."""
    arrays = {name: np.array(value) for name, value in vars(problem).items() if isinstance(value, np.ndarray)}
    return {**arrays, "rows": _copied(problem.rows)}, [(_copied(rows), response) for rows, response in questions]


def _copied(rows: Csr) -> Csr:
    return Csr(rows.starts.copy(), rows.columns.copy(), rows.values.copy())
