"""A score together with how near the answers of a candidate are to those of the others, where answers are numbers."""

import numpy as np

from foldless.core import Array
from foldless.criteria.racing._blend import Blend
from foldless.judging._left_out import ComparedScores

CONSENSUS = 3.0
WORST = -1.0  # R² below which a candidate is just bad: one row far off must not decide more than that


def with_consensus(standing: ComparedScores, training: Array, pool: Array | None, spread: float) -> Blend:
    """score + 3 · se · consensus, from answers about the pool by candidate, resample and row."""
    scores, parts, values = standing.scores, {"score": standing.scores, "training": training}, standing.scores
    if pool is not None:
        weights = np.exp((scores - scores.max()) / standing.error)
        parts["consensus"] = consensus(pool, weights, spread)
        values = scores + standing.error * CONSENSUS * np.maximum(parts["consensus"], WORST)
    return Blend(values, parts | {"blend": values})


def consensus(pool: Array, weights: Array, spread: float) -> Array:
    """How near the values of each candidate are to the weighted mean of the others, over rows and resamples."""
    total, weighted = weights.sum(), np.tensordot(weights, pool, axes=1)
    near = np.ones(len(pool))
    for at, values in enumerate(pool):
        if (rest := total - weights[at]) > 0:
            near[at] = 1 - np.mean(np.square(values - (weighted - weights[at] * values) / rest)) / spread
    return near
