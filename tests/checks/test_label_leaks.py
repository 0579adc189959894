"""FL011: a column that is better alone than a model without it; a good column is none."""

import numpy as np
import pytest
from helpers.checked_data import FixedFits, diagnoses, numbers

from foldless.checks._check import DoesNotApply

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


def test_classes_that_are_spelled_otherwise_do_not_hide_it():
    names = np.where(y, "stays", "leaves").astype(object)
    names[np.flatnonzero(y)[::3]] = "STAYS "
    fits = FixedFits(np.ones(100), without=np.arange(100) % 10 < 7)
    for leak in (LEAK, np.where(y, "won", "lost"), np.where(y, "stays", "leaves")):
        (one,) = diagnoses("FL011", {**numbers(), "status": leak}, names, fits=fits)
        assert one.finding.problem == 'column "status" gives the label away (accuracy 1.00 alone)'
        assert one.variant.codes is None  # how much it matters is told with the classes as they are


def test_one_class_is_not_given_away():
    with pytest.raises(DoesNotApply, match="one class"):
        diagnoses("FL011", {**numbers(), "status": LEAK}, np.where(y, "stays", "STAYS "), fits=FixedFits(np.ones(100)))


def test_ordinary_columns_are_not_looked_at_further():
    assert leaks(numbers(), without=np.zeros(100)) == []
    assert leaks({"x": y + rng.normal(size=100)}, without=np.zeros(100)) == []


def test_missing_values_may_give_the_label_away():
    there = np.where(y, 3.0, np.nan)
    assert len(leaks({**numbers(), "refund": there}, without=np.arange(100) % 10 < 7)) == 1
