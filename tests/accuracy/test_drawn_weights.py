"""Weights of drawn labels, by hand and by simulation: intervals hold the truth with them, and not without."""

import numpy as np
import pytest
from scipy.stats import binom

from foldless.accuracy._drawn_weights import drawn_weights
from foldless.accuracy._held_out_accuracy import HeldOut, held_out_accuracy
from foldless.labeling._known_probabilities import inclusion, systematic

LEAST, MOST = 0.93, 0.99


def test_labels_drawn_like_the_pool_count_alike():
    assert drawn_weights(np.full(5, np.nan), np.zeros(5), 20) is None


def test_one_round_weighs_by_the_inverse_of_the_probability():
    weights = drawn_weights(np.array([0.1, 0.2, 0.4]), np.zeros(3), 14)
    assert weights == pytest.approx(np.array([10, 5, 2.5]) / 17.5)


def test_two_rounds_by_hand():
    # 10 rows: 2 first labels, round 1 draws one with 1/4, round 2 one with 1/2, 6 remain
    weights = drawn_weights(np.array([np.nan, np.nan, 0.25, 0.5]), np.array([0, 0, 1, 2]), 6)
    first, second, third = [5, 5, 0, 0], [1, 1, 4, 0], [1, 1, 1, 2]
    total = 2 * np.array(first) + np.array(second) + np.array(third)
    assert weights == pytest.approx(total / total.sum())


def test_a_label_that_someone_chose_counts_only_in_later_rounds():
    chosen_last = drawn_weights(np.array([np.nan, np.nan, 0.0]), np.array([0, 0, 1]), 7)
    assert chosen_last.tolist() == [0.5, 0.5, 0.0]
    chosen_first = drawn_weights(np.array([np.nan, 0.0, 0.5]), np.array([0, 1, 2]), 7)
    assert chosen_first == pytest.approx(np.array([10 + 1, 1, 2]) / 14)
    assert drawn_weights(np.zeros(3), np.zeros(3), 7) is None


def test_without_a_pool_its_size_is_guessed_from_the_first_round():
    chances, rounds = np.array([np.nan, np.nan, 0.25, 0.25]), np.array([0, 0, 1, 1])
    assert drawn_weights(chances, rounds, None) == pytest.approx(drawn_weights(chances, rounds, 6))


def one_run(rng, pool):
    """Whether the intervals, with weights and without, hold the accuracy .85 of a law that errs where it is unsure."""
    x = rng.random(420)
    right = rng.random(420) < 0.55 + 0.45 * np.sqrt(x)
    labels, chances, rounds, rest = np.arange(20), np.full(20, np.nan), np.zeros(20), np.arange(20, 420)
    for at in range(1, 5):
        own = inclusion((1 - x[rest]) ** 2, 20, 0.2)
        drawn = systematic(own, np.argsort(x[rest] + 0.3 * rng.random(len(rest))), rng)
        labels, chances = np.concatenate([labels, rest[drawn]]), np.concatenate([chances, own[drawn]])
        rounds, rest = np.concatenate([rounds, np.full(20, at)]), np.delete(rest, drawn)
    sure = (x[labels], x[rest]) if pool else (None, None)
    weights = drawn_weights(chances, rounds, len(rest))
    held = HeldOut(right[labels], *sure, weights=weights, n_pool=len(rest))
    twin = HeldOut(right[labels])
    found = [held_out_accuracy(own, 0.95, rng, inflated=1.0) for own in (held, twin)]
    return [interval.lower <= 0.85 <= interval.upper for interval in found]


def counted(runs, pool):
    rng = np.random.default_rng(23)
    return np.sum([one_run(rng, pool) for _ in range(runs)], axis=0)


@pytest.mark.parametrize("pool", [False, True])
def test_the_interval_covers_after_four_rounds_and_without_weights_it_does_not(pool):
    covers, twin = counted(300, pool)
    assert binom.cdf(covers, 300, 0.95) > 1e-6
    assert binom.cdf(twin, 300, LEAST) < 1e-6


@pytest.mark.nightly
@pytest.mark.parametrize("pool", [False, True])
def test_coverage_in_2000_runs(pool):
    covers, twin = counted(2000, pool) / 2000
    assert LEAST <= covers <= MOST
    assert twin < LEAST
