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
