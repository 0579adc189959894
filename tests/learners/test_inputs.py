"""Parameters that must be numbers above zero, and tables that stay what they are."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse

from foldless.learners._inputs import as_given, check_positive, labels_of


def test_finite_numbers_above_zero_pass():
    check_positive(1e-300, "lam")
    check_positive(np.float32(3), "lam")
    check_positive(0, "mu", zero=True)


@pytest.mark.parametrize("zero", [False, True])
@pytest.mark.parametrize(
    ("number", "error", "message"),
    [
        (-1, ValueError, "lam == -1, must be >"),
        (np.inf, ValueError, "lam must be a finite number, got inf"),
        (np.nan, ValueError, "lam must be a finite number, got nan"),
        ("1", TypeError, "lam must be an instance of"),
    ],
)
def test_others_are_named(number, error, message, zero):
    with pytest.raises(error, match=message):
        check_positive(number, "lam", zero=zero)


def test_zero_must_be_allowed():
    with pytest.raises(ValueError, match="lam == 0, must be > 0"):
        check_positive(0, "lam")


def test_tables_stay_what_they_are():
    for table in (pd.DataFrame({"a": ["x", None]}), pl.DataFrame({"a": ["x", None]}), np.array([["x", 1.5]], object)):
        assert as_given(table) is table
    assert as_given([["x", "y"], ["u", "v"]]).tolist() == [["x", "y"], ["u", "v"]]
    assert np.isnan(as_given([[np.nan]])).all()
    assert as_given(sparse.coo_array(np.eye(2))).format == "csr"


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (pd.DataFrame({"a": []}), "X has 0 rows and 1 columns: pass at least one of both"),
        (pl.DataFrame(), "X has 0 rows and 0 columns"),
        (pd.DataFrame(index=range(3)), "X has 3 rows and 0 columns"),
        (["x", "y"], "Expected 2D array, got 1D array"),
        (np.ones((2, 2), complex), "Complex data not supported"),
    ],
)
def test_what_is_no_table(table, message):
    with pytest.raises(ValueError, match=message):
        as_given(table)


def test_one_label_for_each_row():
    assert labels_of(np.ones((2, 1)), pd.Series(["a", "b"])).tolist() == ["a", "b"]
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        labels_of(np.ones((2, 1)), [1])
    with pytest.raises(ValueError, match="Input y contains infinity"):
        labels_of(np.ones((2, 1)), [1, np.inf])
