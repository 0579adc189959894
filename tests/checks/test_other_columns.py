"""FL025: columns that one file lacks, or has with other values."""

import numpy as np
import pytest
from helpers.checked_data import codes_of, diagnoses, numbers

from foldless.checks._check import DoesNotApply


def test_columns_that_are_missing_or_more():
    pool = {name: values for name, values in numbers(40, 3, 1).items() if name != "x0"} | {"extra": np.arange(40.0)}
    first, second = diagnoses("FL025", numbers(30), pool=pool)
    assert first.finding.problem == 'column "x0" of the labels is not in the pool'
    assert second.finding.problem == 'column "extra" of the pool is not in the labels'
    assert [first.kind, second.kind] == ["issue", "tip"]  # what only the pool has, no model would have read
    assert codes_of("FL025", numbers(30), pool=numbers(40, seed=1)) == []


def test_a_column_of_another_type():
    pool = {**numbers(40, seed=1), "x1": np.resize(["low", "high"], 40)}
    (one,) = diagnoses("FL025", numbers(30), pool=pool)
    assert one.finding.problem == 'column "x1" holds numbers in the labels and words in the pool'


def test_it_needs_another_part():
    with pytest.raises(DoesNotApply, match="no rows beside"):
        diagnoses("FL025", numbers(20))
