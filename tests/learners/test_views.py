"""Every way to name columns gives the same columns, and bad ones are named."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from foldless.learners.views import columns, split

X = np.arange(20.0).reshape(4, 5)
FRAME = pd.DataFrame(X, columns=list("abcde"))


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
    one, two = split(FRAME, [["c", "a"], "e"])
    assert list(one.columns) == ["c", "a"]
    assert list(two.columns) == ["e"]
    np.testing.assert_array_equal(split(X, [["c", "a"], "e"], FRAME.columns)[0], X[:, [2, 0]])


@pytest.mark.parametrize(("n", "expected"), [(1, [[0], [0]]), (2, [[0], [1]]), (5, [[0, 1, 2], [3, 4]])])
def test_two_halves_by_default(n, expected):
    assert [part.tolist() for part in columns(None, n)] == expected


@pytest.mark.parametrize(
    ("views", "told"),
    [
        ([[0], [5]], "view 2 asks for column 5, and X has 5 columns"),
        ([[0], []], "view 2 must be column numbers|view 2 has no columns"),
        ([[0], slice(7, None)], "view 2 has no columns"),
        ([[1, 1], [2]], "view 1 has a column twice"),
        ([[1, -4]], "view 1 has a column twice"),
        ([["a"], [2]], "view 1 names columns, and X has no names"),
        ([[True, False]], "mask of 2 values for 5 columns"),
        ([[0.5]], "view 1 must be column numbers"),
        ("ab", "views must be a list"),
        (3, "views must be a list"),
        ([], "at least one view"),
    ],
)
def test_bad_views_are_named(views, told):
    with pytest.raises(ValueError, match=told):
        columns(views, 5)


def test_unknown_names_are_named():
    with pytest.raises(ValueError, match="view 2 asks for column 'z', which X does not have"):
        split(FRAME, [["a"], ["z"]])
