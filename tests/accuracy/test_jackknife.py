import numpy as np
import pytest
from scipy.stats import binom
from sklearn.metrics import f1_score

from foldless.accuracy import _jackknife as module
from foldless.accuracy._jackknife import BLOCKS, jackknife


def test_of_a_mean_it_is_the_t_interval():
    values = np.random.default_rng(0).normal(size=50)
    found = jackknife(lambda rows: values[rows].mean(), np.arange(50), 0.95, np.random.default_rng(0))
    from scipy.stats import ttest_1samp

    expected = ttest_1samp(values, 0).confidence_interval(0.95)
    np.testing.assert_allclose((found.lower, found.upper), (expected.low, expected.high))


def test_blocks_are_limited_and_groups_stay_whole():
    sizes = []
    groups = np.repeat(np.arange(300), 2)
    jackknife(lambda rows: sizes.append(len(rows)) or 0.0, groups, 0.95, np.random.default_rng(0))
    assert len(sizes) == BLOCKS + 1
    assert all(size % 2 == 0 for size in sizes)


@pytest.mark.slow
@pytest.mark.parametrize(("share", "holds"), [(1.0, True), (0.4, False)])
def test_macro_f1_is_covered(share, holds):
    """The truth is that of a large sample; an interval of a fraction of the width must be found out."""
    draw = np.random.default_rng(4)

    def sample(n):
        truth = draw.choice(3, n, p=[0.5, 0.3, 0.2])
        return truth, np.where(draw.random(n) < 0.75, truth, draw.integers(0, 3, n))

    true_f1, misses, draws = f1_score(*sample(200_000), average="macro"), 0, 150
    for _ in range(draws):
        truth, guess = sample(120)
        table = np.eye(3)[truth][:, :, None] * np.eye(3)[guess][:, None, :]

        def f1(rows, table=table):
            counts = table[rows].sum(axis=0)
            return float(np.mean(2 * np.diag(counts) / np.maximum(1, counts.sum(axis=0) + counts.sum(axis=1))))

        found = jackknife(f1, np.arange(120), 0.95, draw)
        reach = share * (found.upper - found.value)
        misses += not abs(found.value - true_f1) <= reach
    assert (misses <= binom.ppf(1 - 1e-4, draws, 0.06)) == holds


@pytest.mark.parametrize(("flat", "holds"), [(module.FLAT, True), (-1.0, False)])
def test_rows_that_are_all_right_have_an_interval(flat, holds, monkeypatch):
    """Most draws of 60 rows have no wrong one where one in 200 is; a single point must be found out."""
    monkeypatch.setattr(module, "FLAT", flat)
    draw, misses, draws = np.random.default_rng(0), 0, 200
    for _ in range(draws):
        right = draw.random(60) < 0.995
        found = jackknife(lambda rows, right=right: right[rows].mean(), np.arange(60), 0.95, draw)
        misses += not found.lower <= 0.995 <= found.upper
    assert (binom.sf(misses - 1, draws, 0.05) > 1e-6) == holds
