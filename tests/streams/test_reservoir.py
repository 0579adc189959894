"""Rows set aside: uniform over the stream, never learned from, the same however often a run is stopped."""

import numpy as np
import pytest
from scipy import sparse
from scipy.stats import chisquare, kstest

from foldless.streams._reservoir import SHARE, ReservoirRows


def drawn(n, size, seed, batch=50, make=lambda X: X):
    """The rows set aside, by their numbers, and those left to be learned from."""
    held, left = ReservoirRows(size, seed), []
    for first in range(0, n, batch):
        numbers = np.arange(first, first + batch)
        learned = held.draw(make(numbers[:, None].astype(float)), numbers, first)
        left.append(numbers[learned])
    return held, np.concatenate(left)


@pytest.mark.slow
def test_every_row_has_the_same_chance():
    counts = np.zeros(20)
    for seed in range(300):
        held, _ = drawn(2000, 20, seed)
        assert len(held) == 20
        counts += np.bincount(held.codes // 100, minlength=20)
    assert chisquare(counts).pvalue > 1e-6
    early = np.bincount(np.arange(6000) % 10, minlength=20) + 1  # the test would see a sample of the first half only
    assert chisquare(early).pvalue < 1e-6


def test_nothing_that_is_set_aside_is_learned_from():
    held, left = drawn(5000, 100, 0)
    assert not set(held.codes) & set(left)
    assert np.array_equal(held.X[:, 0], held.codes)
    assert len(left) > 5000 - 100 * (1 + np.log(5000 * SHARE / 100)) - 100


def test_a_short_stream_gives_one_in_ten():
    held, _ = drawn(1000, 10_000, 0)
    assert 60 < len(held) < 140


def test_sparse_rows_are_the_same_as_dense_ones():
    dense, _ = drawn(2000, 30, 1)
    thin, _ = drawn(2000, 30, 1, make=sparse.csr_matrix)
    assert np.array_equal(thin.X.toarray(), dense.X)


def test_none_where_none_is_wanted():
    held, left = drawn(500, 0, 0)
    assert len(held) == 0
    assert len(left) == 500


@pytest.mark.parametrize("seed", [0, 1, 7])
def test_draws_have_nothing_to_do_with_a_table_of_the_same_seed(seed):
    """A table made by ``default_rng(seed)``, whose first numbers decide the class of each row."""
    n = 5000
    numbers = np.random.default_rng(seed).random(n)
    held, _ = drawn(n, n, seed, batch=n)
    assert kstest(numbers[held.codes], "uniform").pvalue > 1e-6
    other = np.flatnonzero(np.random.default_rng([seed, 0]).random((2, n))[0] < SHARE)  # what the test is there to see
    assert kstest(numbers[other], "uniform").pvalue < 1e-6
