"""FL015: files that are sorted by class or by a column; random order is no finding."""

import numpy as np
import pandas as pd
import pytest
from helpers.checked_data import codes_of, diagnoses, numbers


def test_a_file_that_is_sorted_by_class():
    (one,) = diagnoses("FL015", numbers(60), np.repeat(["a", "b", "c"], 20))
    assert one.finding.problem == "rows are sorted by class"
    assert one.variant is None


def test_columns_that_tell_classes_apart_are_not_named_too():
    y = np.repeat(["a", "b"], 50)
    (one,) = diagnoses("FL015", {"score": np.random.default_rng(0).normal(size=100) + 3 * (y == "b")}, y)
    assert one.finding.problem == "rows are sorted by class"


def test_a_file_that_is_sorted_by_time():
    when = pd.date_range("2026-01-01", periods=60, freq="7h")
    (one,) = diagnoses("FL015", {**numbers(60), "when": when})
    assert one.finding.problem == 'rows are sorted by column "when"'
    assert one.variant is not None
    assert len(np.unique(one.variant.together)) == 6


def test_neighbors_that_are_alike():
    drifting = np.cumsum(np.random.default_rng(0).normal(size=80))
    (one,) = diagnoses("FL015", {**numbers(80), "level": drifting})
    assert one.finding.problem == 'neighbors in the file are alike in column "level"'


@pytest.mark.slow
def test_random_orders_are_left_in_peace():
    reported = 0
    for seed in range(200):
        rng = np.random.default_rng(seed)
        reported += len(codes_of("FL015", numbers(60, 2, seed), rng.integers(3, size=60)))
    assert reported <= 2  # the level is .001: three or more of 200 have probability 1e-3
