"""FL020: columns that differ between labels and pool; ids differ by nature."""

import numpy as np
import pytest
from helpers.checked_data import codes_of, diagnoses, numbers

from foldless.checks._check import DoesNotApply


def test_a_column_that_moved_is_named():
    pool = numbers(300, seed=1)
    pool["x1"] += 1.5
    (one,) = diagnoses("FL020", numbers(100), pool=pool)
    assert one.finding.columns == ("x1",)
    assert "x1 (median" in one.finding.problem
    assert codes_of("FL020", numbers(100), pool=numbers(300, seed=1)) == []


def test_row_numbers_are_no_drift():
    labeled, pool = {**numbers(100), "id": np.arange(100)}, {**numbers(300, seed=1), "id": np.arange(1000, 1300)}
    assert codes_of("FL020", labeled, pool=pool) == []


def test_it_needs_a_pool():
    with pytest.raises(DoesNotApply, match="no pool"):
        diagnoses("FL020", numbers(20))
