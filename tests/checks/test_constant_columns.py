"""FL016: columns of one value, and those that hardly vary."""

import numpy as np
import pytest
from helpers.checked_data import diagnoses, numbers


def test_constant_and_nearly_constant_columns_are_named():
    columns = {**numbers(50), "version": 3, "flag": (np.arange(50) < 4) * 1, "half": np.arange(50) % 2}
    first, second = diagnoses("FL016", columns)
    assert first.finding.problem == 'column "version" has one value only'
    assert second.finding.problem == 'column "flag" has the same value in all but 4 labeled rows'
    assert diagnoses("FL016", numbers(50)) == []


@pytest.mark.parametrize("empty", [None, np.nan, ""])
def test_columns_without_a_value_are_named(empty):
    (one,) = diagnoses("FL016", {**numbers(50), "note": [empty] * 50, "more": [empty] * 50})
    assert one.finding.problem == 'columns "note" and "more" have no value'


def test_whole_numbers_that_double_precision_merges_are_told_from_a_constant():
    columns = {**numbers(50), "number": (10**30 + np.arange(50, dtype=object)).astype(float), "version": 3.0}
    constant, merged = diagnoses("FL016", columns)
    assert constant.finding.problem == 'column "version" has one value only'
    assert merged.finding.columns == ("number",)
    assert merged.finding.problem == (
        'column "number" has one value in double precision, where whole numbers of more than 15 digits are merged'
    )
