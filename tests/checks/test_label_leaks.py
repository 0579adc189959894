"""FL011: a column that is better alone than a model without it; a good column is none."""

import numpy as np
from helpers.checked_data import FixedFits, diagnoses, numbers

rng = np.random.default_rng(0)
y = rng.integers(2, size=100)
LEAK = y + 0.01 * rng.normal(size=100)


def leaks(columns, without):
    return diagnoses("FL011", columns, y, fits=FixedFits(np.ones(100), without=without))


def test_a_leak_is_what_others_do_not_know():
    (one,) = leaks({**numbers(), "status": LEAK}, without=np.arange(100) % 10 < 7)
    assert one.finding.problem == 'column "status" gives the label away (accuracy 1.00 alone)'
    assert one.masks == ("status",)
    assert leaks({**numbers(), "status": LEAK}, without=np.ones(100)) == []


def test_two_leaks_are_named_together():
    words = np.where(y, "won", "lost")
    (one,) = leaks({**numbers(), "status": LEAK, "outcome": words}, without=np.arange(100) % 10 < 7)
    assert set(one.finding.columns) == {"status", "outcome"}


def test_ordinary_columns_are_not_looked_at_further():
    assert leaks(numbers(), without=np.zeros(100)) == []
    assert leaks({"x": y + rng.normal(size=100)}, without=np.zeros(100)) == []


def test_missing_values_may_give_the_label_away():
    there = np.where(y, 3.0, np.nan)
    assert len(leaks({**numbers(), "refund": there}, without=np.arange(100) % 10 < 7)) == 1
