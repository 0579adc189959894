"""The interval by hand, and by simulation: it covers after a choice among many, its broken twins do not."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, t

from foldless.accuracy._held_out_accuracy import (
    INFLATED,
    INFLATED_WITH_POOL,
    LEARNS,
    HeldOut,
    choice_optimism,
    held_out_accuracy,
    wilson,
)
from foldless.errors import BadInput

LEVEL, RARE = 0.05, 1e-4  # of the interval; the chance that a right one fails a test


def rng(seed=0):
    return np.random.default_rng(seed)


def most(draws):
    """The most misses that intervals of this level have, but for bad luck of probability RARE."""
    return binom.ppf(1 - RARE, draws, LEVEL)


def test_wilson_by_hand():
    # Wilson (1927) for 8 of 10: scipy.stats.binomtest(8, 10).proportion_ci(method="wilson")
    np.testing.assert_allclose(wilson(0.8, 10, 1.959964), (0.490162, 0.943318), atol=1e-5)
    assert wilson(1.0, 50, 2.0)[0] < 1
    assert wilson(0.0, 50, 2.0)[1] > 0
    assert wilson(1.2, 50, 2.0)[1] <= 1


@given(
    seed=st.integers(0, 2**32 - 1), n=st.integers(10, 60), accuracy=st.sampled_from([0.0, 0.05, 0.5, 0.95, 1.0]),
    pool=st.integers(0, 200), candidates=st.integers(1, 5), share=st.sampled_from([0.5, 0.8, 1.0]),
    weighted=st.booleans(), grouped=st.booleans(),
)  # fmt: skip
def test_the_value_is_in_its_interval(seed, n, accuracy, pool, candidates, share, weighted, grouped):
    """Whatever the rows say, also where all are right and rounding moves an end."""
    draw = rng(seed)
    right = draw.random((candidates, n)) < accuracy
    held = HeldOut(
        right[0], *((draw.random(n) * right[0], draw.random(pool)) if pool else (None, None)),
        candidates=right, groups=draw.integers(5, size=n) if grouped else None, trained_on=share,
        weights=draw.random(n) + 0.01 if weighted else None, n_pool=pool,
    )  # fmt: skip
    found = held_out_accuracy(held, 0.95, draw)
    assert 0 <= found.lower <= found.value <= found.upper <= 1


@pytest.mark.parametrize("n", range(2, 60))
def test_an_interval_of_wilson_holds_its_share(n):
    for x in range(n + 1):
        lower, upper = wilson(x / n, n, 1.959964)
        assert lower <= x / n <= upper


def test_all_right_is_not_certain():
    found = held_out_accuracy(HeldOut(np.ones(40)), 0.95, rng())
    assert found.value == 1
    assert 0.8 < found.lower < 0.97


@pytest.mark.parametrize("errors", [1, 3, 20])
def test_a_fixed_model_without_a_pool_has_the_interval_of_wilson(errors):
    """Also where few rows are wrong: a variance that is too large in the denominator would count too many rows."""
    found = held_out_accuracy(HeldOut(np.arange(100) >= errors), 0.95, rng(), inflated=1.0)
    expected = wilson(1 - errors / 100, 99, t.ppf(0.975, 99))  # a mean and a variance of 100 rows
    np.testing.assert_allclose((found.lower, found.upper), expected)


def test_the_model_has_more_labels_than_the_fits_that_were_judged():
    """Errors of .2 on four fifths of the labels: .2 · .8^⅓ = .1857 on all of them, if labels are still worth a lot."""
    right = np.arange(1000) >= 200
    same, more = (held_out_accuracy(HeldOut(right, trained_on=share), 0.95, rng()) for share in (1.0, 0.8))
    assert (more.value, more.lower) == (same.value, same.lower)
    assert more.upper - same.upper == pytest.approx(0.2 * (1 - 0.8**LEARNS))
    assert held_out_accuracy(HeldOut(np.arange(9) > 8, trained_on=0.01), 0.95, rng()).upper == 1


def test_what_the_choice_takes_off_by_hand():
    coins = rng().random((20, 60)) < 0.6
    best = coins[coins.mean(axis=1).argmax()]
    chosen = held_out_accuracy(HeldOut(best, candidates=coins), 0.95, rng())
    fixed = held_out_accuracy(HeldOut(best), 0.95, rng())
    off = choice_optimism(coins, np.arange(60), rng())
    assert chosen.optimism == pytest.approx(0.5 * off)
    assert off > 0.05
    assert fixed.value == pytest.approx(best.mean())
    assert chosen.value == pytest.approx(best.mean() - 0.5 * off)
    assert chosen.lower < fixed.lower - 0.5 * off
    assert fixed.upper - 0.5 * off < chosen.upper < fixed.upper


def test_the_pool_by_hand():
    right, sure = np.arange(40) % 4 > 0, np.where(np.arange(40) % 4 > 0, 0.9, 0.5)
    sure[::7] = 0.7
    pool = np.linspace(0.3, 0.9, 400)
    found = held_out_accuracy(HeldOut(right, sure, pool), 0.95, rng())
    spread = np.std(np.r_[sure, pool])
    weight = np.cov(right, sure)[0, 1] / spread / 1.1
    rest = right - weight * sure / spread
    value = rest.mean() + weight * pool.mean() / spread
    variance = rest.var(ddof=0) / 38 + weight**2 * pool.var() / spread**2 / 400
    size = 30 * 10 / 40**2 / (INFLATED_WITH_POOL * variance)  # 30 of 40 are right
    assert (found.value, found.weight) == (pytest.approx(value), pytest.approx(weight))
    assert found.value < right.mean()  # the pool is less sure than the labels
    np.testing.assert_allclose((found.lower, found.upper), wilson(value, size, t.ppf(0.975, 39)))


def test_groups_count_as_one():
    right = np.repeat(rng().random(30) < 0.7, 10)
    alone = held_out_accuracy(HeldOut(right), 0.95, rng())
    grouped = held_out_accuracy(HeldOut(right, groups=np.repeat(np.arange(30), 10)), 0.95, rng())
    assert grouped.upper - grouped.lower > 2 * (alone.upper - alone.lower)


def test_confidence_is_a_probability():
    with pytest.raises(BadInput, match=r"confidence must be in \(0, 1\), got 95"):
        held_out_accuracy(HeldOut(np.ones(5)), 95, rng())


def test_optimism_of_one_candidate_is_nothing_and_of_clear_ones_little():
    assert choice_optimism(np.ones((1, 30)), np.arange(30), rng()) == 0
    draw = rng()
    clear = np.array([draw.random(200) < 0.9, draw.random(200) < 0.5])
    assert choice_optimism(clear, np.arange(200), rng()) < 0.02
    coins = draw.random((50, 200)) < 0.5
    assert choice_optimism(coins, np.arange(200), rng()) > 0.04


def fixed_model_misses(n, pool, draws=1000, **patched):
    """A model that is right where a confidence says so, seen on n labels and a pool."""
    draw, misses, widths = rng(1), 0, []
    for _ in range(draws):
        sure = draw.beta(4, 1, n + pool)
        right = draw.random(n) < sure[:n]
        held = HeldOut(right, sure[:n], sure[n:]) if pool else HeldOut(right)
        found = held_out_accuracy(held, 1 - LEVEL, draw, inflated=patched.get("inflated", 1.0))
        misses += not found.lower <= 0.8 <= found.upper
        widths.append(found.upper - found.lower)
    return misses, np.mean(widths)


@pytest.mark.slow
@pytest.mark.parametrize("n", [50, 200])
def test_a_fixed_model_is_covered_and_the_pool_narrows(n):
    alone, width = fixed_model_misses(n, 0)
    with_pool, narrower = fixed_model_misses(n, 10 * n)
    assert max(alone, with_pool) <= most(1000)
    assert narrower < 0.93 * width


def test_a_variance_that_is_too_small_is_found():
    misses, _ = fixed_model_misses(200, 0, inflated=0.5)
    assert misses > most(1000)


def chosen_misses(n_candidates, n, draws=400, correct=True, inflated=INFLATED):
    """Equal candidates whose held-out rows are independent draws: the best looks better than it is."""
    draw, misses = rng(2), 0
    for _ in range(draws):
        shared = draw.random(n) < 0.5  # of two candidates half of the rows are alike
        candidates = np.where(shared, draw.random(n) < 0.7, draw.random((n_candidates, n)) < 0.7)
        best = candidates[candidates.mean(axis=1).argmax()]
        held = HeldOut(best, candidates=candidates if correct else None)
        found = held_out_accuracy(held, 1 - LEVEL, draw, inflated)
        misses += not found.lower <= 0.7 <= found.upper
    return misses


@pytest.mark.slow
@pytest.mark.parametrize("n", [50, 200])
def test_the_chosen_of_twenty_is_covered(n):
    assert chosen_misses(20, n) <= most(400)


def test_without_the_correction_the_best_of_many_is_not_covered():
    assert chosen_misses(200, 200, correct=False, inflated=1.0) > most(400)


@pytest.mark.parametrize("seed", range(20))
def test_weights_that_add_up_to_almost_one_leave_the_interval_of_labels_that_are_all_right(seed):
    rng = np.random.default_rng(seed)
    weights, sure, on_pool = rng.uniform(0.5, 2, 37), rng.uniform(0.5, 1, 37), rng.uniform(0.5, 1, 200)
    for z in (1.0, 0.0):
        held = HeldOut(np.full(37, z), sure, on_pool, weights=weights, n_pool=200)
        interval = held_out_accuracy(held, 0.95, np.random.default_rng(0))
        assert interval.upper - interval.lower > 0.05  # of 37 labels, and not of thousands
