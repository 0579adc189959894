"""Numbers that most models cannot read: found by row and column in any container, and refused at the door if finite."""

import time

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.svm import LinearSVC

from foldless import FoldlessSearch
from foldless.data._opening import open_sample
from foldless.data._single_precision import BLOCK, NumberAt, checked_features, first_not_finite
from foldless.errors import BadInput

Y = np.array([0, 1] * 3)
FORMS = {
    "array": np.asarray,
    "columns first": np.asfortranarray,
    "csr": sparse.csr_array,
    "csc": sparse.csc_matrix,
    "frame": lambda X: pd.DataFrame(X, columns=["a", "b"]),
    "nullable frame": lambda X: pd.DataFrame(X, columns=["a", "b"]).astype("Float64"),
    "arrow frame": lambda X: pd.DataFrame(X, columns=["a", "b"]).astype("double[pyarrow]"),
    "mixed frame": lambda X: pd.DataFrame(X, columns=["a", "b"]).assign(word="w")[["word", "a", "b"]],
    "polars": lambda X: pl.DataFrame(X, schema=["a", "b"]),
}


def rows(**at: float) -> np.ndarray:
    """Six rows of two numbers; ``r2c1=value`` sets one of them."""
    X = np.arange(12.0).reshape(6, 2) + 1
    for place, value in at.items():
        X[int(place[1]), int(place[3])] = value
    return X


@pytest.mark.parametrize("form", FORMS)
def test_a_number_beyond_single_precision_is_refused_by_column_and_row(form: str) -> None:
    make = FORMS[form]
    column = "'b'" if "frame" in form or form == "polars" else "1"
    with pytest.raises(BadInput, match=rf"column {column} of X holds -1e\+100 in row 2, beyond .*: correct the value"):
        checked_features(make(rows(r2c1=-1e100, r4c0=1e300)), "X")
    for fine in (3.4e38, np.nan, np.inf, -np.inf):
        checked_features(make(rows(r2c1=fine)), "X")


@pytest.mark.parametrize("form", FORMS)
def test_an_infinite_number_does_not_hide_one_that_is_too_large(form: str) -> None:
    with pytest.raises(BadInput, match="holds 1e"):
        checked_features(FORMS[form](rows(r0c0=np.inf, r1c0=-np.inf, r2c1=1e39, r3c1=np.nan)), "X")


def test_each_part_is_checked_and_named() -> None:
    parts = {"X": rows(), "X_unlabeled": rows(), "X_test": rows()}
    for name in parts:
        with pytest.raises(BadInput, match=f"of {name} holds") as error:
            open_sample(y=Y, y_test=Y, **{**parts, name: rows(r5c1=1e39)})
        assert error.value.value == 1e39


def test_a_search_on_such_numbers_ends_at_once() -> None:
    rng = np.random.default_rng(0)
    X, start = rng.normal(size=(60, 3)), time.process_time()
    X[:, 0] = 1e300
    with pytest.raises(BadInput, match=r"column 0 of X holds 1e\+300 in row 0"):
        FoldlessSearch(LinearSVC(), {"C": [0.01, 0.1]}, time_budget=5).fit(X, X[:, 1] > 0)
    assert time.process_time() - start < 5


@pytest.mark.parametrize("form", [*FORMS, "list"])
def test_the_first_number_that_is_not_finite_is_found(form: str) -> None:
    make = FORMS.get(form, np.ndarray.tolist)
    column = "b" if "frame" in form or form == "polars" else 1
    assert first_not_finite(make(rows())) is None
    place = first_not_finite(make(rows(r2c1=np.nan, r4c0=np.inf)))
    assert place is not None
    assert (place.row, place.column, place.n) == (2, column, 2)
    assert np.isnan(place.value)


def test_frames_are_read_in_blocks() -> None:
    X = pd.DataFrame({"a": np.zeros(BLOCK + 10), "b": np.zeros(BLOCK + 10)})
    X.loc[[5, BLOCK + 3], "b"] = -np.inf
    assert first_not_finite(X) == NumberAt(5, "b", -np.inf, 2)
    X.loc[5, "b"] = 0.0
    assert first_not_finite(X) == NumberAt(BLOCK + 3, "b", -np.inf, 1)


@pytest.mark.parametrize("X", [["a text", "another"], [["a", 1.0]], np.array(["a"], dtype=object), [], np.arange(6)])
def test_rows_that_are_no_numbers_hold_none(X: object) -> None:
    assert first_not_finite(X) is None
    checked_features(X, "X")
