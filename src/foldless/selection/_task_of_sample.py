"""What criteria are told of the data: the task of a sample."""

from typing import Any

import numpy as np

from foldless.accuracy._drawn_weights import drawn_weights
from foldless.core import Candidate, LabelWeights, PoolRows, ScorerInputs, Task
from foldless.core._memory import check_room
from foldless.data._features import n_bytes, n_entries_per_row
from foldless.data._sample import Sample
from foldless.selection._compared_rows import stands_for

TO_FIT = 2**28  # bytes of kernels and of the buffers of OpenBLAS, which waits for ever where there are none


def task_of(sample: Sample, candidates: tuple[Candidate, ...], seed: int, error_score: Any) -> Task:
    """Rows, pool, candidates and weights, without the features."""
    labeled, unlabeled, _ = sample.rows()
    draws = sample.draws
    drawn = None if draws is None else drawn_weights(draws.probabilities, draws.rounds, len(unlabeled))
    return Task(
        sample.target, labeled,
        PoolRows(unlabeled, sample.pool_groups, sample.stored_rows, sample.overlap, sample.contents),
        candidates, len(candidates), seed, sample.groups, lambda: sample.labeled,
        _scorer_inputs(sample, error_score), LabelWeights(drawn, stands_for(sample, drawn)),
        sample.copies,
    )  # fmt: skip


def check_room_for(sample: Sample) -> None:
    """Whether a fit has room for the rows that it reads: a copy of them, and one that is scaled."""
    labeled, n, d = sample.labeled, sample.n_rows, n_entries_per_row(sample.labeled)
    rows = 2 * n_bytes(sample.labeled) if isinstance(labeled, list) else 2 * 8 * n * d
    check_room(TO_FIT + rows, f"a fit on {n:,} rows × {d:,.0f} columns", "take fewer rows or columns")


def _scorer_inputs(sample: Sample, error_score: Any) -> ScorerInputs:
    """Weights by metric, and whether scorers are given more than weights."""
    weights = {
        name: np.asarray(params["sample_weight"])
        for name, params in sample.score_params.items()
        if set(params) == {"sample_weight"}
    }
    read_more = any(set(params) - {"sample_weight"} for params in sample.score_params.values())
    return ScorerInputs(weights, read_more, error_score)
