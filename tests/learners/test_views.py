"""Every way to name columns gives the same columns, and bad ones are named."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.compose import make_column_selector

from foldless.learners._views import columns, cut, evaluated, is_single_column

X = np.arange(20.0).reshape(4, 5)
FRAME = pd.DataFrame(X, columns=list("abcde"))


def split(X, views, names=None):
    """The columns of each view, of the same type as X."""
    names = getattr(X, "columns", None) if names is None else names
    return [cut(X, part) for part in columns(evaluated(views, X), X.shape[1], names)]


@pytest.mark.parametrize(
    "views",
    [
        [[0, 2], [3, 4]], [np.array([0, 2]), slice(3, None)], [[0, -3], [-2, -1]], ([True, False, True, False, False],
        slice(3, 5)), [range(0, 3, 2), (3, 4)],
    ],
)  # fmt: skip
def test_columns_by_number_slice_and_mask(views):
    for matrix in (X, sparse.csr_array(X), FRAME):
        parts = [part.toarray() if sparse.issparse(part) else np.asarray(part) for part in split(matrix, views)]
        np.testing.assert_array_equal(parts[0], X[:, [0, 2]])
        np.testing.assert_array_equal(parts[1], X[:, [3, 4]])


def test_columns_by_name():
    first, second = split(FRAME, [["c", "a"], "e"])
    assert list(first.columns) == ["c", "a"]
    assert list(second.columns) == ["e"]
    np.testing.assert_array_equal(split(X, [["c", "a"], "e"], FRAME.columns)[0], X[:, [2, 0]])


@pytest.mark.parametrize(("n", "expected"), [(1, [[0], [0]]), (2, [[0], [1]]), (5, [[0, 1, 2], [3, 4]])])
def test_two_halves_by_default(n, expected):
    assert [part.tolist() for part in columns(None, n)] == expected


@pytest.mark.parametrize(
    ("views", "message"),
    [
        ([[0], [5]], "view 2 asks for column 5, but X has 5 columns"),
        ([[0], []], r"view 2 has no columns, got \[\]: name at least one of the 5 columns of X"),
        ([[0], slice(7, None)], "view 2 has no columns"),
        ([[1, 1], [2]], "view 1 has a column twice"),
        ([[1, -4]], "view 1 has a column twice"),
        ([["a"], [2]], "view 1 names columns, and X has no names"),
        ([[True, False]], "mask of 2 values for 5 columns"),
        ([[0.5]], "view 1 must be column numbers"),
        ("ab", "views must be a list"),
        (3, "views must be a list"),
        ([], "at least one view"),
        ({"one": [0], "two": [1]}, r"views must be a list, got a dict with the keys \['one', 'two'\]: pass its values"),
        ({"a", "b"}, "views must be a list"),
        ([[0], {1, 2}], r"view 2 is a set, whose order is not fixed, got \{1, 2\}: pass a list"),
        ([[0], {"a": 1}], "view 2 must be column numbers, names, a mask or a slice, got {'a': 1}"),
        ([["a", 1]], r"view 1 mixes names and numbers of columns, got \['a', 1\]: use names or numbers"),
        ([slice("a", 2)], "view 1 must be a slice between two column numbers or two names, got slice"),
        ([slice(0.5, 2)], "view 1 must be a slice between two"),
        ([slice("a", "b")], "view 1 names columns, and X has no names"),
        ([[[0, 1], [2, 3]]], "view 1 must be column numbers"),
        ([len], r"view 1 is a function, got <built-in function len>: pass the columns that it returns for X"),
    ],
)
def test_bad_views_are_named(views, message):
    with pytest.raises(ValueError, match=message):
        columns(views, 5)


def test_unknown_names_are_named():
    with pytest.raises(ValueError, match="view 2 asks for column 'z', which X does not have"):
        split(FRAME, [["a"], ["z"]])
    with pytest.raises(ValueError, match="view 1 asks for column 'z', which X does not have"):
        split(FRAME, [slice("a", "z")])
    with pytest.raises(ValueError, match="view 1 asks for column 'a', which X has twice: rename one of them"):
        columns([["a"]], 3, ["a", "b", "a"])


@pytest.mark.parametrize(("view", "numbers"), [
    (slice("b", "d"), [1, 2, 3]), (slice(None, "b"), [0, 1]), (slice("d", None), [3, 4]),
    (slice("a", "e", 2), [0, 2, 4]),
])  # fmt: skip
def test_slices_between_names_hold_their_end(view, numbers):
    assert columns([view], 5, FRAME.columns)[0].tolist() == numbers


def test_functions_of_the_frame():
    mixed = FRAME.assign(b=list("uvwx"))
    parts = split(mixed, [make_column_selector(dtype_include="number"), make_column_selector(pattern="b")])
    assert [list(part.columns) for part in parts] == [list("acde"), ["b"]]
    assert evaluated(None, X) is None
    assert evaluated("ab", X) == "ab"
    assert evaluated([lambda rows: [rows.shape[0]], [1]], X) == [[4], [1]]


def test_one_number_cuts_a_vector():
    for frame in (FRAME, pl.from_pandas(FRAME), X):
        np.testing.assert_array_equal(np.asarray(cut(frame, 2)), X[:, 2])
        np.testing.assert_array_equal(np.asarray(cut(frame, np.array([2]))), X[:, [2]])
    for form in (sparse.csr_array, sparse.csr_matrix):
        np.testing.assert_array_equal(cut(form(X), 2).toarray(), X[:, [2]])
    assert is_single_column("a")
    assert is_single_column(np.int64(3))
    assert not is_single_column(["a"])
    assert not is_single_column(slice(0, 1))
