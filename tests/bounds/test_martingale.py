"""The martingale bound: by hand, against Chernoff's and the exact one, and in a game against an adversary."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from foldless.bounds import _binomial as binomial
from foldless.bounds import _martingale as martingale
from foldless.bounds import _relative_entropy as relative_entropy

DELTA = 0.1
DRAWS = 4000
IMPROBABLE = 1e-6


def wealth(errors, tests, mean, delta):
    """The mixture as the docstring has it, term by term."""
    total = 0.0
    for rate, weight in zip(martingale.RATES, martingale.WEIGHTS, strict=True):
        if rate == 0:
            total += weight * (errors == 0) * (1 - mean) ** -tests
            continue
        q = relative_entropy.upper(np.full(tests, round(rate * 1000)), 1000, delta)
        fall = rate * (1 - q) / (q * (1 - rate))
        total += weight * fall**errors * (1 - mean * (1 - fall)) ** -tests
    return total


@pytest.mark.parametrize(("errors", "tests", "delta"), [(0, 20, 0.1), (3, 20, 0.1), (12, 150, 0.001), (40, 90, 0.05)])
def test_the_bound_is_where_the_mixture_reaches_one_over_delta(errors, tests, delta):
    assert wealth(errors, tests, martingale.upper(errors, tests, delta), delta) == pytest.approx(1 / delta, rel=1e-6)


def test_weights_are_fixed_and_add_up_to_one():
    assert sum(martingale.WEIGHTS) == pytest.approx(1)
    assert len(martingale.WEIGHTS) == len(martingale.RATES)


def test_nothing_tested_or_everything_wrong_excludes_nothing():
    assert martingale.upper(0, 0, 0.1) == martingale.upper(7, 7, 0.1) == 1


def test_without_errors_the_price_is_the_weight():
    delta, n = 0.01, 100
    assert martingale.upper(0, n, delta) <= binomial.upper(0, n, delta * martingale.WEIGHTS[0])


@given(st.integers(1, 400), st.floats(0, 1), st.floats(1e-6, 0.5))
def test_it_is_above_the_exact_bound_and_grows_with_the_errors(tests, share, delta):
    errors = int(share * tests)
    bound = martingale.upper(errors, tests, delta)
    assert binomial.upper(errors, tests, delta) - 1e-9 <= bound <= 1
    assert bound <= martingale.upper(min(errors + 1, tests), tests, delta) + 1e-9


def test_it_is_near_the_bound_of_chernoff_where_errors_are_usual():
    for rate in (0.02, 0.05, 0.1, 0.2, 0.3):
        best = relative_entropy.upper(np.full(500, round(rate * 1000)), 1000, 0.001)
        assert best <= martingale.upper(500 * rate, 500, 0.001) <= best + 0.006


@cache
def upper(errors, tests, copies=1):
    return martingale.upper(copies * errors, copies * tests, DELTA)


def game(strategy, bound, tests=60):
    """How often the mean of probabilities that follow the errors so far is above the bound."""
    rng, failed = np.random.default_rng(5), 0
    for _ in range(DRAWS):
        errors, total = 0, 0.0
        for at in range(tests):
            p = strategy(errors, at)
            total += p
            errors += rng.random() < p
        failed += total / tests > bound(errors, tests)
    return failed


def refuted(count):
    return binom.sf(count - 1, DRAWS, DELTA) < IMPROBABLE


STRATEGIES = {
    "constant": lambda errors, at: 0.2,
    "better and better": lambda errors, at: 0.4 * (1 - at / 60),
    "worse after luck": lambda errors, at: 0.5 if errors < 0.1 * at else 0.1,
    "all or nothing": lambda errors, at: 0.3 if errors == 0 else 0.0,
    "rare": lambda errors, at: 0.03,
}


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_it_holds_in_a_game_against_an_adversary(strategy):
    assert not refuted(game(STRATEGIES[strategy], upper))


def test_without_slack_or_with_every_test_counted_ten_times_it_fails():
    assert refuted(game(STRATEGIES["constant"], lambda errors, tests: errors / tests))
    assert refuted(game(STRATEGIES["constant"], lambda errors, tests: upper(errors, tests, copies=10)))
