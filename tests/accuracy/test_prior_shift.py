"""Whether only class shares differ: the level holds under prior shift, and moved columns ring."""

import numpy as np
import pytest
from scipy.stats import binom

from foldless.accuracy._prior_shift import prior_shift, prior_shift_of_counts
from foldless.data._compared_columns import compared_columns
from foldless.quantifiers import Held


def compared(seed, n=100, m=400, moved=(0, 0, 0)):
    rng = np.random.default_rng(seed)
    y, truth = (rng.random(n) < 0.4).astype(int), (rng.random(m) < rng.random()).astype(int)
    X, pool = (rng.normal(size=(len(codes), 3)) + np.outer(codes, [1.5, 1, 0]) for codes in (y, truth))
    pool = pool + np.array(moved)

    def answers(rows):
        p = 1 / (1 + np.exp(-(rows @ [1.5, 1, 0] - 1.6)))
        return np.stack([1 - p, p], axis=1)

    return prior_shift(Held(answers(X), y, 2), answers(pool), rng, 1, compared_columns([X, pool], rng))


@pytest.mark.slow
def test_prior_shift_rings_no_more_often_than_the_level_and_a_moved_column_does():
    p_values = [compared(seed).p_value for seed in range(60)]
    assert binom.sf(sum(p <= 0.1 for p in p_values) - 1, 60, 0.1) > 1e-4
    moved = [compared(seed, moved=(1.5, -1.5, 0)) for seed in range(8)]
    assert sum(test.alarm for test in moved) >= 6
    assert {0, 1} & {name for test in moved for name in test.columns}


def test_a_share_of_zero_that_no_shares_explain_rings():
    rng = np.random.default_rng(0)
    table = np.array([[700, 300], [100, 900]])  # a third of the first class is taken for the second
    assert prior_shift_of_counts(table, np.array([9900, 100]), rng).alarm
    assert not prior_shift_of_counts(table, np.array([5000, 5000]), rng).alarm
    assert not prior_shift_of_counts(table, np.array([705, 295]), rng).alarm
