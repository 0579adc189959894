"""Means over blocks are those over all rows."""

import numpy as np

from foldless.judging._cross_fit import CELLS, ConfidenceShares
from foldless.judging._pool_distances import Apart
from foldless.judging._pool_sums import Mean, PredictedShares


def in_blocks(reduce, *answers, cuts=(3, 10, 11)):
    """The mean over blocks, of which two halves are joined in the end."""
    halves, blocks = [Mean(reduce), Mean(reduce)], list(zip((0, *cuts), (*cuts, len(answers[0])), strict=True))
    for at, (start, stop) in enumerate(blocks):
        halves[at // 2].add(reduce(*(answer[start:stop] for answer in answers)), stop - start)
    whole = Mean(reduce)
    for half in halves:
        whole.join(half)
    assert whole.rows == len(answers[0])
    return whole.value


def test_predicted_shares_in_blocks_are_those_of_all_rows():
    labels = np.random.default_rng(0).integers(-1, 3, 40).astype(np.int8)
    assert np.allclose(in_blocks(PredictedShares(3), labels), [(labels == k).mean() for k in range(3)])


def test_distances_in_blocks_are_those_of_all_rows():
    rng = np.random.default_rng(0)
    own, first, second = rng.integers(0, 3, (3, 40))
    assert np.allclose(in_blocks(Apart(), own, first, second), [(own != first).mean(), (own != second).mean()])
    values, others = rng.normal(size=(2, 40))
    squares = [np.mean((values - others) ** 2), np.mean((values - 0.5) ** 2)]
    assert np.allclose(in_blocks(Apart(0.5), values, others), [*squares, values.min(), values.max()])


def test_confidences_are_counted_in_cells():
    probabilities = np.array([[1.0, 0.0], [0.5, 0.5], [0.25, 0.75], [0.0, 1.0]])
    shares = ConfidenceShares("probabilities")(probabilities)
    assert shares[[CELLS // 2, -1]].tolist() == [0.25, 0.5]
    assert shares.sum() == 1
