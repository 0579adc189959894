"""FL019: missing values that depend on the class or the file; those at random do not."""

import numpy as np
import pytest
from helpers.checked_data import codes_of, diagnoses, numbers

from foldless.checks._check import DoesNotApply


def test_a_class_without_values():
    columns, y = numbers(100), np.arange(100) % 2
    columns["x1"][y == 1] = np.where(np.arange(50) < 30, np.nan, 0.5)
    (one,) = diagnoses("FL019", columns, y)
    assert one.finding.problem == 'column "x1" is missing in 0% of class 0, 60% of the others'


def test_a_file_without_values():
    pool = numbers(200, seed=1)
    pool["x0"][:80] = np.nan
    (one,) = diagnoses("FL019", numbers(100), pool=pool)
    assert one.finding.problem == 'column "x0" is missing in 40% of the pool, 0% of the labels'


def test_columns_without_a_missing_value_cost_no_power():
    """Their tests cannot reject, whatever the rows are (Tarone, 1990): they do not count in the correction."""
    pool = numbers(60, 30, seed=1)
    pool["x0"][:9] = np.nan
    (one,) = diagnoses("FL019", numbers(90, 30), pool=pool)
    assert one.finding.problem == 'column "x0" is missing in 15% of the pool, 0% of the labels'


def test_values_that_are_missing_at_random():
    reported = 0
    for seed in range(100):
        rng, columns = np.random.default_rng(seed), numbers(100, 3, seed)
        for values in columns.values():
            values[rng.random(100) < 0.2] = np.nan
        reported += len(codes_of("FL019", columns))
    assert reported <= 2  # the level is .001: three or more of 100 have probability 2e-4


def test_without_missing_values_it_does_not_apply():
    with pytest.raises(DoesNotApply, match="no value is missing"):
        diagnoses("FL019", numbers(20))
