"""Parameters that must be numbers above zero, and tables that stay what they are."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse

from foldless.learners._inputs import (
    as_given,
    check_missing,
    check_positive,
    classes_and_codes,
    labels_of,
    partial_labels,
)


def test_finite_numbers_above_zero_pass():
    check_positive(1e-300, "lam")
    check_positive(np.float32(3), "lam")
    check_positive(0, "mu", zero=True)


def test_a_radius_may_be_infinite_and_is_a_number():
    check_positive(np.inf, "radius", finite=False)
    with pytest.raises(ValueError, match="radius must be a number, got nan"):
        check_positive(np.nan, "radius", finite=False)


def test_one_class_is_named():
    classes, codes = classes_and_codes(np.array(["b", "a", "b"]), "it")
    assert classes.tolist() == ["a", "b"]
    assert codes.tolist() == [1, 0, 1]
    with pytest.raises(ValueError, match="it needs at least 2 classes, the labels hold one class: 'a'"):
        classes_and_codes(np.array(["a", "a"]), "it")


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


@pytest.mark.parametrize("y", [[3, -1, 7, 3, -1], [3.0, -1.0, 7.0, 3.0, -1.0]])
def test_numbers(y):
    labeled, classes, codes = partial_labels(y, "it")
    assert labeled.tolist() == [True, False, True, True, False]
    assert classes.tolist() == [3, 7]
    assert codes.tolist() == [0, 1, 0]


def test_strings_beside_the_number():
    labeled, classes, codes = partial_labels(np.array(["b", -1, "a"], dtype=object), "it")
    assert labeled.tolist() == [True, False, True]
    assert classes.tolist() == ["a", "b"]
    assert codes.tolist() == [1, 0]


def test_strings_alone_are_all_labels():
    assert partial_labels(np.array(["b", "a"]), "it").labeled.all()


@pytest.mark.parametrize(
    ("y", "message"),
    [
        ([-1, -1], "it needs at least 2 classes, all labels are -1"),
        ([-1, 4], "it needs at least 2 classes, the labels hold one class: 4"),
        (["a", "-1"], 'the string "-1"'),
        ([0.5, 1.5, -1], "Unknown label type"),
        (np.array(["a", 7, -1], dtype=object), "y mixes labels of the types int and str: make them all strings or all"),
    ],
)
def test_what_cannot_be_learned_from(y, message):
    with pytest.raises(ValueError, match=message):
        partial_labels(y, "it")


def test_numbers_as_objects():
    labeled, classes, codes = partial_labels(np.array([3, -1, 7], dtype=object), "it")
    assert labeled.tolist() == [True, False, True]
    assert classes.dtype == np.int64
    assert codes.tolist() == [0, 1]


@pytest.mark.parametrize("y", [
    ["a", "b", None, "a", None], ("a", "b", None, "a", None), np.array(["a", "b", None, "a", np.nan], dtype=object),
    pd.Series(["a", "b", None, "a", None], dtype="string"), pd.Series(["a", "b", None, "a", None]),
    pd.Series(["a", "b", None, "a", None], dtype="category"), pd.Series([0, 1, None, 0, None], dtype="Int64"),
    pd.DataFrame({"y": ["a", "b", None, "a", None]}), pl.Series(["a", "b", None, "a", None]), [0, 1, np.nan, 0, np.nan],
])  # fmt: skip
def test_a_missing_label_is_no_mark(y):
    """What the message recommends is then read as it should be."""
    message = r"y has no label \(NaN or None\) in 2 rows, the first is row 2: mark them with the number -1.*pd.isna"
    with pytest.raises(ValueError, match=message):
        check_missing(y)
    with pytest.raises(ValueError, match=message):
        partial_labels(y, "it")
    marked = np.where(pd.isna(y if hasattr(y, "dtype") else np.asarray(y)), -1, y).ravel()
    assert partial_labels(marked, "it").labeled.tolist() == [True, True, False, True, False]


def test_nothing_is_missing():
    for y in (None, [], [1, -1], ["a", -1], np.array([1.0, -1.0]), pd.Series(["a", "b"], dtype="string")):
        check_missing(y)


def test_the_rows_without_a_label_get_one():
    given = partial_labels(np.array(["b", -1, "a", -1], dtype=object), "it")
    assert given.completed(np.array([0, 1])).tolist() == ["b", "a", "a", "b"]
