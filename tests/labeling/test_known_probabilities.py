"""Inclusion probabilities: they add up to n, and rows are drawn as often as they say."""

import numpy as np
import pytest
from scipy.stats import binom

from foldless.labeling._known_probabilities import inclusion, systematic


@pytest.mark.parametrize("n", [1, 7, 30, 60])
def test_probabilities_add_up_and_none_is_zero(n):
    scores = np.random.default_rng(0).exponential(size=60) ** 4
    chances = inclusion(scores, n)
    assert chances.sum() == pytest.approx(n)
    assert chances.min() > 0
    assert chances.max() <= 1


def test_equal_scores_have_equal_probabilities():
    assert inclusion(np.zeros(10), 4) == pytest.approx(np.full(10, 0.4))
    assert inclusion(np.ones(10), 4) == pytest.approx(np.full(10, 0.4))
    assert inclusion(np.ones(3), 5).tolist() == [1, 1, 1]


def test_rows_are_drawn_as_often_as_their_probability_says():
    rng, draws = np.random.default_rng(1), 2000
    chances = inclusion(np.array([0.0, 0.1, 0.5, 1.0, 3.0, 9.0]), 3)
    counts = np.zeros(6, dtype=int)
    for _ in range(draws):
        rows = systematic(chances, rng.permutation(6), rng)
        assert len(set(rows.tolist())) == 3
        counts[rows] += 1
    for count, chance in zip(counts, chances, strict=True):
        assert min(binom.cdf(count, draws, chance), binom.sf(count - 1, draws, chance)) > 1e-6
