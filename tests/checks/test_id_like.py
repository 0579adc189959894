"""FL010: row numbers and ids are named, measured numbers are not."""

import numpy as np
import pandas as pd
import pytest
from helpers.checked_data import data_of, diagnoses, numbers

from foldless.checks._check import DoesNotApply, registered


def test_row_numbers_are_named():
    (one,) = diagnoses("FL010", {**numbers(100), "row": np.arange(100)})
    assert one.finding.problem == 'column "row" numbers the rows'
    assert one.variant is not None
    assert one.variant.columns == ("row",)
    assert diagnoses("FL010", numbers(100)) == []


def test_a_column_that_is_kept_is_no_id():
    data = data_of({**numbers(100), "row": np.arange(100)}, keep=("row",))
    assert registered()["FL010"].diagnoses(data) == []


def test_columns_without_names_are_not_looked_at():
    with pytest.raises(DoesNotApply, match="no names"):
        diagnoses("FL010", pd.DataFrame(np.arange(40.0).reshape(20, 2)))
