"""The change of an estimate and its interval: paired rows, rows that are left out, test rows."""

import numpy as np
import pytest

from foldless.checks._checked_data import HeldOutAnswers
from foldless.checks._impact import impact_of, impact_on_test


def held(right, rows=None):
    right = np.asarray(right, dtype=float)
    rows = np.arange(len(right)) if rows is None else rows
    return HeldOutAnswers(rows, rows * 0, right, right > 0.5, np.ones((len(right), 1)), rows)


def test_equal_answers_are_within_noise():
    same = held(np.arange(50) % 5 > 0)
    impact = impact_of(same, same, "without it")
    assert impact.difference == 0
    assert not impact.beyond_noise


def test_rows_that_are_left_out():
    right = np.arange(100) % 4 > 0
    kept = np.flatnonzero(right)[:60]
    impact = impact_of(held(right), held(right[kept], kept), "without them")
    assert impact.before == 0.75
    assert impact.after == 1.0
    assert impact.beyond_noise


def test_intervals_hold_the_change():
    """The truth is known: a model that is right with .8, and with .7 without a column."""
    held_in = 0
    for seed in range(300):
        rng = np.random.default_rng(seed)
        impact = impact_of(held(rng.random(80) < 0.8), held(rng.random(80) < 0.7), "without it")
        held_in += impact.lower <= -0.1 <= impact.upper
    assert held_in >= 275  # of 300 at .95, 274 or fewer have probability 3e-3; the interval is wider than that


def test_test_rows():
    right = np.r_[np.ones(50), np.arange(100) % 2 == 0].astype(float)
    impact = impact_on_test(right, np.arange(50), "without them", "a model")
    assert impact.before == pytest.approx(2 / 3)
    assert impact.after == 0.5
    assert impact.beyond_noise


def test_rows_that_are_one_observation_move_the_estimate_together():
    right = np.repeat(np.arange(40) % 2, 4)
    one = np.repeat(np.arange(40), 4)
    before, after = held(right), held(right[::4], np.arange(0, 160, 4))
    flipped = before._replace(right=1.0 - right)
    alone, together = (impact_of(flipped, after, "with one of each", units) for units in (None, one))
    assert together.upper - together.lower > 1.5 * (alone.upper - alone.lower)
